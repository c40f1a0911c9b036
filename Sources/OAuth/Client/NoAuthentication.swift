/// `none`: a public client, which only names itself (RFC 6749 §3.2.1).
struct NoAuthentication: AuthenticationMethod {
    private let clientID: String?

    /// Without a `client_id`, an assertion stands for the client (RFC 7521 §4.1).
    init(of document: Document) throws(OAuthError) { clientID = try document.string("client_id") }

    func authenticate(_ request: inout ClientRequest) { if let clientID { request.set("client_id", clientID) } }
}
