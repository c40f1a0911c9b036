internal import Wire

/// Why a digest, random bytes, a key or a signature is not available or not valid.
package enum JOSEError: Error, Sendable, Equatable {
    case library(String)
    case randomness(errno: Int32)
    /// Not a compact JWS (RFC 7515 §7.1), or JWE (RFC 7516 §7.1); the text says where it breaks.
    case malformed(String)
    /// A compact JWE (RFC 7516 §7.1) where a JWS was expected.
    case encrypted
    /// An unsupported header member that must be understood (RFC 7515 §4.1.11); the text is its name.
    case header(String)
    case algorithm(String)
    case keyMismatch(String)
    case keyUnsupported(String)
    /// A key whose members break RFC 7518 §6 or RFC 8037 §2; the text says how.
    case keyInvalid(String)
    case keyWeak(String)
    case signature
    /// What is encrypted for another key, or was changed afterwards.
    case decryption
    /// A key that only a pass phrase opens, without one or with another.
    case passPhrase(isGiven: Bool)
}

extension JOSEError: CustomStringConvertible {
    /// What happened, for the user: lower case, no full stop, no secret, third-party text in quotes and escaped.
    package var description: String {
        switch self {
        case .library(let message): message
        case .randomness(let number): "the system gives no random bytes (errno \(number))"
        case .malformed(let reason): "not a signed JWT: \(reason)"
        case .encrypted: "the JWT is encrypted, and there is no key to decrypt it"
        case .header(let name): "the JWT header has \(name), which is not supported"
        case .algorithm(let name): "the signature algorithm \(JSON.string(name).text) of the JWT is not allowed here"
        case .keyMismatch(let name): "the key does not fit the algorithm \(name)"
        case .keyUnsupported(let what): "the key is not supported: \(what)"
        case .keyInvalid(let reason): "the key is not valid: \(reason)"
        case .keyWeak(let reason): "the key is too weak: \(reason)"
        case .signature: "the signature of the JWT is wrong"
        case .decryption: "the JWT is encrypted for another key, or was changed afterwards"
        case .passPhrase(isGiven: true): "the pass phrase of the key is wrong"
        case .passPhrase(isGiven: false): "the key is encrypted, and there is no pass phrase"
        }
    }
}
