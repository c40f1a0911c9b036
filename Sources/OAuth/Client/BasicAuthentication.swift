internal import Members
internal import Wire

/// `client_secret_basic`: identifier and secret in HTTP Basic (RFC 6749 §2.3.1, RFC 7617).
struct BasicAuthentication: AuthenticationMethod {
    let field: HTTPField
    let secrets: [String]
    /// Whether form-encoding changed the identifier or the secret.
    let isEncoded: Bool

    init(of document: Document, secret: String) throws(OAuthError) {
        let id = try document.required("client_id")
        let encoded = try document.choice("basic_encoding") ?? BasicEncoding.form == .form
        let pair = encoded ? FormEncoding.encode(id) + ":" + FormEncoding.encode(secret) : "\(id):\(secret)"
        isEncoded = encoded && !pair.isIdentical(to: "\(id):\(secret)")
        let credentials = Base64.encode(Array(pair.utf8))
        field = HTTPField("Authorization", "Basic \(credentials)")
        secrets = [secret, credentials]
    }

    func authenticate(_ request: inout ClientRequest) { request.headers.append(field) }
}
