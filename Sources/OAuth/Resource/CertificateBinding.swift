package import Wire

extension Document {
    /// Whether the client certificate goes to a URL with an access token: to the authorization server, and to an API if the
    /// token is bound to the certificate (RFC 8705 §3), because the client is registered so or because the token, a JWT,
    /// says it (§3.1). Another API learns nothing of it.
    package func sendsCertificate(to url: WebURL?, with token: String?) -> Bool {
        if (try? bool("tls_client_certificate_bound_access_tokens")) == true { return true }
        let server = members["token_endpoint"]?.string.flatMap { WebURL($0)?.origin }
        let alias = (try? Endpoint("token_endpoint", in: self))?.url.origin
        guard let origin = url?.origin, ![server, alias].contains(origin) else { return url != nil }
        let claims = token.flatMap { try? JSONWebToken(parsing: $0, as: .other) }?.claims
        return claims?["cnf"]?.object?["x5t#S256"] != nil
    }
}
