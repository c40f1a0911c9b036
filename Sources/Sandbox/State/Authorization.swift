/// A grant of the user, or of the client for itself. All its tokens are one family, and are revoked together.
final class Authorization {
    let clientID: String
    /// The user; the client itself if there is none (RFC 9068 §2.2).
    let subject: String
    let scope: Scope
    let details: AuthorizationDetails
    /// The resources that the tokens are for (RFC 8707).
    let resources: [String]
    /// When the user decided, in seconds since 1970; nil without a user.
    let authenticationTime: Int?
    let nonce: String?
    private(set) var isRevoked = false

    init(
        clientID: String, subject: String, scope: Scope, details: AuthorizationDetails = .none,
        resources: [String] = [],
        authenticationTime: Int? = nil, nonce: String? = nil
    ) {
        (self.clientID, self.subject, self.scope, self.details) = (clientID, subject, scope, details)
        (self.resources, self.authenticationTime, self.nonce) = (resources, authenticationTime, nonce)
    }

    func revoke() { isRevoked = true }
}
