/// What a person, or the client for itself, has allowed. All tokens that come of it are its family, and end with it.
final class Authorization {
    /// The client.
    let clientID: String
    /// The person; the client itself where there is none (RFC 9068 §2.2).
    let subject: String
    /// What is allowed.
    let scope: Scope
    /// The resources that the tokens are for (RFC 8707).
    let resources: [String]
    /// When the person was asked, in seconds since 1970; nil where there is no person.
    let authenticationTime: Int?
    /// The `nonce` of the authorization request (OpenID Connect Core §3.1.2.1).
    let nonce: String?
    /// Whether it has been taken back.
    private(set) var isRevoked = false

    /// Makes an authorization; see the properties.
    init(
        clientID: String, subject: String, scope: Scope, resources: [String] = [], authenticationTime: Int? = nil,
        nonce: String? = nil
    ) {
        self.clientID = clientID
        self.subject = subject
        self.scope = scope
        self.resources = resources
        self.authenticationTime = authenticationTime
        self.nonce = nonce
    }

    /// Ends the whole family.
    func revoke() { isRevoked = true }
}
