import Testing

@testable import Commands
@testable import Calling
@testable import Login
@testable import Sessions
@testable import Tokens
@testable import Shell

@Suite("A part of a form")
struct FormPartTests {
    @Test(
        "what only resembles a parameter is part of the value, or of the name of the file",
        arguments: [
            ("b;type=a/b", "b", "a/b"), (#"b;type="a/b""#, "b", "a/b"), (#""b;c";type=a/b"#, "b;c", "a/b"),
            ("b;type=plain", "b;type=plain", nil), ("b;type=", "b;type=", nil), ("b;type=a/b c", "b;type=a/b c", nil),
            ("b;type=a/b;type=c/d", "b;type=a/b", "c/d"), ("b;filename=c", "b;filename=c", nil),
            ("b;kind=a/b", "b;kind=a/b", nil), (#""b;type=a/b"#, #""b"#, "a/b"),
        ] as [(String, String, String?)])
    func parameters(content: String, word: String, type: String?) throws {
        let field = type.map { "\r\nContent-Type: \($0)" } ?? ""
        let value = try FormPart("a=" + content)
        #expect(value.value == word)
        #expect(value.head == "Content-Disposition: form-data; name=\"a\"\(field)")
        let file = try FormPart("a=<" + content)
        #expect(file.file == word)
        #expect(file.head == value.head)
    }

    @Test(
        "a long value of --form is read at once, whatever it consists of",
        arguments: [";", ";type", ";type=", ";type=a/b", #";type=""#, #";filename=";"#, "x;y=", #""a;\""#],
        ["a=", "a=@", #"a=@""#])
    func long(piece: String, start: String) throws {
        let text = start + String(repeating: piece, count: 200_000 / piece.utf8.count)
        let clock = ContinuousClock()
        let time = try clock.measure { _ = try FormPart(text) }
        #expect(time < .seconds(20))
    }
}
