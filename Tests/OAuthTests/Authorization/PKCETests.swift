import TestSupport
import Testing
import Wire

@testable import OAuth

@Suite("PKCE")
struct PKCETests {
    @Test(
        "A-02, A-03 pkce: a verifier has the challenge of the case, or is refused",
        arguments: try VectorGroup("pkce").cases)
    func vectors(vector: VectorCase) throws {
        let verifier = try #require(vector["verifier"]?.string)
        if vector["expect"]?.string == "error" {
            vector.expectFailure { try PKCE.check(verifier) }
            for method in PKCE.Method.allCases {
                vector.expectFailure { try PKCE.challenge(for: verifier, method: method) }
            }
            return
        }
        let method = try #require(vector["method"]?.string.flatMap { PKCE.Method(rawValue: $0) })
        #expect(try PKCE.challenge(for: verifier, method: method) == vector["challenge"]?.string)
        if let octets = vector["random_octets"]?.array?.compactMap(\.integer) {
            #expect(PKCE.verifier(from: octets.map { UInt8($0) }) == verifier)
        }
    }

    @Test(
        "A-02 every verifier of 32 octets has 43 characters and is allowed",
        arguments: [0, 0x55, 0xFB, 0xFF] as [UInt8])
    func verifiers(octet: UInt8) throws {
        let verifier = PKCE.verifier(from: Array(repeating: octet, count: 32))
        #expect(verifier.utf8.count == 43)
        try PKCE.check(verifier)
    }
}
