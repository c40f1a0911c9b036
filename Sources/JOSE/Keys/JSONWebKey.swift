package import Wire

/// The part of a JSON Web Key that verifies (RFC 7517, RFC 7518 §6, RFC 8037 §2). Other members, such as `kid` and
/// `use`, are for the selection of a key.
package struct JSONWebKey: Sendable {
    /// The values of the key, checked as far as possible without libcrypto.
    let material: Material

    enum Material: Sendable {
        /// Modulus and exponent, without leading zeros.
        case rsa(modulus: [UInt8], exponent: [UInt8])
        case ec(EllipticCurve, x: [UInt8], y: [UInt8])
        case ed25519(x: [UInt8])
        case secret([UInt8])
    }

    /// Reads a key of type RSA, EC, OKP (Ed25519) or oct. Private and unknown members are ignored. Whether a point is
    /// on its curve is checked when the key is used.
    ///
    /// - Throws: `JOSEError.keyUnsupported`, `.keyInvalid`, or `.keyWeak` for RSA below 2048 bits.
    package init(_ members: JSONObject) throws(JOSEError) {
        guard let name = members["kty"]?.string else { throw .keyInvalid("no kty") }
        guard let type = KeyType(named: name) else { throw .keyUnsupported("kty \(JSON.string(name.shownName).text)") }
        material =
            switch type {
            case .rsa: try Self.rsa(members)
            case .ec: try Self.ec(members)
            case .okp: try Self.ed25519(members)
            case .oct: .secret(try Self.bytes("k", of: members))
            }
    }

    /// Makes a key from a secret that both sides share, for HMAC (RFC 7518 §6.4).
    package init(secret: [UInt8]) { material = .secret(secret) }

    init(material: Material) { self.material = material }

    /// The members that make the public key, or the secret.
    package var publicMembers: JSONObject { material.requiredMembers }
}

extension JSONWebKey {
    /// The SHA-256 thumbprint in Base64url (RFC 7638): over the required members alone, in their canonical form, so
    /// that a key has the same thumbprint in every spelling.
    package func thumbprint() throws(JOSEError) -> String {
        return Base64.encodeURL(Digest.sha256(JSON.object(material.requiredMembers).bytes))
    }
}

extension JSONWebKey {
    /// Whether a signature of a JWS is right.
    ///
    /// - Throws: `JOSEError.keyMismatch`; `.keyInvalid`; `.keyWeak` for HMAC with a key that is shorter than the digest
    ///   (RFC 7518 §3.2); `.library`.
    func verifies(
        _ signature: [UInt8], over input: [UInt8], _ algorithm: SignatureAlgorithm
    ) throws(JOSEError) -> Bool {
        guard material.fits(algorithm) else { throw .keyMismatch(algorithm.rawValue) }
        var signature = signature
        switch material {
        case .secret(let secret):
            try algorithm.digest.checkKey(secret)
            return constantTimeEqual(try algorithm.digest.authenticationCode(of: input, key: secret), signature)
        case .ec(let curve, _, _):
            // The JWS has r and s side by side (RFC 7518 §3.4), libcrypto wants them in DER (RFC 3279 §2.2.3).
            guard signature.count == 2 * curve.coordinateLength else { return false }
            signature = DER.sequence(
                DER.integer(Array(signature.prefix(curve.coordinateLength))),
                DER.integer(Array(signature.suffix(curve.coordinateLength))))
        case .rsa, .ed25519: break
        }
        return try PublicKey(material.parts).verify(signature, over: input, algorithm: algorithm)
    }
}

extension JSONWebKey {
    private static func rsa(_ members: JSONObject) throws(JOSEError) -> Material {
        // Some issuers put a zero before the modulus, which RFC 7518 §6.3.1.1 forbids; it is harmless.
        try rsa(
            modulus: Array(bytes("n", of: members).drop { $0 == 0 }),
            exponent: Array(bytes("e", of: members).drop { $0 == 0 }))
    }

