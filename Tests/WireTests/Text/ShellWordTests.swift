import TestSupport
import Testing
import Wire

@Suite("Words of a shell")
struct ShellWordTests {
    /// What changes where one `Character` ends, beside all that a shell acts on.
    private static let pieces = [
        "'", "''", "\u{301}", "\u{200D}", "\u{FE0F}", "\u{600}", "\u{1F1E9}", "\u{1F468}", "\"", "\\", "$(id)", "`id`",
        "; id; ", "\n", "\t", " ", "!", "*", "~", "#", "a", "é", "-", "=", "&", "|", "<", ">", "{a,b}", "\u{85}",
    ]

    @Test("every text is one word that a shell gives back byte for byte, whatever stands beside its quotes")
    func roundTrip() throws {
        var generator = SystemRandomNumberGenerator()
        var texts = ["", "'", "'\u{301}", "x'\u{301}; exit 1; :'\u{301}", "plain-1.0", "-n", "%s"]
        for left in Self.pieces.prefix(8) { for right in Self.pieces { texts += [left + right, right + left + "'"] } }
        for _ in 0..<400 {
            texts.append((0..<8).compactMap { _ in Self.pieces.randomElement(using: &generator) }.joined())
        }
        let script = texts.map { "printf '%s\\0' \($0.shellWord)\n" }.joined()
        let result = try Program.shell("exec /bin/sh", input: .text(script)).run().expect(status: 0)
        let words = result.output.split(separator: 0, omittingEmptySubsequences: false).dropLast()
        #expect(words.count == texts.count, "\(result)")
        for (text, word) in zip(texts, words) { #expect(Array(text.utf8) == Array(word), "\(text.shellWord)") }
    }

    @Test(
        "what no shell acts on stays as it is, and nothing is an empty word", arguments: ["a", "a/b:c", "urn:x.y_z-1"])
    func plain(text: String) {
        #expect(text.shellWord == text)
        #expect("".shellWord == "''")
        #expect("a b".shellWord == "'a b'")
    }
}
