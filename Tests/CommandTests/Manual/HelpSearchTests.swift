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
}
