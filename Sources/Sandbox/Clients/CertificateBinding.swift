extension SandboxServer {
    /// The thumbprint of the certificate that tokens of this request are bound to (RFC 8705 §3); nil if the client has
    /// not registered for it.
    func certificateThumbprint(of request: SandboxRequest, for client: Client) throws(Refusal) -> String? {
        guard client.isBoundByCertificate else { return nil }
        guard let certificate = request.certificate else {
            throw .invalidRequest("this client must present its certificate, at an endpoint of mtls_endpoint_aliases")
        }
        return certificate.thumbprint
    }
}
