internal import JOSE
internal import Errands
internal import Members
internal import OAuth
internal import System
internal import Wire

/// The authorization server as the client of a document sees it: one attempt for each request, no redirect, a bounded
/// response.
struct AuthorizationServer {
    let authentication: ClientAuthentication
    private let input: Input
    private let transport: Transport

    /// Finds out how the client of a document proves itself. Nothing is sent.
    ///
    /// - Parameters:
    ///   - endpoint: the member of the endpoint that is asked.
    ///   - isNamed: whether the request must name the client.
    /// - Throws: exit 2, 3 or 11 for a client that cannot prove itself.
    init(
        of input: Input, over transport: Transport, at endpoint: String = "token_endpoint", isNamed: Bool = true
    ) throws(Failure) {
        self.transport = transport.serving(input.document)
        var input = input
        let credential = try lift(try ClientCredential(of: input.document, isNamed: isNamed))
        try input.warnOfIdleCredential(besides: credential, transport.diagnostics)
        let secret = if let credential { try input.secret(credential) } else { String?.none }
        authentication = try lift(
            try ClientAuthentication(of: input.document, secret: secret, at: endpoint, isNamed: isNamed))
        for secret in authentication.secrets { transport.diagnostics.redactor.add(secret) }
        self.input = input
        guard let credential, secret != nil, let end = input.document.members[credential.endMember]?.integer, end > 0
        else { return }
        if end <= Clock.now {
            try diagnostics.warn([.other("the \(credential.member) has expired; register the client again")])
        }
    }

    var diagnostics: Diagnostics { transport.diagnostics }

    /// The answer to parameters, where repeating them does no harm.
    ///
    /// - Throws: exit 6, 9, 10 or 11 without a response.
    func answer(to parameters: Parameters, from endpoint: Endpoint) -> Attempt<EndpointResponse, Failure> {
        attempting { () throws(Failure) in
            let moment = try moment()
            let request = try lift(try authentication.request(to: endpoint, parameters: parameters, at: moment))
            return answer(to: request, from: endpoint)
        }
    }

    /// The answer to a request that is complete and may be repeated.
    ///
    /// - Throws: exit 6, 9, 10 or 11 without a response.
    func answer(to message: HTTPRequest, from endpoint: Endpoint) -> Attempt<EndpointResponse, Failure> {
        transport.answer(to: ServerRequest(message: message, repetition: .always), from: endpoint)
            .mapFailure { Failure($0) }
    }

    /// The value of an expression about a response; an error that concerns the client says what to do.
    func explaining<Value>(_ value: @autoclosure () throws(OAuthError) -> Value) throws(Failure) -> Value {
        do throws(OAuthError) { return try value() } catch { throw Failure(explained(error)) }
    }

    /// Adds to an error of the server that concerns the client what to do about it, and where its secret came from.
    func explained(_ error: OAuthError) -> OAuthError {
        guard error.concernsClient else { return error }
        var error = authentication.explained(error)
        guard error.code == "invalid_client" else { return error }
        let credential = authentication.method.credential
        let members = input.document.members
        if credential == nil, ClientCredential.allCases.contains(where: { members[$0.member]?.isNull == false }) {
            let option = Member.option(for: "token_endpoint_auth_method")
            error.hint =
                """
                the client's secret is not sent, since token_endpoint_auth_method is none: try \(option) \
                \(ClientAuthentication.Method.basic.rawValue)
                """
        }
        if let credential, let place = input.place(of: credential.member)?.text {
            error.hint = [error.hint, "the secret came from \(place)"].compactMap(\.self).joined(separator: "; ")
        }
        return error
    }

    func moment() throws(Failure) -> RequestMoment {
        RequestMoment(now: Clock.now, random: try Failure.jose(try SecureRandom.bytes(32)))
    }
}
