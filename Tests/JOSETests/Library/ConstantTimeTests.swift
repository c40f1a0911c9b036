import Testing

@testable import JOSE

@Suite struct ConstantTimeTests {
    @Test("two values are equal in constant time when they have the same bytes and the same length")
    func bytes() {
        #expect(constantTimeEqual([1, 2, 3], [1, 2, 3]))
        #expect(constantTimeEqual([UInt8](), []))
        #expect(!constantTimeEqual([1, 2, 3], [1, 2, 4]))
        #expect(!constantTimeEqual([1, 2, 3], [1, 2]))
        #expect(!constantTimeEqual([1, 2], [1, 2, 3]))
        #expect(!constantTimeEqual([], [0]))
    }

    @Test("texts are compared by code points, not by what they look like")
    func text() {
        #expect(constantTimeEqual("é", "é"))
        #expect(!constantTimeEqual("\u{E9}", "e\u{301}"))
    }
}
