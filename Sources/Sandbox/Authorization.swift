internal import JOSE

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

/// An authorization code (RFC 6749 §4.1.2).
struct Code {
    /// The request that it answers.
    let request: AuthorizationRequest
    /// What was allowed.
    let authorization: Authorization
    /// Whether a token request has brought it.
    var isUsed = false

    /// Seconds.
    static let lifetime = 60
}

/// An access token.
struct AccessToken {
    /// What was allowed.
    let authorization: Authorization
    /// What it allows, which may be less than the authorization does.
    let scope: Scope
    /// What it is for; empty for anything.
    let resources: [String]
    /// When it was made, in seconds since 1970.
    let issuedAt: Int
    /// When it ends, in seconds since 1970.
    let expiresAt: Int
    /// The thumbprint of the key that it is bound to (RFC 9449 §6).
    let keyThumbprint: String?

    /// Its `token_type`, which is the scheme that it is used with, too (RFC 6750 §2.1, RFC 9449 §7.1).
    var type: String { keyThumbprint == nil ? "Bearer" : "DPoP" }
}

/// A refresh token.
struct RefreshToken {
    /// What was allowed.
    let authorization: Authorization
    /// When it was made, in seconds since 1970.
    let issuedAt: Int
    /// The thumbprint of the key that it is bound to (RFC 9449 §5).
    let keyThumbprint: String?
    /// Whether another has taken its place.
    var isUsed = false

    /// Seconds: two weeks.
    static let lifetime = 14 * 86_400
}
