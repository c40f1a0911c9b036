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
