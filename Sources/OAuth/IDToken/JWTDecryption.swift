internal import JOSE
internal import Wire

/// How a server encrypts JWTs of one kind for the client (OpenID Connect Core §16.14, RFC 9701 §5), as the client has
/// registered it, and the client's key for that.
package struct JWTDecryption: Sendable {
    private let profile: JWTProfile
    /// What the client registered as `alg` and `enc`; nil for nothing.
    private let (algorithm, encryption): (String?, String?)
    private let key: PrivateKeyText?
    private let passPhrase: String?

    /// Checks what the client has registered, and its key for that: a code or a refresh token is spent before the JWT is
    /// there.
    ///
    /// - Parameter key: the client's private key, and its pass phrase; nil without one.
    /// - Throws: `usage` for an algorithm that is not supported, and for a key that cannot be used; `key_weak`; `library`.
    package init(
        for profile: JWTProfile, of document: Document, key: (text: String, passPhrase: String?)?
    ) throws(OAuthError) {
        let names = profile.encryptionMembers
        self.profile = profile
        algorithm = try names.flatMap { (names) throws(OAuthError) in try document.string(names.algorithm) }
        encryption = try names.flatMap { (names) throws(OAuthError) in try document.string(names.encryption) }
        passPhrase = key?.passPhrase
        let member = ClientCredential.key.member
        self.key = try key.map { (key) throws(OAuthError) in
            try OAuthError.translating(ofKey: member, try PrivateKeyText(key.text))
        }
        try Self.check([profile], of: document)
        guard let algorithm, let names else { return }
        guard let text = self.key else {
            throw document.invalid(
                names.algorithm, "asks for encrypted answers, but the client has no key to decrypt them",
                hint: "\(ClientCredential.key.option) names the file of the key")
        }
        try OAuthError.translating(
            ofKey: member, try JSONWebEncryption.check(text, passPhrase: key?.passPhrase, for: algorithm))
    }

    /// Checks that what a login of a user brings can be read, before the user does anything.
    ///
    /// - Throws: `usage` for an algorithm that is not supported.
    static func check(_ document: Document) throws(OAuthError) {
        if try Scope(of: document).contains("openid") { try check([.idToken, .userinfo], of: document) }
    }

    static func check(_ profiles: [JWTProfile], of document: Document) throws(OAuthError) {
        for profile in profiles {
            guard let names = profile.encryptionMembers, let algorithm = try document.string(names.algorithm) else {
                continue
            }
            // An encrypted authorization response (JARM) is not read at all.
            let isRead = profile != .authorizationResponse
            let (algorithms, encryptions) = (JSONWebEncryption.algorithms, JSONWebEncryption.encryptions)
            let pairs = [
                (names.algorithm, algorithm, isRead ? algorithms : []),
                (names.encryption, try document.string(names.encryption) ?? encryptions[0], encryptions),
            ]
            for (member, value, supported) in pairs where !supported.contains(value) {
                let choice = supported.isEmpty ? "a client without it" : "one of \(supported.joined(separator: ", "))"
                throw document.invalid(member, "\(value) is not supported", hint: "register \(choice)")
            }
        }
    }

    /// The signed JWT in an encrypted one; the text itself if it is not encrypted, and need not be.
    ///
    /// - Throws: `jwt_expected` for one that is not encrypted though the client has registered that (OpenID Connect Core
    ///   §3.1.3.7 step 1); `id_token_header` for another algorithm; `id_token_malformed` for what the key does not open.
    package func opened(_ text: String) throws(OAuthError) -> String {
        guard JSONWebEncryption.isOne(text) else {
            try requireNone()
            return text
        }
        guard let key else { return text }
        let token = try OAuthError.translating(try JSONWebEncryption(parsing: text))
        for (name, registered) in [("alg", algorithm), ("enc", encryption)] {
            guard let registered, token.header[name]?.string?.isIdentical(to: registered) != true else { continue }
            throw OAuthError(
                .idTokenHeader, "the \(name) of \(profile.name) is not \(registered), which the client has registered",
                member: name)
        }
        let bytes = try OAuthError.translating(try token.decrypt(with: key, passPhrase: passPhrase))
        guard let content = String(validating: bytes, as: UTF8.self) else {
            throw OAuthError(.idTokenMalformed, "what is encrypted is no text")
        }
        return content
    }

    /// Refuses an answer that is neither encrypted nor a JWT at all, if the client has registered that it is encrypted.
    ///
    /// - Throws: `jwt_expected`.
    package func requireNone() throws(OAuthError) {
        guard algorithm != nil, let member = profile.encryptionMembers?.algorithm else { return }
        throw OAuthError(
            .jwtExpected, "\(profile.name) is not encrypted, though \(member) asks for that", member: member)
    }
}
