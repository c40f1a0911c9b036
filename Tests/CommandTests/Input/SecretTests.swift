import Foundation
import TestSupport
import Testing
import Wire

@Suite("Secrets, as a process")
struct SecretTests {
    /// `client` with the secret `hunter2`.
    private static let basic = "Basic " + Data("client:hunter2".utf8).base64EncodedString()

    @Test("a secret from a descriptor is read, and neither it nor its path is in the document")
    func descriptor() throws {
        let responder = try Responder(.token)
        let result = try Program.shell(
            "oap refresh --client-secret-file <(printf 'hunter2\\n')", input: responder.token.input
        ).run().expect(status: 0).expect(nowhere: "hunter2").expect(nowhere: "/dev/fd")
        #expect(responder.requests.first?.headers.first("Authorization") == Self.basic)
        #expect(try result.object()["client_secret_file"] == nil)
    }

    @Test(
        "a descriptor is one in every spelling of its path",
        arguments: [
            "/dev//fd/5", "/dev/fd/./5", "/proc/self/fd/5", "/proc/thread-self/fd/5", "/proc/$$/fd/5",
            "/proc/$$/task/$$/fd/5",
        ])
    func descriptorSpellings(path: String) throws {
        let responder = try Responder(.token)
        let result = try Program.shell(
            "exec 5< <(printf 'hunter2\\n'); oap refresh --client-secret-file \(path)", input: responder.token.input
        ).run().expect(status: 0).expect(nowhere: "hunter2")
        #expect(responder.requests.first?.headers.first("Authorization") == Self.basic)
        #expect(try result.object()["client_secret_file"] == nil)
    }
}
