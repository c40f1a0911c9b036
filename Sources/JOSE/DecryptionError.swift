/// Why a JSON Web Encryption could not be decrypted.
package enum DecryptionError: Error, Sendable, Equatable {
    /// Not a compact JWE (RFC 7516 §7.1); the text says where it breaks.
    case malformed(String)
    /// The header asks for something else than `dir` and `A256GCM`; the text is the member's name.
    case header(String)
    case authentication
    case library(JOSEError)
}

extension DecryptionError: CustomStringConvertible {
    /// What happened, for the user: lower case, no full stop.
    package var description: String {
        switch self {
        case .malformed(let reason): "not a JWE: \(reason)"
        case .header(let name): "\(name) in the JWE header is not supported"
        case .authentication: "it was encrypted with another key, or changed afterwards"
        case .library(let error): error.description
        }
    }
}
