internal import Members

/// A client that its parameters name, and what stands beside them proves it: nothing (`none`, RFC 6749 §3.2.1), a secret in
/// the body (`client_secret_post`, §2.3.1), or the certificate of the connection (`tls_client_auth` and
/// `self_signed_tls_client_auth`, RFC 8705 §2).
struct NamedClient: AuthenticationMethod {
    private let id: String?
    private var secret: String?
    private(set) var advice: String?

    /// Without a `client_id`, an assertion stands for the client (RFC 7521 §4.1).
    init(ofPublic document: Document) throws(OAuthError) { id = try document.string("client_id") }

    init(of document: Document, secret: String) throws(OAuthError) {
        (id, self.secret) = (try document.required("client_id"), secret)
    }

    /// - Throws: `metadata_missing` without a `client_id` or a certificate.
    init(withCertificate document: Document, _ method: ClientAuthenticationMethod) throws(OAuthError) {
        id = try document.required("client_id")
        guard document.hasCertificate else {
            throw OAuthError(
                .metadataMissing, "\(method.rawValue) needs a certificate",
                hint: "use --cert FILE and --key FILE, or the member \"tls_client_certificate_file\"",
                member: "tls_client_certificate_file")
        }
        advice =
            "check client_id, and the certificate that the server has registered for it: its subject or its public key"
    }

    func authenticate(_ request: inout ClientRequest) {
        if let id { request.set("client_id", id) }
        if let secret { request.set(ClientCredential.secret.member, secret) }
    }
}
