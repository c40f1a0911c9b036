package import Wire

/// What signs: a private key, or a secret that both sides share. Threads may share it.
package final class SigningKey: Sendable {
    package let algorithm: SignatureAlgorithm
    /// The `kid` of its signatures: the thumbprint of the public half (RFC 7638); nil for a shared secret, whose digest
    /// must not be published.
    package let keyID: String?
    /// The public half as a JSON Web Key with `use`, and with `kid` and `alg` if the key has them (RFC 7517 §4); nil for a
    /// shared secret.
    package let publicKey: JSONObject?
    private let secret: Secret

    private enum Secret: ~Copyable, Sendable {
        case key(PrivateKey)
        case shared([UInt8])
    }

    /// Makes a new key.
    ///
    /// - Throws: `JOSEError.library`; `.keyMismatch` for an algorithm whose key is a shared secret.
    package init(generatedFor algorithm: SignatureAlgorithm) throws(JOSEError) {
        guard !algorithm.isSymmetric else { throw .keyMismatch(algorithm.rawValue) }
        let key = try PrivateKey.generate(for: algorithm.scheme)
        let material = try key.publicMaterial()
        keyID = try JSONWebKey(material: material).thumbprint()
        publicKey = Self.members(of: material, keyID, algorithm)
        self.algorithm = algorithm
        secret = .key(key)
    }

    /// The private JSON Web Key, for a file that nobody else can read; nil for a shared secret.
    ///
    /// - Throws: `JOSEError.library`.
    package func privateKey() throws(JOSEError) -> JSONObject? {
        switch secret {
        case .shared: return nil
        case .key(let key): return (publicKey ?? [:]).changed(by: try key.privateMembers())
        }
    }

    /// Takes a private key from its text. It signs once, which shows whether its halves belong together: libcrypto signs
    /// with any pair, and an Ed25519 key with a foreign public half would give itself away.
    ///
    /// - Parameters:
    ///   - passPhrase: that of an encrypted PEM.
    ///   - keyID: the `kid` in the place of the key's own; of a set, the key to take. A PEM has none of its own.
    ///   - preference: the algorithms that may be used, the best first. One that the key names is the only one for it.
    /// - Throws: `JOSEError.keyMismatch` if none fits; as ``PrivateKeyText``.
    package init(
        of text: PrivateKeyText, passPhrase: String? = nil, keyID: String? = nil,
        preferring preference: [SignatureAlgorithm] = SigningKey.usual
    ) throws(JOSEError) {
        let read = try text.key(passPhrase: passPhrase, keyID: keyID)
        let (id, named) = (read.keyID, read.algorithm)
        let key = read.take()
        let material = try key.publicMaterial()
        let fitting = preference.filter { material.fits($0) && (named.map($0.isNamed) ?? true) }
        guard let algorithm = fitting.first(where: { $0.rawValue == named }) ?? fitting.first else {
            throw .keyMismatch(preference.map(\.rawValue).joined(separator: ", "))
        }
        let probe = Array("oap".utf8)
        guard let signature = try? key.signature(over: probe, algorithm: algorithm) else {
            throw .keyInvalid("libcrypto does not sign with its numbers")
        }
        guard try JSONWebKey(material: material).verifies(signature, over: probe, algorithm) else {
            throw .keyInvalid("its private half does not belong to its public half")
        }
        self.algorithm = algorithm
        self.keyID = id
        publicKey = Self.members(of: material, id, named == nil ? nil : algorithm)
        secret = .key(key)
    }

    /// The algorithms that servers are most likely to take, for each kind of key.
    package static let usual: [SignatureAlgorithm] = [
        .rs256, .ps256, .es256, .es384, .es512, .edDSA, .ed25519, .rs384, .rs512, .ps384, .ps512,
    ]

    private static func members(
        of material: JSONWebKey.Material, _ keyID: String?, _ algorithm: SignatureAlgorithm?
    ) -> JSONObject {
        var members = material.requiredMembers
        members["kid"] = keyID.map { .string($0) }
        members["alg"] = algorithm.map { .string($0.rawValue) }
        members["use"] = .string("sig")
        return members
    }

    /// Makes a key of a secret that both sides share (RFC 7518 §3.2).
    ///
    /// - Throws: `JOSEError.keyMismatch` for an algorithm other than HMAC; `.keyWeak` for a secret that is shorter than
    ///   the digest.
    package init(secret: [UInt8], algorithm: SignatureAlgorithm) throws(JOSEError) {
        guard algorithm.isSymmetric else { throw .keyMismatch(algorithm.rawValue) }
        try algorithm.digest.checkKey(secret)
        self.algorithm = algorithm
        keyID = nil
        publicKey = nil
        self.secret = .shared(secret)
    }

    /// Signs a payload into the compact serialization (RFC 7515 §7.1).
    package func sign(_ payload: [UInt8], header: JSONObject = [:]) throws(JOSEError) -> String {
        try sign(signingInput(payload, under: protectedHeader(header)))
    }

    /// The protected header of its signatures, in base64url.
    ///
    /// - Parameters:
    ///   - header: header members beside `alg` and `kid`, for example `typ`.
    ///   - hasKeyID: whether the header names the key.
    package func protectedHeader(_ header: JSONObject = [:], hasKeyID: Bool = true) -> String {
        var members: JSONObject = ["alg": .string(algorithm.rawValue)]
        if hasKeyID { members["kid"] = keyID.map { .string($0) } }
        return Base64.encodeURL(JSON.object(members.changed(by: header)).bytes)
    }

    /// The text that is signed for a payload under a protected header (RFC 7515 §5.1).
    package func signingInput(_ payload: [UInt8], under header: String) -> String {
        header + "." + Base64.encodeURL(payload)
    }

    /// The compact serialization of a signing input. Any thread may call it.
    package func sign(_ input: String) throws(JOSEError) -> String {
        input + "." + Base64.encodeURL(try signature(over: Array(input.utf8)))
    }

    private func signature(over input: [UInt8]) throws(JOSEError) -> [UInt8] {
        switch secret {
        case .shared(let bytes): return try algorithm.digest.authenticationCode(of: input, key: bytes)
        case .key(let key): return try key.signature(over: input, algorithm: algorithm)
        }
    }
}
