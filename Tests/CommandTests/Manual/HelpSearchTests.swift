import Foundation
import TestSupport
import Testing

@Suite("Search in the help, as a process")
struct HelpSearchTests {
    @Test(
        "a page has each word that people type in the line that apropos searches",
        arguments: [
            "keyring", "secret", "ssh", "dpop", "mcp", "agent", "pkce", "nonce", "scope", "proxy", "phone", "container",
            "cron",
        ])
    func names(word: String) throws {
        let folder = try TemporaryDirectory()
        try Program.oap(["help", "--man-pages", folder.path]).run().expect(status: 0)
        let lines = try Program(path: "/bin/grep", arguments: ["-rh", "^[.]Nd", folder.path]).run().text
        #expect(lines.lowercased().contains(word))
    }

    @Test("the help of the sandbox is the page of its program, found in PATH", arguments: ["sandbox", "oap-sandbox"])
    func sandbox(name: String) throws {
        var help = Program.oap(["help", name])
        help.environment["PATH"] = (Program.sandboxPath as NSString).deletingLastPathComponent
        let own = try Program.sandbox(["--man"]).run().expect(status: 0).text
        #expect(own.hasPrefix("NAME\n    oap-sandbox - "))
        try help.run().expect(status: 0).expect(output: own)
        help.environment["PATH"] = "/nonexistent"
        let missing = try help.run().expect(status: 2)
        missing.expect(errorLine: "oap: help: \(name) is a program of its own")
        missing.expect(errorLine: "oap: hint: it is not installed, or not in PATH")
    }
}
