internal import JOSE
internal import Errands
internal import Members
internal import OAuth
internal import System
internal import Wire

/// The authorization server as the client of a document sees it: one attempt for each request, no redirect, a bounded
/// response.
struct AuthorizationServer {
    /// How the client proves itself.
    let authentication: ClientAuthentication
    /// What the server calls its parameters.
    let names: ParameterNames
    /// Where its secret came from, for messages; nil without one.
    private let secretPlace: String?
    /// Whether the client has a secret that its method does not send.
    private let hasIdleSecret: Bool
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
        self.transport = transport
        var input = input
        if let warning = try input.foreignSecretWarning() {
            input.document.hasForeignSecret = true
            try transport.diagnostics.warn([warning])
        }
        names = try lift(try ParameterNames(of: input.document))
        let member = try lift(try ClientAuthentication.secretMember(of: input.document, isNamed: isNamed))
        let secret: String? = if let member { try input.secret(member) } else { nil }
        if member == nil { try input.refuseIdleSecret(transport.diagnostics) }
        authentication = try lift(
            try ClientAuthentication(of: input.document, secret: secret, at: endpoint, isNamed: isNamed))
        secretPlace = secret == nil ? nil : input.place(of: member ?? "")
        hasIdleSecret = member == nil && input.document.members["client_secret"]?.isNull == false
        for secret in authentication.secrets { diagnostics.redactor.add(secret) }
        // RFC 7591 §3.2.1; 0 is no end.
        let end = input.document.members["client_secret_expires_at"]?.integer ?? 0
        if secret != nil, end > 0, end <= Clock.now {
            try transport.diagnostics.warn([.other("the client_secret has expired; register the client again")])
        }
    }

    /// Where warnings go, and the redactor.
    var diagnostics: Diagnostics { transport.diagnostics }

    /// The answer to parameters, where repeating them does no harm.
    ///
    /// - Throws: exit 6, 9, 10 or 11 without a response.
    func answer(to parameters: Parameters, from endpoint: Endpoint) -> Attempt<EndpointResponse, Failure> {
        attempting { () throws(Failure) in
            let moment = try moment()
            return answer(
                to: try lift(
                    try authentication.request(to: endpoint, parameters: parameters, names: names, at: moment)),
                from: endpoint)
        }
    }

    /// The answer to a request that is complete and may be repeated.
    ///
    /// - Throws: exit 6, 9, 10 or 11 without a response.
    func answer(to message: HTTPRequest, from endpoint: Endpoint) -> Attempt<EndpointResponse, Failure> {
        transport.answer(to: ServerRequest(message: message, isRepeatable: true), from: endpoint)
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
        if error.code == "invalid_client", hasIdleSecret {
            let option = Member.option(for: "token_endpoint_auth_method")
            error.hint =
                """
                the client's secret is not sent, since token_endpoint_auth_method is none: try \(option) \
                client_secret_basic
                """
        }
        if error.code == "invalid_client", let secretPlace {
            error.hint = [error.hint, "the secret came from \(secretPlace)"].compactMap(\.self).joined(separator: "; ")
        }
        return error
    }

    /// The moment of one request.
    ///
    /// - Throws: exit 11 without random bytes.
    func moment() throws(Failure) -> RequestMoment {
        do throws(JOSEError) {
            return RequestMoment(now: Clock.now, random: try SecureRandom.bytes(32))
        } catch {
            throw Failure(error)
        }
    }
}

extension Input {
    /// Refuses a client secret that would not be sent, since the client authenticates without one: a caller who gives a
    /// secret expects it to be used. One of a variable may be meant for other commands.
    ///
    /// - Throws: exit 2 for a secret of an option; with `--strict`, exit 10 for one of a variable.
    fileprivate func refuseIdleSecret(_ diagnostics: Diagnostics) throws(Failure) {
        guard !document.isKept, !IDToken.usesSecret(document) else { return }
        let problem = "is not used: the token_endpoint_auth_method of the client is none"
        if document.origin(of: "client_secret_file") == .option {
            throw .usage(
                "--client-secret-file \(problem)",
                hint: "to send the secret, add --token-endpoint-auth-method client_secret_basic or client_secret_post")
        }
        if let variable = try secretVariable() { try diagnostics.warn([.other("\(variable) \(problem)")]) }
    }
}
