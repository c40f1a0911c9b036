import Testing

@testable import Commands

@Suite("The text of an inspection")
struct InspectionTextTests {
    @Test("what happens now is said to be just now, not in 0 s")
    func now() {
        #expect(InspectionText.distance(from: 7, to: 7) == "just now")
        #expect(InspectionText.distance(from: 8, to: 7) == "1 s ago")
        #expect(InspectionText.distance(from: 7, to: 8) == "in 1 s")
    }
}
