internal import Wire

/// The curves of ECDSA keys; the raw value is the `crv` (RFC 7518 §6.2.1.1).
enum EllipticCurve: String, Sendable, WireName {
    case p256 = "P-256"
    case p384 = "P-384"
    case p521 = "P-521"

    /// The length in bytes of a coordinate, and of either half of a signature (RFC 7518 §3.4, §6.2.1.2).
    var coordinateLength: Int {
        switch self {
        case .p256: 32
        case .p384: 48
        case .p521: 66
        }
    }

    /// The names that libcrypto has for it.
    var names: [String] {
        switch self {
        case .p256: ["prime256v1", rawValue]
        case .p384: ["secp384r1", rawValue]
        case .p521: ["secp521r1", rawValue]
        }
    }
}

/// The types of key, `kty` (RFC 7518 §6.1, RFC 8037 §2).
package enum KeyType: String, Sendable, WireName {
    case rsa = "RSA"
    case ec = "EC"
    case okp = "OKP"
    case oct
}

/// A value that has a name in JOSE's registries, compared by code points. (`init(rawValue:)` would also take a canonically
/// equivalent spelling: the Kelvin sign for the K of `OKP`.)
package protocol WireName: RawRepresentable<String>, CaseIterable {}

extension WireName {
    /// The value of an exact name; nil for one that is not known.
    package init?(named name: String) {
        guard let known = Self.allCases.first(where: { $0.rawValue.isIdentical(to: name) }) else { return nil }
        self = known
    }
}
