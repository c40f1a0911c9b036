/// The responses that a client may want signed or encrypted; the raw value begins the names of the metadata for that
/// (OpenID Connect Registration §2, JWT Secured Authorization Response Mode §3).
enum ProtectedResponse: String, CaseIterable {
    case idToken = "id_token"
    case userinfo
    case authorization

    /// The names of all members that say how responses are protected.
    static let members = allCases.flatMap {
        [$0.signingMember, $0.encryptionMembers.algorithm, $0.encryptionMembers.content]
    }

    var signingMember: String { "\(rawValue)_signed_response_alg" }
    var encryptionMembers: (algorithm: String, content: String) {
        ("\(rawValue)_encrypted_response_alg", "\(rawValue)_encrypted_response_enc")
    }
}
