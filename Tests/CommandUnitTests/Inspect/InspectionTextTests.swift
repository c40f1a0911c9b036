import Testing
import Wire

@testable import Commands
@testable import Calling
@testable import Login
@testable import Sessions
@testable import Tokens
@testable import Shell

@Suite("The text of an inspection")
struct InspectionTextTests {
    @Test("what happens now is said to be just now, not in 0 s")
    func now() {
        #expect(InspectionText.distance(from: 7, to: 7) == "just now")
        #expect(InspectionText.distance(from: 8, to: 7) == "1 s ago")
        #expect(InspectionText.distance(from: 7, to: 8) == "in 1 s")
        #expect(InspectionText.distance(from: 0, to: 95_000_000) == "in 3 y 4 d")
    }

    @Test("a name of any length and any spaces leaves the value readable, and the text of other lines short")
    func longNames() {
        for spaces in [0, 15, 16, 17, 20, 35, 36, 40, 72, 73, 75, 76, 77, 90, 1_000] {
            for width in [20, 24, 40, 80] {
                let name = String(repeating: " ", count: spaces) + "x"
                let summary: JSONObject = [
                    "claims": .object([
                        name: .string(String(repeating: "y", count: 500)), "a": .string("1"),
                        "b": .string(repeatElement("z", count: 200).joined(separator: " ")),
                    ])
                ]
                let text = InspectionText(summary, now: 0).text(width: width)
                #expect(text.count { $0 == "y" } == 500 && text.count { $0 == "z" } == 200)
                #expect(text.count < 4_000 + spaces, "\(spaces) spaces, \(width) columns")
            }
        }
    }
}
