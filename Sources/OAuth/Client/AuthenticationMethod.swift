protocol AuthenticationMethod: Sendable {
    func authenticate(_ request: inout ClientRequest) throws(OAuthError)
    /// What to check when the server refuses the client; nil for what concerns every method.
    var advice: String? { get }
}

extension AuthenticationMethod {
    var advice: String? { nil }
}
