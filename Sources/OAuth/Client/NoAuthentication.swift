/// `none`: a public client, which only names itself (RFC 6749 §3.2.1).
struct NoAuthentication: AuthenticationMethod {
    private let clientID: String

    init(of document: Document, secret: String) throws(OAuthError) { clientID = try document.required("client_id") }

    func authenticate(_ request: inout ClientRequest) { request.set("client_id", clientID) }
}
