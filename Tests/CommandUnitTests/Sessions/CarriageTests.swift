import Foundation
import Redaction
import TestSupport
import Testing
import Wire

@testable import Commands
@testable import Sessions
@testable import Shell

@Suite("The transfers of a process")
struct CarriageTests {
    @Test("a key that others may write to later stops nothing that has begun, and a new process at once")
    func once() throws {
        let folder = try TemporaryDirectory()
        let (certificate, key) = (try folder.write("-", to: "certificate.pem"), try folder.write("-", to: "key.pem"))
        let words = ["refresh", "work", "--cert", certificate, "--key", key]
        func carriage() throws -> Carriage {
            try Carriage(
                try TransportSettings(try CommandTable.program().parse(words)), Environment({ _ in nil }, all: { [] }),
                Diagnostics(command: "refresh", isStrict: false, redactor: Redactor()))
        }
        let first = try carriage()
        _ = try first.serverOptions()
        chmod(key, 0o666)
        #expect(throws: Never.self) { try first.serverOptions() }
        #expect(throws: HTTPError.self) { try carriage().serverOptions() }
    }
}
