import Testing

@testable import CommandSpec

@Suite("Messages on a terminal")
struct MessageLayoutTests {
    private func lines(_ text: String, _ width: Int) -> [String] {
        MessageLayout.wrap(text, width: width, programs: ["oap", "curl"]).split(separator: "\n").map(String.init)
    }

    @Test("a message is wrapped at words, and its other lines are indented")
    func words() {
        let text = "oap: login: the issuer's metadata names another issuer"
        #expect(lines(text, 54) == [text])
        #expect(lines(text, 30) == ["oap: login: the issuer's", "  metadata names another", "  issuer"])
        let long = "https://as.example/a/long/path"
        #expect(lines("oap: a \(long) b", 20) == ["oap: a", "  \(long)", "  b"])
    }

    @Test(
        "a command is not broken, and has a line of its own if it is too long",
        arguments: [
            ("log in again: ", "oap login work --scope 'a b c'", ""), ("", "oap store put work < token.json", ""),
            ("", "oap login work --client-id it", ""), ("", "oap call -p work URL", " uses the token, and so on"),
            ("", "oap profile show NAME | oap profile set NAME", " changes a profile; with -n"),
            ("run ", "curl 'REDIRECTED URL'", " here, or"),
            ("or ", "oap callback-parse 'A URL'", " with the flow in a file"),
            ("", "--access-token-file <(printenv TOKEN)", ""), ("run ", "`sudo make me`", " now"),
            ("oap: ", #"oap login x --client-id 'it'\''s a b' --open"#, ""), ("", "oap discover URL,", " or wait"),
            ("the client's ", "oap login work --audience \"a b\"", ", if that's it"),
        ])
    func commands(before: String, command: String, after: String) {
        for width in 24...120 {
            let lines = lines("hint: " + before + command + after, width)
            #expect(lines.contains { $0.contains(command) }, "\(lines)")
            #expect(lines.allSatisfy { $0.count <= max(width, command.count + 12) }, "\(lines)")
        }
    }
}
