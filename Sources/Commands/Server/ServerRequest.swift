internal import HTTP
internal import OAuth
internal import Redaction
internal import Wire

/// Requests to the endpoints of the authorization server: one attempt each, no redirect, a bounded answer.
struct ServerRequest {
    /// The most bytes of an answer.
    static let limit = 1 << 20

    /// Who asks.
    let authentication: ClientAuthentication
    /// What sends.
    let client: HTTPClient
    /// What the server calls its parameters.
    let names: ParameterNames
    private let redactor: Redactor

    /// Makes ready to ask as the client of a document.
    init(of input: Input, session: Session) throws(Failure) {
        if let warning = try input.foreignSecretWarning() { try session.diagnostics.warn([warning]) }
        names = try Failure.lifting(input.document) { () throws(OAuthError) in try ParameterNames(of: input.document) }
        var problem: Failure?
        authentication = try Failure.lifting(input.document) { () throws(OAuthError) in
            try ClientAuthentication(of: input.document) { () throws(OAuthError) in
                do throws(Failure) {
                    return try input.secret("client_secret")
                } catch {
                    problem = error
                    return nil
                }
            }
        }
        if let problem { throw problem }
        redactor = session.redactor
        for secret in authentication.secrets { redactor.add(secret) }
        client = try session.client()
    }

    /// Sends parameters to an endpoint.
    ///
    /// - Throws: exit 6, 9, 10, 11 or 12 where there is no answer.
    func send(
        _ parameters: Parameters, to endpoint: Endpoint, as format: RequestFormat = .form, stake: Stake
    ) throws(Failure) -> HTTPResponse {
        try send(
            authentication.request(to: endpoint, parameters: parameters, format: format, names: names), stake: stake)
    }

    /// Sends a request that is complete.
    ///
    /// - Throws: exit 6, 9, 10, 11 or 12 where there is no answer.
    func send(_ request: HTTPRequest, stake: Stake) throws(Failure) -> HTTPResponse {
        do throws(HTTPError) {
            return try sent(request)
        } catch {
            throw Failure(error, stake: stake)
        }
    }

    /// Sends parameters to an endpoint; throws the transport error unconverted, for callers that retry.
    func answer(
        to parameters: Parameters, at endpoint: Endpoint, as format: RequestFormat
    ) throws(HTTPError) -> HTTPResponse {
        try sent(authentication.request(to: endpoint, parameters: parameters, format: format, names: names))
    }

    /// The redactor learns what was issued before anything is said about the response: a server may repeat it anywhere.
    private func sent(_ request: HTTPRequest) throws(HTTPError) -> HTTPResponse {
        let response = try client.send(request, maximumBody: Self.limit)
        for secret in IssuedSecrets(in: response.body).values { redactor.add(secret) }
        return response
    }
}
