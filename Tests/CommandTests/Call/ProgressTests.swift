import Foundation
import TestSupport
import Testing

@Suite("Progress of call")
struct ProgressTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    /// What a terminal shows of standard error, while the result goes to a file.
    private func shown(_ options: String, _ input: String = "") throws -> String {
        // The line comes after a second only.
        let responder = try Responder { _ in
            Thread.sleep(forTimeInterval: 1.3)
            return .json("[1]")
        }
        var program = Program.shell(
            "oap call \(options) 2>&1 > \(folder.path("out"))", input: .text(input),
            environment: ["OAP_ACCESS_TOKEN": "t", "OAP_API_BASE": responder.url()])
        program.output = .terminal
        let result = try program.run().expect(status: 0)
        #expect(try folder.read("out").contains("[1]"))
        return result.text
    }

    @Test("on a terminal a line says how far a batch is, after one second, and is erased at the end; -s hides it")
    func batch() throws {
        let lines = String(repeating: "{\"url\":\"/x\"}\n", count: 2)
        let text = try shown("--batch --parallel 1", lines)
        #expect(text.contains("1 done, 0 failed, 0 a second") && text.hasSuffix("\r\u{1B}[K"), "\(text)")
        #expect(try shown("--batch --parallel 1 -s", lines).isEmpty)
    }

    @Test("a line says for what a request waits, and is erased before the response")
    func waiting() throws {
        let text = try shown("-n /x")
        #expect(text.hasPrefix("waiting for 127.0.0.1, 1 s") && text.hasSuffix("\r\u{1B}[K"), "\(text)")
        #expect(try shown("-n /x -s").isEmpty)
    }

    @Test("-s hides how far a walk over pages is")
    func pages() throws {
        #expect(try shown("-n /x --paginate").hasPrefix("page 1"))
        #expect(try shown("-n /x --paginate -s").isEmpty)
    }
}
