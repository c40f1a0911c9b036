protocol AuthenticationMethod: Sendable {
    func authenticate(_ request: inout ClientRequest) throws(OAuthError)
}
