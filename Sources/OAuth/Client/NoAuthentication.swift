/// `none`: a public client, which only names itself (RFC 6749 §3.2.1).
struct NoAuthentication: AuthenticationMethod {
    private let clientID: String?

    init(of document: Document, secret: String) throws(OAuthError) { clientID = try document.required("client_id") }

    /// That of a request in which an assertion stands for the client (RFC 7521 §4.1).
    init() { clientID = nil }

    func authenticate(_ request: inout ClientRequest) {
        if let clientID { request.set("client_id", clientID) }
    }
}
