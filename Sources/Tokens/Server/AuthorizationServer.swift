package import Errands
internal import JOSE
internal import Members
package import OAuth
internal import System
package import Wire
package import Shell

/// The authorization server as the client of a document sees it: one attempt for each request, no redirect, a bounded
/// response.
package struct AuthorizationServer {
    package let authentication: ClientAuthentication
    /// What the client proves itself with, as it is known.
    package let identity: [String]
    /// The JWT that somebody else has signed for the client; nil for another client.
    let assertion: String?
    private let input: Input
    private let transport: Transport
    /// Whether the endpoint is asked about a token, or to end one.
    private let sendsToken: Bool
    /// What is odd about the client's secret.
    private let oddity: String?

    /// Finds out how the client of a document proves itself. Nothing is sent.
    ///
    /// - Parameters:
    ///   - endpoint: the member of the endpoint that is asked.
    ///   - isNamed: whether the request must name the client.
    /// - Throws: exit 2, 3 or 11 for a client that cannot prove itself.
    package init(
        of input: Input, over transport: Transport, at endpoint: String = "token_endpoint", isNamed: Bool = true
    ) throws(Failure) {
        self.transport = transport.serving(input.document)
        sendsToken = endpoint != "token_endpoint"
        try self.transport.checkRoute()
        var input = input
        let credential = try asFailure(ClientCredential(of: input.document, isNamed: isNamed))
        try input.warnOfIdleCredential(besides: credential, transport.diagnostics)
        let secret = if let credential { try input.secret(credential) } else { String?.none }
        assertion = credential == .assertion ? secret : nil
        let source = credential.flatMap { try? input.source(of: $0.member) }
        let variable: String? = if case .variable(let name) = source { name } else { nil }
        oddity = credential == .secret ? secret.flatMap { SecretText.doubt(of: $0, in: variable) } : nil
        if secret == nil { try Self.checkVariable(of: input, credential) }
        let passPhrase = credential == .key ? try input.secret(ClientCredential.passPhrase) : nil
        var proof = secret
        // Servers of Microsoft find the key by its certificate, which may have come as that of the connection.
        if credential == .key, let secret, let file = self.transport.ownRoute.certificateFile,
            let bytes = try? InputFile.read(file, limit: SecretText.limit)
        {
            let certificate = String(decoding: bytes, as: UTF8.self)
            proof = PublicKeyText.key(secret, passPhrase: passPhrase, withCertificateIn: certificate)
        }
        authentication = try asFailure(
            ClientAuthentication(
                of: input.document, secret: proof, passPhrase: passPhrase, at: endpoint, isNamed: isNamed))
        identity =
            [
                input.document.members["client_id"]?.text ?? "", authentication.method.rawValue,
                credential == .assertion ? "" : secret ?? "",
            ]
            + self.transport.certificateStamps
        for secret in authentication.secrets { transport.diagnostics.redactor.add(secret) }
        self.input = input
        try warnOfForeignIssuer(in: input.document, at: endpoint)
        guard let credential, secret != nil, let end = input.document.members[credential.endMember]?.integer, end > 0
        else { return }
        if end <= transport.world.seconds {
            try transport.diagnostics.warn([.other("the \(credential.member) has expired; register the client again")])
        }
    }

    /// Refuses an empty variable for the path of the client's secret, as one for the secret, unless the client has none.
    ///
    /// - Throws: exit 3.
    private static func checkVariable(of input: Input, _ credential: ClientCredential?) throws(Failure) {
        let (path, document) = ("\(ClientCredential.secret.member)_file", input.document)
        let mayHaveOne = document.members["token_endpoint_auth_method"]?.isNull ?? true || credential == .secret
        guard mayHaveOne, credential != .key, !document.hasCertificate, document.emptyVariables.contains(path),
            try !input.secrets.isForeign(to: document)
        else { return }
        throw Failure(
            .badInput, .usage, "\(Member.variable(for: path)) is set but empty",
            hint: "if no secret is needed, unset the variable")
    }

    /// Warns where the client's JWT is for an issuer that the document names, and goes to another host, which the document
    /// names too: whoever wrote it could use the JWT at the issuer. Metadata that was asked for in this process proves that
    /// they belong together; so did the login of a token that is kept.
    ///
    /// - Throws: with `--strict`.
    private func warnOfForeignIssuer(in document: Document, at endpoint: String) throws(Failure) {
        guard authentication.method.signsJWT, !document.isKept,
            document.members["assertion_audience"]?.string ?? "issuer" == "issuer",
            let issuer = document.members["issuer"]?.string, transport.metadata[issuer] == nil,
            let own = WebURL(issuer)?.host, let url = document.members[endpoint]?.string.flatMap({ WebURL($0) }),
            let host = url.host, host != own
        else { return }
        try transport.diagnostics.warn([
            .other(
                "the client's JWT is for \(issuer), but goes to \(url.withoutQuery), which only the document names")
        ])
    }

    /// The answer to a request that may be repeated. It is made for each attempt: a JWT of the client is sent once.
    ///
    /// - Throws: exit 6, 9, 10 or 11 without a response.
    package func answer(
        from endpoint: Endpoint, to make: @escaping (RequestMoment) throws(OAuthError) -> HTTPRequest
    ) -> Attempt<EndpointResponse, Failure> {
        attempting { () throws(Failure) in
            let moment = try moment()
            var request = ServerRequest(message: try asFailure(make(moment)), repetition: .always)
            request.sendsToken = sendsToken
            return transport.answer(to: request, from: endpoint) { [self] _ in
                // Somebody else's JWT is for one request.
                .done(assertion == nil ? (try? self.moment()).flatMap { try? make($0) } : nil)
            }.mapFailure { Failure($0) }
        }
    }

    /// The value of an expression about a response; an error that concerns the client says what to do.
    package func asHintedFailure<Value>(_ value: @autoclosure () throws(OAuthError) -> Value) throws(Failure) -> Value {
        do throws(OAuthError) { return try value() } catch { throw Failure(withHint(for: error)) }
    }

    /// Adds to an error of the server that concerns the client what to do about it, and where its secret came from.
    package func withHint(for error: OAuthError) -> OAuthError {
        guard error.concernsClient else { return error }
        if let clocked = clocked(error) { return clocked }
        var error = authentication.withHint(for: error)
        guard error.code == "invalid_client" else { return error }
        if let oddity { error.hint = "the secret \(oddity)" }
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
            error.hint = [error.hint, "the \(credential.noun) came from \(place)"].compactMap(\.self).joined(
                separator: "; ")
        }
        return error
    }

    /// An error that may be about the times of a JWT, with how far the clocks are apart; nil where they are not.
    ///
    /// - Parameter isAssertion: whether the request has another JWT than that of the client.
    package func clocked(_ error: OAuthError, isAssertion: Bool = false) -> OAuthError? {
        guard isAssertion || authentication.method.signsJWT,
            let hint = Clock.hint(error.serverTime, now: transport.world.seconds, tolerance: Self.tolerance)
        else { return nil }
        return changing(error) { $0.hint = hint }
    }

    /// How far the clocks may be apart, in seconds, until a JWT of the client, which is good for a minute, is refused for it.
    private static let tolerance = 30

    /// The moment of a request, which is made now: a JWT that is for one request stands in it.
    package func moment() throws(Failure) -> RequestMoment {
        input.spend(ClientCredential.assertion.member)
        return RequestMoment(now: transport.world.seconds, random: try transport.world.random(32))
    }
}
