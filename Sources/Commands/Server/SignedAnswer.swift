internal import OAuth
internal import Wire

extension Transport {
    /// Asks an endpoint, where repeating does no harm. The redactor learns what the response issues.
    ///
    /// - Throws: exit 6, 9 or 10 without a response.
    func ask(_ message: HTTPRequest, at endpoint: Endpoint, withCertificate: Bool) throws(Failure) -> EndpointResponse {
        let result = try send(ServerRequest(message: message, withCertificate: withCertificate))
        do throws(HTTPError) {
            let response = EndpointResponse(try result.get())
            for secret in response.secrets { diagnostics.redactor.add(secret) }
            return response
        } catch {
            throw Failure(error, stake: .repeatable, of: endpoint)
        }
    }

    /// Fetches the keys of an issuer.
    ///
    /// - Throws: exit 6, 9 or 10 without keys.
    func keys(at endpoint: Endpoint) throws(Failure) -> KeySet {
        // Keys are public: their server does not need the identity of the client (RFC 8705 §8).
        let response = try ask(KeySet.request(to: endpoint), at: endpoint, withCertificate: false)
        return try lift(try KeySet(response))
    }
}

extension Input {
    /// What checks the signature of a JWT: the keys of the issuer, or the client secret.
    ///
    /// - Parameter fetches: whether the keys are needed.
    /// - Throws: exit 2 to 11 without them.
    func keys(
        for token: JSONWebToken, fetches: Bool, over transport: Transport
    ) throws(Failure) -> (keys: KeySet, secret: String?) {
        guard fetches else { return (.empty, token.isSymmetric ? try secret("client_secret") : nil) }
        let input = try completed(needing: ["jwks_uri"], over: transport)
        let keys = try transport.keys(at: try lift(try Endpoint("jwks_uri", in: input.document)))
        try transport.diagnostics.warn(keys.warnings)
        return (keys, nil)
    }
}
