internal import Members

/// `tls_client_auth` and `self_signed_tls_client_auth`: the certificate of the connection proves the client, and the body
/// names it (RFC 8705 §2).
struct CertificateAuthentication: AuthenticationMethod {
    private let clientID: String

    /// - Throws: `metadata_missing` without a `client_id` or a certificate.
    init(of document: Document, _ method: ClientAuthenticationMethod) throws(OAuthError) {
        clientID = try document.required("client_id")
        guard document.hasCertificate else {
            throw OAuthError(
                .metadataMissing, "\(method.rawValue) needs a certificate",
                hint: "use --cert FILE and --key FILE, or the member \"tls_client_certificate_file\"",
                member: "tls_client_certificate_file")
        }
    }

    func authenticate(_ request: inout ClientRequest) { request.set("client_id", clientID) }

    var advice: String? {
        "check client_id, and the certificate that the server has registered for it: its subject or its public key"
    }
}
