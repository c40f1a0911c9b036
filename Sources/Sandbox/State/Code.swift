/// An authorization code (RFC 6749 §4.1.2).
struct Code {
    let request: AuthorizationRequest
    let authorization: Authorization
    var isUsed = false
}
