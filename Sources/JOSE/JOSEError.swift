internal import Wire

/// Why a digest, random bytes, a key or a signature could not be had, or is not to be trusted.
package enum JOSEError: Error, Sendable, Equatable {
    /// The cryptographic library could not be loaded or lacks what was asked of it; the text says so.
    case library(String)
    /// The system gave no random bytes; the value is the C library's `errno`.
    case randomness(errno: Int32)
    /// Not a compact JWS (RFC 7515 §7.1); the text says where it breaks.
    case malformed(String)
    /// A compact JWE (RFC 7516 §7.1) where a JWS was expected.
    case encrypted
    /// A header member that must be understood and is not (RFC 7515 §4.1.11); the text is its name.
    case header(String)
    /// The header's `alg`, which is not among those allowed.
    case algorithm(String)
    /// The key is not one for the algorithm, whose name this is.
    case keyMismatch(String)
    /// A `kty` or `crv` that is not known here.
    case keyUnsupported(String)
    /// A key whose members break RFC 7518 §6 or RFC 8037 §2; the text says how.
    case keyInvalid(String)
    /// A key that is too short to be trusted; the text says for what.
    case keyWeak(String)
    /// The signature was not made by this key over these bytes.
    case signature
}

extension JOSEError: CustomStringConvertible {
    /// What happened, for people: lower case, no full stop, no secret, text of others in quotes and escaped.
    package var description: String {
        switch self {
        case .library(let message): message
        case .randomness(let number): "the system gives no random bytes (errno \(number))"
        case .malformed(let reason): "not a signed JWT: \(reason)"
        case .encrypted: "the JWT is encrypted, and there is no key to decrypt it"
        case .header(let name): "the JWT header has \(name), which is not supported"
        case .algorithm(let name): "the JWT is signed with \(JSON.string(name).text), which is not allowed here"
        case .keyMismatch(let name): "the key does not fit the algorithm \(name)"
        case .keyUnsupported(let what): "the key is not supported: \(what)"
        case .keyInvalid(let reason): "the key is not valid: \(reason)"
        case .keyWeak(let reason): "the key is too weak: \(reason)"
        case .signature: "the signature of the JWT is wrong"
        }
    }
}
