internal import OAuth
internal import System
internal import Wire

/// A request to the token endpoint. Whatever can fail beforehand is done beforehand: a code or a refresh token can be
/// used only once.
struct TokenExchange {
    /// The bytes to reserve for a new token before the old one is used.
    static let room = 65_536

    private let server: AuthorizationServer
    private var request: TokenRequest
    private var idTokenCheck: IDTokenCheck?
    private let stake: Stake
    private let transport: Transport
    private let input: Input
    /// The tokens of a response that fails a check.
    private var rejected: JSONObject?
    /// When the request was sent, in seconds since 1970.
    private var start = 0
    /// What the clock of the server said in its response, in seconds since 1970.
    private var serverTime: Int?
    /// The response while newer keys for its ID token are fetched.
    private var waiting: TokenResponse?

    /// What to do after a response.
    enum Step {
        /// Send this request, and report its response too.
        case send(ServerRequest)
        /// The exchange is over.
        case finished(Outcome)
    }

    /// The outcome of a request.
    enum Outcome {
        /// A token that passed every check.
        case token(IssuedToken)
        /// An error response.
        case refused(OAuthError)
        /// A response that cannot be used. A refresh token in it replaces the one that was sent.
        case unusable(Failure, refreshToken: String?)
        /// No response.
        case lost(HTTPError)
    }

    /// Makes the request: checks the endpoint, finds the secret. Nothing is sent.
    ///
    /// - Throws: exit 2, 3, 9 or 11.
    init(_ grant: Grant, input: Input, over transport: Transport) throws(Failure) {
        (self.transport, self.input) = (transport, input)
        stake = grant.kind.isSpent ? .spends : .repeatable
        for secret in grant.secrets { transport.diagnostics.redactor.add(secret) }
        request = try lift(try TokenRequest(grant, of: input.document))
        server = try AuthorizationServer(of: input, over: transport, isNamed: !grant.kind.identifiesClient)
        // RFC 6749 §4.4: only a client that authenticates.
        if grant.kind.isOfClient, server.authentication.method == .none,
            input.document.members["token_endpoint_auth_method"]?.isNull ?? true
        {
            throw Failure(input.document.missing("client_secret"))
        }
        idTokenCheck = try IDTokenCheck(of: grant, input: input, server: server, try transport.cache())
        request.expectation.verifiesIDToken = idTokenCheck != nil
    }

    /// The request for the keys for an ID token, to be sent while the grant is still unused; nil if none are needed.
    var keysRequest: ServerRequest? { idTokenCheck?.keysRequest }

    /// Takes the keys.
    ///
    /// - Throws: exit 6, 9, 10 or 11 without keys.
    mutating func receiveKeys(_ result: ServerRequest.Result) throws(Failure) {
        try idTokenCheck?.receiveKeys(result, isForToken: false)
    }

    /// The token request, to be sent once and now.
    ///
    /// - Throws: exit 11 without random bytes.
    mutating func tokenRequest() throws(Failure) -> ServerRequest {
        start = Clock.now
        let (authentication, names, moment) = (server.authentication, server.names, try server.moment())
        return ServerRequest(
            message: try lift(
                try authentication.request(
                    to: request.endpoint, parameters: request.grant.parameters, format: request.format, names: names,
                    at: moment)))
    }

    /// Takes the response to the token request, or to the request of the last step.
    mutating func receive(_ result: ServerRequest.Result) -> Step {
        if let response = waiting.take() { return check(response, keys: result) }
        let response: EndpointResponse
        switch result {
        case .success(let answer):
            response = server.parse(answer)
            serverTime = answer.head.headers.first("Date").flatMap { HTTPDate($0, now: 0)?.seconds }
        case .failure(let error): return .finished(.lost(error))
        }
        do throws(OAuthError) {
            return check(try TokenResponse(response, expecting: request.expectation), keys: nil)
        } catch {
            guard error.kind != .oauth, error.kind != .httpStatus else {
                // An error is about the client or about the grant (RFC 6749 §5.2).
                return .finished(
                    .refused(error.concernsClient ? server.explained(error) : request.grant.explained(error)))
            }
            let tokens = response.issuedTokens(shape: request.expectation.shape)
            if [.idTokenMissing, .idTokenMalformed].contains(error.kind), tokens["access_token"] != nil {
                rejected = tokens
            }
            let rotated = tokens["refresh_token"]?.string
            return .finished(.unusable(failure(error), refreshToken: rotated))
        }
    }

