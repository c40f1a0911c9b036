internal import Wire

/// The algorithms that a JWS may be signed with here (RFC 7518 §3.1, RFC 8037 §3.1, RFC 9864 §2.2). `none` is not one.
package enum SignatureAlgorithm: String, Sendable, WireName {
    case hs256 = "HS256"
    case hs384 = "HS384"
    case hs512 = "HS512"
    case rs256 = "RS256"
    case rs384 = "RS384"
    case rs512 = "RS512"
    case ps256 = "PS256"
    case ps384 = "PS384"
    case ps512 = "PS512"
    case es256 = "ES256"
    case es384 = "ES384"
    case es512 = "ES512"
    case edDSA = "EdDSA"
    case ed25519 = "Ed25519"
}

extension SignatureAlgorithm {
    package static let asymmetric = Set(allCases.filter { $0.scheme != .hmac })

    /// Whether the key is a secret that both sides share (HMAC).
    package var isSymmetric: Bool { scheme == .hmac }

    /// The digest that it signs; for EdDSA the one inside of it, which is SHA-512 with Ed25519 (RFC 8032 §5.1).
    package var digest: Digest {
        switch self {
        case .hs256, .rs256, .ps256, .es256: .sha256
        case .hs384, .rs384, .ps384, .es384: .sha384
        case .hs512, .rs512, .ps512, .es512, .edDSA, .ed25519: .sha512
        }
    }

    /// The `kty` that its keys have (RFC 7518 §6.1, RFC 8037 §2).
    package var keyType: KeyType {
        switch scheme {
        case .hmac: .oct
        case .rsaPKCS1, .rsaPSS: .rsa
        case .ecdsa: .ec
        case .ed25519: .okp
        }
    }

    /// The `crv` that its keys have, where keys have one.
    package var curve: String? {
        switch scheme {
        case .hmac, .rsaPKCS1, .rsaPSS: nil
        case .ecdsa(let curve): curve.rawValue
        case .ed25519: "Ed25519"
        }
    }

    /// Whether a name is its own; the two of Ed25519 are one (RFC 9864 §2.2).
    package func isNamed(_ name: String) -> Bool {
        rawValue.isIdentical(to: name) || scheme == .ed25519 && Self(named: name)?.scheme == .ed25519
    }

    /// How an algorithm signs.
    enum Scheme: Equatable {
        case hmac
        case rsaPKCS1
        case rsaPSS
        case ecdsa(EllipticCurve)
        case ed25519
    }

    var scheme: Scheme {
        switch self {
        case .hs256, .hs384, .hs512: .hmac
        case .rs256, .rs384, .rs512: .rsaPKCS1
        case .ps256, .ps384, .ps512: .rsaPSS
        case .es256: .ecdsa(.p256)
        case .es384: .ecdsa(.p384)
        case .es512: .ecdsa(.p521)
        case .edDSA, .ed25519: .ed25519
        }
    }
}
