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
