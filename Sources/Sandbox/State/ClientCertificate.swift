internal import JOSE
internal import Wire

/// The certificate of a client, whose key the client has proved to have in the TLS handshake.
package struct ClientCertificate: Sendable {
    let der: [UInt8]
    /// Whether the authority of the settings issued it, and it is valid now.
    let isTrusted: Bool
    /// The subject as a string of RFC 4514.
    let subject: String
    /// The subject alternative names by the client metadata that can name them (RFC 8705 §2.1.2).
    let names: [String: [String]]

    /// Takes what the transport has found in the handshake; a kind is `dns`, `uri`, `ip` or `email`.
    package init(der: [UInt8], isTrusted: Bool, subject: String, names: [(kind: String, text: String)] = []) {
        (self.der, self.isTrusted, self.subject) = (der, isTrusted, subject)
        self.names = Dictionary(grouping: names) { "tls_client_auth_san_\($0.kind)" }.mapValues { $0.map(\.text) }
    }

    /// The `x5t#S256` of tokens that are bound to it (RFC 8705 §3.1).
    var thumbprint: String { Base64.encodeURL(Digest.sha256(der)) }
}

extension ClientCertificate {
    /// The metadata of `tls_client_auth`, of which a client has one (RFC 8705 §2.1.2).
    static let subjectMembers = [
        "tls_client_auth_subject_dn", "tls_client_auth_san_dns", "tls_client_auth_san_uri", "tls_client_auth_san_ip",
        "tls_client_auth_san_email",
    ]

    func authenticate(_ client: Client, by method: Client.AuthenticationMethod) throws(Refusal) {
        if method == .tls {
            guard isTrusted else {
                throw .invalidClient("the certificate is not from an authority in --mtls-ca-file, or is not valid now")
            }
            let found = (names.merging(["tls_client_auth_subject_dn": [subject]]) { $1 })
            guard let (name, value) = client.certificateSubject, found[name]?.contains(value) == true else {
                throw .invalidClient("the certificate is for \(subject.shown), not for this client")
            }
        } else {
            guard isKey(of: client) else {
                throw .invalidClient(client.keyFailure ?? "the certificate is not in an x5c of the client's keys")
            }
        }
    }

    /// Whether a client authenticates by a certificate in its keys, and this one is not there.
    func isMissing(at client: Client) -> Bool {
        client.authenticationMethods.contains(.selfSignedTLS) && !isKey(of: client)
    }

    /// Whether a key of the client has this certificate: the first of `x5c` is that of the key (RFC 8705 §2.2.2).
    private func isKey(of client: Client) -> Bool {
        client.keys.contains { $0["x5c"]?.strings?.first.flatMap { Base64.decode($0) } == der }
    }
}
