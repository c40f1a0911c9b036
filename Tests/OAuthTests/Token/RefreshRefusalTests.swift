import Testing

@testable import OAuth

@Suite("A refused refresh token")
struct RefreshRefusalTests {
    @Test("a newer token that is stored goes before all else", arguments: [true, false], [true, false])
    func replaced(isOfPart: Bool, isOvertaken: Bool) {
        #expect(RefreshRefusal(of: "r", kept: "s", isOfPart: isOfPart, isOvertaken: isOvertaken) == .replaced)
        // Not the same bytes, though Unicode calls them equivalent.
        let other = RefreshRefusal(of: "\u{212A}", kept: "K", isOfPart: isOfPart, isOvertaken: isOvertaken)
        #expect(other == .replaced)
    }

    @Test("a token that is stored as it was sent, or no longer, decides by what was asked for and by the claim")
    func same() {
        let sent: [(sent: String?, kept: String?, end: RefreshRefusal)] = [
            ("r", "r", .final), ("r", nil, .dropped), (nil, "r", .final), (nil, nil, .dropped),
        ]
        for (sent, kept, end) in sent {
            let refusal = { RefreshRefusal(of: sent, kept: kept, isOfPart: $0, isOvertaken: $1) }
            #expect(refusal(false, false) == end)
            // The other token of the login may be what was refused.
            #expect(refusal(true, false) == .ofPart)
            #expect(refusal(true, true) == .ofPart)
            // The refresh token is dropped only by who has the claim.
            #expect(refusal(false, true) == .overtaken)
        }
    }
}