    /// - Throws: `JOSEError.keyWeak` below 2048 bits, `.keyInvalid` above 16384 and for an even exponent.
    static func rsa(modulus: [UInt8], exponent: [UInt8]) throws(JOSEError) -> Material {
        let bits = modulus.count * 8 - (modulus.first?.leadingZeroBitCount ?? 0)
        guard bits >= 2048 else { throw .keyWeak("RSA with \(bits) bits, but at least 2048 are required") }
        guard bits <= 16384 else { throw .keyInvalid("RSA with \(bits) bits, but libcrypto takes at most 16384") }
        guard let last = exponent.last, last % 2 == 1, exponent != [1] else {
            throw .keyInvalid("the RSA exponent is not an odd number above 1")
        }
        return .rsa(modulus: modulus, exponent: exponent)
    }

    private static func ec(_ members: JSONObject) throws(JOSEError) -> Material {
        guard let name = members["crv"]?.string else { throw .keyInvalid("no crv") }
        guard let curve = EllipticCurve(named: name) else {
            throw .keyUnsupported("crv \(JSON.string(name.shownName).text)")
        }
        return .ec(
            curve, x: try bytes("x", of: members, count: curve.coordinateLength),
            y: try bytes("y", of: members, count: curve.coordinateLength))
    }

    private static func ed25519(_ members: JSONObject) throws(JOSEError) -> Material {
        guard let name = members["crv"]?.string else { throw .keyInvalid("no crv") }
        guard name.isIdentical(to: "Ed25519") else { throw .keyUnsupported("crv \(JSON.string(name.shownName).text)") }
        let x = try bytes("x", of: members, count: 32)
        guard !SmallOrderPoint.isEncoded(by: x) else { throw .keyInvalid("x is a point of small order") }
        return .ed25519(x: x)
    }

    private static func bytes(_ name: String, of members: JSONObject, count: Int? = nil) throws(JOSEError) -> [UInt8] {
        guard let text = members[name]?.string, let bytes = Base64.decodeURL(text) else {
            throw .keyInvalid("\(name) is missing, or is not base64url")
        }
        if let count, bytes.count != count { throw .keyInvalid("\(name) has \(bytes.count) bytes instead of \(count)") }
        return bytes
    }
}

extension JSONWebKey.Material {
    /// libcrypto's name of the type, and the parts of the public key; nil for a secret.
    var parts: (type: String, parts: [KeyPart])? {
        switch self {
        case .rsa(let modulus, let exponent): ("RSA", [.number("n", modulus), .number("e", exponent)])
        // A point that is not compressed (SEC 1 §2.3.3).
        case .ec(let curve, let x, let y): ("EC", [.text("group", curve.rawValue), .octets("pub", [4] + x + y)])
        case .ed25519(let x): ("ED25519", [.octets("pub", x)])
        case .secret: nil
        }
    }

    /// Whether the key may be used with an algorithm.
    func fits(_ algorithm: SignatureAlgorithm) -> Bool {
        switch (algorithm.scheme, self) {
        case (.hmac, .secret), (.rsaPKCS1, .rsa), (.rsaPSS, .rsa), (.ed25519, .ed25519): true
        case (.ecdsa(let wanted), .ec(let curve, _, _)): wanted == curve
        default: false
        }
    }

    /// The members that make the key (RFC 7517 §4, RFC 7518 §6), sorted by name, as RFC 7638 §3.3 requires.
    var requiredMembers: JSONObject {
        switch self {
        case .rsa(let modulus, let exponent): ["e": .base64(exponent), "kty": .string("RSA"), "n": .base64(modulus)]
        case .ec(let curve, let x, let y):
            ["crv": .string(curve.rawValue), "kty": .string("EC"), "x": .base64(x), "y": .base64(y)]
        case .ed25519(let x): ["crv": .string("Ed25519"), "kty": .string("OKP"), "x": .base64(x)]
        case .secret(let secret): ["k": .base64(secret), "kty": .string("oct")]
        }
    }
}

extension JSON {
    static func base64(_ bytes: [UInt8]) -> JSON { .string(Base64.encodeURL(bytes)) }
}
