internal import JOSE

/// A JWT that a server may have encrypted for the client (OpenID Connect Core §16.14, RFC 9701 §5).
package enum JWTDecryption {
    /// The signed JWT in an encrypted one, or the text itself if it is not encrypted.
    ///
    /// - Parameter key: the client's private key, and its pass phrase; nil without one: then the text stays as it is.
    /// - Throws: `id_token_header` for another algorithm, `id_token_malformed` for what the key does not open; `usage` for a
    ///   key that cannot be used.
    package static func opened(_ text: String, with key: (text: String, passPhrase: String?)?) throws(OAuthError)
        -> String
    {
        guard let key, EncryptedToken.isOne(text) else { return text }
        return try OAuthError.translating(try content(of: text, key))
    }

    private static func content(
        of text: String, _ key: (text: String, passPhrase: String?)
    ) throws(JOSEError) -> String {
        let bytes = try EncryptedToken(parsing: text).decrypt(
            with: PrivateKeyText(key.text), passPhrase: key.passPhrase)
        guard let content = String(validating: bytes, as: UTF8.self) else {
            throw .malformed("what is encrypted is no text")
        }
        return content
    }
}