    /// Checks a token response, unless newer keys must be fetched first.
    ///
    /// - Parameter keys: the keys that were fetched for it.
    private mutating func check(_ response: TokenResponse, keys: ServerRequest.Result?) -> Step {
        do throws(Failure) {
            if let keys {
                try idTokenCheck?.receiveKeys(keys, isForToken: true)
            } else {
                try server.diagnostics.warn(response.warnings)
                if let request = try idTokenCheck?.receive(response) {
                    waiting = response
                    return .send(request)
                }
            }
            return issued(response, claims: try idTokenCheck?.check(response, now: Clock.now))
        } catch {
            if let warning = idTokenCheck?.warning(droppingTokenOf: response, after: error, now: Clock.now),
                (try? server.diagnostics.warn([warning])) != nil
            {
                return issued(response.withoutIDToken, claims: nil)
            }
            rejected = ["access_token": .string(response.accessToken)]
            rejected?["refresh_token"] = response.refreshToken.map { .string($0) }
            return .finished(.unusable(clocked(error), refreshToken: response.refreshToken))
        }
    }

    private func issued(_ response: TokenResponse, claims: JSONObject?) -> Step {
        .finished(
            .token(
                IssuedToken(
                    response, for: request.grant, by: server.authentication.method, start: start, claims: claims)))
    }

    /// A failure of an ID token's times, with how far the clocks of this machine and of the server are apart.
    private func clocked(_ failure: Failure) -> Failure {
        guard failure.cause == .clock, let serverTime else { return failure }
        let ahead = Clock.now - serverTime
        guard abs(ahead) > IDToken.Expectation.tolerance else { return failure }
        var failure = failure
        failure.hint =
            "correct the clock of this machine: it is \(abs(ahead)) s \(ahead > 0 ? "ahead of" : "behind") the server's"
        return failure
    }

    /// The token of an outcome.
    ///
    /// - Throws: every other outcome.
    func token(of outcome: Outcome) throws(Failure) -> IssuedToken {
        switch outcome {
        case .token(let token): return token
        case .refused(let error): throw failure(error)
        case .lost(let error): throw undecided(Failure(error, stake: stake, of: request.endpoint))
        case .unusable(var failure, let refreshToken):
            let kind = request.grant.kind
            if !kind.renews { revokeRejected() }
            if kind.isSpent, refreshToken != nil || !kind.renews {
                let end = "the \(kind.renews ? "refresh token" : "code") is used up: log in again"
                failure.hint = failure.hint.map { "\($0); \(end)" } ?? end
            }
            throw failure
        }
    }

    /// Revokes the tokens of a response that fails a check, if the document has the endpoint: they are not stored.
    private func revokeRejected() {
        guard let rejected, Revocation.isOffered(by: input.document) else { return }
        var members = input.document.members
        for member in rejected.members { members[member.name] = member.value }
        let outcome = try? TokenRevocation(of: input.with(members), type: nil, over: transport).run()
        let isRevoked = outcome.map { $0.failure == nil } ?? false
        transport.diagnostics.tell(
            isRevoked
                ? "the new tokens were revoked at the server" : "the new tokens could not be revoked and stay valid")
    }

    /// What an error of the server means for the command.
    func failure(_ error: OAuthError) -> Failure { undecided(Failure(error, stake: stake)) }

    /// The failure for a request without a response, whose grant has expired: nothing is lost with it.
    func silence(_ error: HTTPError) -> Failure { Failure(error, stake: .repeatable, of: request.endpoint) }

    /// A failure; if the outcome is unknown, with what to do about the grant.
    private func undecided(_ failure: Failure) -> Failure {
        guard failure.exit == .unknownOutcome, let hint = request.grant.kind.lossHint else { return failure }
        var failure = failure
        (failure.hint, failure.cause) = (hint, .grant)
        return failure
    }
}

extension TokenExchange {
    /// Fetches the keys for an ID token, while the grant is still unused.
    ///
    /// - Throws: every failure to fetch them.
    mutating func prepare() throws(Failure) {
        if let request = keysRequest { try receiveKeys(try transport.send(request)) }
    }

    /// Sends the request once, and waits for its outcome.
    ///
    /// - Throws: exit 2 or 11 for a transport that cannot be set up.
    mutating func attempt() throws(Failure) -> Outcome {
        var next = try tokenRequest()
        while true {
            switch receive(try transport.send(next)) {
            case .send(let request): next = request
            case .finished(let outcome): return outcome
            }
        }
    }
}

extension Input {
    /// A grant of the document.
    ///
    /// - Parameters:
    ///   - scope: a narrower scope, for a renewal.
    ///   - isRepeated: whether it brought the token of the document.
    ///   - extra: non-standard parameters (`--param`).
    /// - Throws: exit 2 or 3 for an unsuitable document, exit 8 for a refresh without a refresh token.
    func grant(
        _ kind: Grant.Kind, scope: String? = nil, isRepeated: Bool = false, extra: [(name: String, value: String)]
    ) throws(Failure) -> Grant {
        var secrets: [String: String] = [:]
        for name in kind.secretMembers { secrets[name] = try secret(name) }
        let supplement = Grant.Kind.Supplement(secrets: secrets, scope: scope, isRepeated: isRepeated)
        var grant = try lift(try Grant(kind, of: document, supplement))
        try lift(try grant.addExtra(extra, of: document))
        if let name = kind.secretMembers.first, grant.parameters[name] == nil { throw Failure(document.missing(name)) }
        return grant
    }
}
