/// `client_secret_post`: identifier and secret in the body (RFC 6749 §2.3.1).
struct PostAuthentication: AuthenticationMethod {
    private let clientID: String
    private let secret: String

    init(of document: Document, secret: String) throws(OAuthError) {
        clientID = try document.required("client_id")
        self.secret = secret
    }

    func authenticate(_ request: inout ClientRequest) {
        request.set("client_id", clientID)
        request.set(ClientCredential.secret.member, secret)
    }
}
