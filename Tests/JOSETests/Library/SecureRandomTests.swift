import Testing

@testable import JOSE

@Suite struct SecureRandomTests {
    @Test(
        "as many random bytes come as were asked for, also more than the system gives at once",
        arguments: [0, 1, 32, 256, 257, 1000])
    func count(count: Int) throws {
        #expect(try SecureRandom.bytes(count).count == count)
    }

    @Test("every part of a long answer is random, the last one too")
    func noPartStaysZero() throws {
        let bytes = try SecureRandom.bytes(1000)
        // 32 zero bytes in a row have a chance of 2^-256.
        for start in stride(from: 0, to: 968, by: 8) { #expect(bytes[start..<start + 32].contains { $0 != 0 }) }
    }

    @Test("two answers of the random generator differ")
    func different() throws {
        #expect(try SecureRandom.bytes(32) != SecureRandom.bytes(32))
    }
}
