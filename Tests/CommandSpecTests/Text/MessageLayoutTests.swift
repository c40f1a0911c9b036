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

    @Test("the command of an example is wrapped between its words, with a backslash, and runs as before")
    func examples() throws {
        let start = "oap call https://api.example/items --jq '.[] | .name'"
        let command = start + " \\\n  -o \"a b\" --verbose --fail-with-body\n"
        #expect(
            TextLayout.wrapCommand(command, indent: 4, width: 40) == [
                #"    oap call https://api.example/items \"#, #"      --jq '.[] | .name' \"#,
                #"      -o "a b" --verbose \"#, "        --fail-with-body",
            ])
        #expect(
            TextLayout.wrapCommand("oap authurl < a.json | oap listen --open -q .x > b", indent: 0, width: 24) == [
                "oap authurl < a.json |", #"    oap listen --open \"#, #"      -q .x > b"#,
            ])
        #expect(TextLayout.wrapCommand("# a b c", indent: 2, width: 4) == ["  # a b c"])
        for text in ["cat <<EOF | oap call\nsome words here\nEOF", "oap call 'some\nwords here'"] {
            let lines = TextLayout.wrapCommand(text, indent: 2, width: 10)
            #expect(lines == text.split(separator: "\n").map { "  \($0)" })
        }
        let words = "printf '<%s>' one \"two  three\" 'four  five' | cat"
        let wrapped = TextLayout.wrapCommand(words, indent: 4, width: 20)
        #expect(wrapped.count > 3)
        #expect(try Shell.run("sh", ["-c", wrapped.joined(separator: "\n")]).output == "<one><two  three><four  five>")
    }
}
