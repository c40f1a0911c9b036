package import Wire

package struct SigningKey: ~Copyable {
    package let algorithm: SignatureAlgorithm
    /// The `kid` of its signatures: the thumbprint of the public half (RFC 7638); nil for a shared secret, whose digest
    /// must not be published.
    package let keyID: String?
    /// The public half as a JSON Web Key with `kid`, `alg` and `use` (RFC 7517 §4); nil for a shared secret.
    package let publicKey: JSONObject?
    private let secret: Secret

    /// What signs. (Not private: Swift 6.3 inlines the destruction of a value of this type into other modules, which
    /// cannot find a private type.)
    enum Secret: ~Copyable {
        case key(PrivateKey)
        case shared([UInt8])
    }

    /// Makes a new key.
    ///
    /// - Throws: `JOSEError.library`; `.keyMismatch` for an algorithm whose key is a shared secret.
    package init(generatedFor algorithm: SignatureAlgorithm) throws(JOSEError) {
        let key = try PrivateKey.generate(for: algorithm)
        let material = try key.publicMaterial(for: algorithm)
        let keyID = try JSONWebKey(material: material).thumbprint()
        var members = material.requiredMembers
        members["kid"] = .string(keyID)
        members["alg"] = .string(algorithm.rawValue)
        members["use"] = .string("sig")
        self.algorithm = algorithm
        self.keyID = keyID
        publicKey = members
        secret = .key(key)
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
    ///
    /// - Parameter header: header members beside `alg` and `kid`, for example `typ`.
    package func sign(_ payload: [UInt8], header: JSONObject = [:]) throws(JOSEError) -> String {
        var members: JSONObject = ["alg": .string(algorithm.rawValue)]
        members["kid"] = keyID.map { .string($0) }
        for member in header.members { members[member.name] = member.value }
        let input = Base64.encodeURL(JSON.object(members).bytes) + "." + Base64.encodeURL(payload)
        return input + "." + Base64.encodeURL(try signature(over: Array(input.utf8)))
    }

    private func signature(over input: [UInt8]) throws(JOSEError) -> [UInt8] {
        switch secret {
        case .shared(let bytes): return try algorithm.digest.authenticationCode(of: input, key: bytes)
        case .key(let key):
            let signature = try key.sign(input, algorithm: algorithm)
            guard case .ecdsa(let curve) = algorithm.scheme else { return signature }
            guard let halves = DER.signatureHalves(signature, length: curve.coordinateLength) else {
                throw .library("libcrypto returned an invalid ECDSA signature")
            }
            return halves
        }
    }
}
