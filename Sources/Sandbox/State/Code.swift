/// An authorization code (RFC 6749 §4.1.2).
struct Code {
    /// The authorization request.
    let request: AuthorizationRequest
    /// The authorization.
    let authorization: Authorization
    /// Whether it has been used.
    var isUsed = false
}
