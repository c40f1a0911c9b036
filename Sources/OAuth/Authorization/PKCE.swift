internal import Wire
internal import JOSE

/// Proof Key for Code Exchange (RFC 7636).
package enum PKCE {
    /// How the challenge follows from the verifier (RFC 7636 §4.2).
    package enum Method: String, Sendable, CaseIterable {
        case s256 = "S256"
        case plain
    }

    /// A code verifier made from random octets (RFC 7636 §4.1): 32 of them give 43 characters.
    static func verifier(from octets: [UInt8]) -> String { Base64.encodeURL(octets) }

    /// The challenge for a verifier (RFC 7636 §4.2).
    ///
    /// - Throws: `usage` for a verifier that is not 43 to 128 unreserved characters.
    static func challenge(for verifier: String, method: Method) throws(OAuthError) -> String {
        try check(verifier)
        switch method {
        case .plain: return verifier
        case .s256: return Base64.encodeURL(Digest.sha256(Array(verifier.utf8)))
        }
    }

    /// Checks a verifier's length and characters (RFC 7636 §4.1).
    ///
    /// - Throws: `usage`.
    static func check(_ verifier: String) throws(OAuthError) {
        let isUnreserved = { (byte: UInt8) in byte.isASCIILetterOrDigit || [0x2D, 0x2E, 0x5F, 0x7E].contains(byte) }
        guard (43...128).contains(verifier.utf8.count), verifier.utf8.allSatisfy(isUnreserved) else {
            throw OAuthError(
                .usage, "code_verifier must be 43 to 128 letters, digits and -._~ (RFC 7636 section 4.1)",
                member: "code_verifier")
        }
    }
}
