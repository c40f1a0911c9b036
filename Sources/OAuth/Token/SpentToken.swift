internal import JOSE
internal import Wire

/// What tells which refresh token a stored token has, or had when the server refused it, for a store that several machines
/// share: an answer that arrives late belongs to the token that it was asked with.
package enum SpentToken {
    /// The member with the hash of a refused refresh token.
    package static let member = "refresh_token_was"

    /// SHA-256, base64url.
    package static func hash(_ refreshToken: String) -> String {
        Base64.encodeURL(Digest.sha256(Array(refreshToken.utf8)))
    }

    /// The hash of the refresh token in the bytes of a token document, or of the one that it had; nil without one.
    package static func identity(of bytes: [UInt8]) -> (hash: String, isRefused: Bool)? {
        guard let members = (try? JSON(parsing: bytes))?.object else { return nil }
        if let token = members["refresh_token"]?.string { return (hash(token), false) }
        return members[member]?.string.map { ($0, true) }
    }
}
