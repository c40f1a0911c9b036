import Testing

@testable import JOSE

@Suite struct ConstantTimeTests {
    @Test("equal means the same bytes and the same length")
    func bytes() throws {
        #expect(try constantTimeEqual([1, 2, 3], [1, 2, 3]))
        #expect(try constantTimeEqual([UInt8](), []))
        #expect(try !constantTimeEqual([1, 2, 3], [1, 2, 4]))
        #expect(try !constantTimeEqual([1, 2, 3], [1, 2]))
        #expect(try !constantTimeEqual([1, 2], [1, 2, 3]))
        #expect(try !constantTimeEqual([], [0]))
    }

    @Test("texts are compared by code points, not by what they look like")
    func text() throws {
        #expect(try constantTimeEqual("é", "é"))
        #expect(try !constantTimeEqual("\u{E9}", "e\u{301}"))
    }
}
