internal import JOSE
package import Wire

/// What tells which refresh token a stored token has, or had when the server refused it, for a store that several machines
/// share: an answer that arrives late belongs to the token that it was asked with.
package enum SpentToken {
    /// The member with the hash of a refused refresh token.
    package static let member = "refresh_token_was"

    /// The document of a token without its refresh token, which the server has refused.
    ///
    /// - Parameters:
    ///   - refreshToken: the one that was sent, if another machine may have the answer to it.
    ///   - now: seconds since 1970.
    package static func dropped(from document: JSONObject, sent refreshToken: String?, now: Int) -> JSONObject {
        var document = document
        document.remove(Member.of(.refreshToken))
        document[member] = refreshToken.map { .string(hash($0)) }
        document["refresh_refused_at"] = .integer(now)
        return document
    }

    /// Whether the refresh token that a document had was refused.
    package static func isRefused(of document: JSONObject) -> Bool { document["refresh_refused_at"]?.isNull == false }

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
