import Testing

@testable import Commands
@testable import Calling
@testable import Login
@testable import Sessions
@testable import Tokens
@testable import Shell

@Suite("The part of a line of a batch")
struct BatchPartTests {
    private static let parts = (1...97).compactMap { BatchShard("\($0)/97") }

    /// The parts that take a line.
    private func takers(of line: String, number: Int = 1) -> [Int] {
        Self.parts.indices.filter { Self.parts[$0].takes(Array(line.utf8), number: number) }
    }

    @Test(
        "an id is what it says, however it is spelled",
        arguments: [#"{"id":"\u0061"}"#, #"{"\u0069d":"a"}"#, #"{ "url":"\"", "i\u0064" : "\u0061" , "body":["b"]}"#])
    func escapes(line: String) {
        #expect(takers(of: line) == takers(of: #"{"id":"a"}"#))
    }

    @Test(
        "a line without an id of its own goes by its number",
        arguments: [
            #"{"id":null}"#, #"{"id":{"id":"a"}}"#, #"{"id":["a"]}"#, #"["id","a"]"#, #"[{"id":"a"}]"#, "", "x",
        ])
    func numbers(line: String) {
        for number in 1...9 { #expect(takers(of: line, number: number) == takers(of: "{}", number: number)) }
    }

    @Test("two spellings of a number are two ids, each in one part")
    func spelling() {
        for line in [#"{"id":1}"#, #"{"id":1.0}"#, #"{"id":"1"}"#] { #expect(takers(of: line).count == 1) }
        #expect(takers(of: #"{"id":1}"#) == takers(of: #"{"id":"1"}"#, number: 2))
        #expect(takers(of: #"{"id":1}"#) != takers(of: #"{"id":1.0}"#))
    }
}
