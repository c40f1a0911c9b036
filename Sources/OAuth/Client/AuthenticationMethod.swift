/// A method of client authentication. Each has a file of its own.
protocol AuthenticationMethod: Sendable {
    /// Adds what authenticates the client.
    func authenticate(_ request: inout ClientRequest) throws(OAuthError)
}
