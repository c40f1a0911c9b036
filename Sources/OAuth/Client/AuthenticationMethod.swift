/// A method of client authentication. Each has a file of its own.
protocol AuthenticationMethod: Sendable {
    func authenticate(_ request: inout ClientRequest) throws(OAuthError)
}
