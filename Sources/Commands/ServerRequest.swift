internal import HTTP
internal import OAuth
internal import Wire

/// Requests to the endpoints of the authorization server: one attempt each, no redirect, a bounded answer.
struct ServerRequest {
    /// The most bytes of an answer.
    static let limit = 1 << 20

    /// Who asks.
    let authentication: ClientAuthentication
    /// What sends.
    let client: HTTPClient
    /// Masks what was sent and must not be shown.
    let redactor: Redactor
    /// What the server calls its parameters.
    let names: ParameterNames

    /// Makes ready to ask as the client of a document.
    ///
    /// - Parameter others: further secrets that no trace may show.
    init(of input: Input, session: Session, hiding others: [String]) throws(Failure) {
        let secrets = input.secrets
        if let warning = try secrets.foreignSecretWarning() { try session.diagnostics.warn([warning]) }
        names = try Failure.lifting(input.document) { () throws(OAuthError) in try ParameterNames(of: input.document) }
        var problem: Failure?
        authentication = try Failure.lifting(input.document) { () throws(OAuthError) in
            try ClientAuthentication(of: input.document) { () throws(OAuthError) in
                do throws(Failure) {
                    return try secrets.value("client_secret")
                } catch {
                    problem = error
                    return nil
                }
            }
        }
        if let problem { throw problem }
        redactor = Redactor(secrets: authentication.secrets + others)
        client = try session.client(redactor)
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
            return try client.send(request, maximumBody: Self.limit)
        } catch {
            throw Failure(error, stake: stake)
        }
    }

    /// The same, for whom it matters why there is no answer.
    func answer(
        to parameters: Parameters, at endpoint: Endpoint, as format: RequestFormat
    ) throws(HTTPError) -> HTTPResponse {
        try client.send(
            authentication.request(to: endpoint, parameters: parameters, format: format, names: names),
            maximumBody: Self.limit)
    }
}
