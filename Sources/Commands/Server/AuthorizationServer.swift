internal import OAuth
internal import Wire

/// The authorization server as the client of a document sees it: one attempt for each request, no redirect, a bounded
/// response.
struct AuthorizationServer {
    /// The most bytes of a response.
    static let limit = 1 << 20

    /// How the client proves itself.
    let authentication: ClientAuthentication
    /// What the server calls its parameters.
    let names: ParameterNames
    private let transport: Transport

    /// Finds out how the client of a document proves itself. Nothing is sent.
    ///
    /// - Throws: exit 2, 3 or 11 for a client that cannot prove itself.
    init(of input: Input, over transport: Transport) throws(Failure) {
        self.transport = transport
        if let warning = try input.foreignSecretWarning() { try transport.diagnostics.warn([warning]) }
        names = try lift(try ParameterNames(of: input.document))
        var problem: Failure?
        authentication = try lift(
            try ClientAuthentication(of: input.document) { () throws(OAuthError) in
                do throws(Failure) {
                    return try input.secret("client_secret")
                } catch {
                    problem = error
                    return nil
                }
            })
        if let problem { throw problem }
        for secret in authentication.secrets { diagnostics.redactor.add(secret) }
    }

    /// Where warnings go, and the redactor.
    var diagnostics: Diagnostics { transport.diagnostics }

    /// Sends parameters to an endpoint, where repeating them does no harm.
    ///
    /// - Throws: exit 6, 9, 10 or 11 without a response.
    func send(_ parameters: Parameters, to endpoint: Endpoint) throws(Failure) -> EndpointResponse {
        try send(authentication.request(to: endpoint, parameters: parameters, names: names))
    }

    /// Sends a request that is complete and may be repeated.
    ///
    /// - Parameter withCertificate: whether the client certificate is shown.
    /// - Throws: exit 6, 9, 10 or 11 without a response.
    func send(_ request: HTTPRequest, withCertificate: Bool = true) throws(Failure) -> EndpointResponse {
        switch try attempt(request, withCertificate: withCertificate) {
        case .success(let response): return response
        case .failure(let error): throw Failure(error, stake: .repeatable)
        }
    }

    /// Sends a token request, for whom it matters why there is no response.
    func attempt(_ request: TokenRequest) throws(Failure) -> Result<EndpointResponse, HTTPError> {
        try attempt(
            authentication.request(
                to: request.endpoint, parameters: request.grant.parameters, format: request.format, names: names))
    }

    /// The redactor learns what was issued before anything is said about the response: a server may repeat it anywhere.
    private func attempt(
        _ request: HTTPRequest, withCertificate: Bool = true
    ) throws(Failure) -> Result<EndpointResponse, HTTPError> {
        let client = try transport.client()
        do throws(HTTPError) {
            let response = EndpointResponse(
                try client.send(request, maximumBody: Self.limit, withCertificate: withCertificate))
            for secret in response.secrets { diagnostics.redactor.add(secret) }
            return .success(response)
        } catch {
            return .failure(error)
        }
    }
}
