internal import Wire

/// A grant of the user, or of the client for itself. All its tokens are one family, and are revoked together.
final class Authorization {
    let clientID: String
    /// The user; the client itself if there is none (RFC 9068 §2.2).
    let subject: String
    let scope: Scope
    let details: AuthorizationDetails
    /// The resources that the tokens are for (RFC 8707).
    let resources: [String]
    /// Who acts for the subject (`act`, RFC 8693 §4.1); nil for itself.
    let actor: JSON?
    /// When the user decided, in seconds since 1970; nil without a user.
    let authenticationTime: Int?
    let nonce: String?
    private(set) var isRevoked = false

    init(
        clientID: String, subject: String, scope: Scope, details: AuthorizationDetails = .none,
        resources: [String] = [], actor: JSON? = nil, authenticationTime: Int? = nil, nonce: String? = nil
    ) {
        (self.clientID, self.subject, self.scope, self.details) = (clientID, subject, scope, details)
        (self.resources, self.actor) = (resources, actor)
        (self.authenticationTime, self.nonce) = (authenticationTime, nonce)
    }

    func revoke() { isRevoked = true }
}
