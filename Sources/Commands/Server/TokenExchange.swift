internal import Errands
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

    /// The outcome of a request.
    enum Outcome {
        /// A token that passed every check.
        case token(IssuedToken)
        /// An error response.
        case refused(OAuthError)
        /// A response that cannot be used. A refresh token in it replaces the one that was sent; its other tokens are to be
        /// revoked.
        case unusable(Failure, refreshToken: String?, revocation: TokenRevocation?)
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

    /// Whether the grant is that of a refresh token.
    var renews: Bool { request.grant.kind.renews }

    /// The refresh token that is sent; nil for another grant.
    var refreshToken: String? { request.grant.parameters["refresh_token"] }

    /// Fetches the keys for an ID token, while the grant is still unused.
    ///
    /// - Parameter task: what it is for, in the message before a pause.
    /// - Returns: the exchange with the keys, if it needs any.
    /// - Throws: exit 6, 9, 10 or 11 without keys.
    func withKeys(for task: String? = nil) -> Attempt<TokenExchange, Failure> {
        attempting { () throws(Failure) in
            guard let request = idTokenCheck?.keysRequest else { return .done(.success(self)) }
            return try transport.asked(request, for: task).then { result in
                attempting { () throws(Failure) in
                    var exchange = self
                    try exchange.idTokenCheck?.receiveKeys(result, isForToken: false)
                    return .done(.success(exchange))
                }
            }
        }
    }

    /// Sends the token request, once.
    ///
    /// - Parameters:
    ///   - task: what it is for, in the message before a pause.
    ///   - hold: begins now, and goes on if there is a token, which the caller stores.
    /// - Throws: exit 11 without random bytes, exit 2 or 11 for a transport that cannot be set up.
    func attempt(for task: String? = nil, holding hold: SignalHold? = nil) throws(Failure) -> Errand<Outcome> {
        let start = Clock.now
        let moment = try server.moment()
        let message = try lift(
            try server.authentication.request(
                to: request.endpoint, parameters: request.grant.parameters, format: request.format,
                names: server.names, at: moment))
        let asked = try transport.asked(ServerRequest(message: message), for: task)
        hold?.begin()
        return asked.then { receive($0, start) }.then { outcome in
            if case .token = outcome {} else { hold?.end() }
            return .done(outcome)
        }
    }

    /// Takes the response to the token request.
    ///
    /// - Parameter start: when the request was sent, in seconds since 1970.
    private func receive(_ result: ServerRequest.Result, _ start: Int) -> Errand<Outcome> {
        let answer: HTTPResponse
        do throws(HTTPError) { answer = try result.get() } catch { return .done(.lost(error)) }
        let response = transport.diagnostics.redactor.learn(answer)
        do throws(OAuthError) {
            let token = try TokenResponse(response, expecting: request.expectation)
            let serverTime = answer.head.headers.first("Date").flatMap { HTTPDate($0, now: 0)?.seconds }
            return check(token, start, serverTime)
        } catch {
            guard error.kind != .oauth, error.kind != .httpStatus else {
                // An error is about the client or about the grant (RFC 6749 §5.2).
                return .done(.refused(error.concernsClient ? server.explained(error) : request.grant.explained(error)))
            }
            let tokens = response.issuedTokens(shape: request.expectation.shape)
            let isBadIDToken = [.idTokenMissing, .idTokenMalformed].contains(error.kind)
            let rejected = isBadIDToken && tokens["access_token"] != nil ? tokens : nil
            return .done(unusable(failure(error), refreshToken: tokens["refresh_token"]?.string, rejecting: rejected))
        }
    }

    /// Checks a token response, after newer keys for its ID token are fetched if it needs them.
    private func check(_ response: TokenResponse, _ start: Int, _ serverTime: Int?) -> Errand<Outcome> {
        do throws(Failure) {
            var check = idTokenCheck
            try transport.diagnostics.warn(response.warnings)
            guard let request = try check?.receive(response) else {
                return .done(checked(response, by: check, start, serverTime))
            }
            return try transport.asked(request).then { [check] keys in
                do throws(Failure) {
                    var check = check
                    try check?.receiveKeys(keys, isForToken: true)
                    return .done(checked(response, by: check, start, serverTime))
                } catch {
                    return .done(rejected(response, by: check, error, start, serverTime))
                }
            }
        } catch {
            return .done(rejected(response, by: idTokenCheck, error, start, serverTime))
        }
    }

    private func checked(
        _ response: TokenResponse, by check: IDTokenCheck?, _ start: Int, _ serverTime: Int?
    ) -> Outcome {
        do throws(Failure) {
            return issued(response, claims: try check?.check(response, now: Clock.now), start)
        } catch {
            return rejected(response, by: check, error, start, serverTime)
        }
    }

    /// The outcome of a response whose ID token fails a check.
    private func rejected(
        _ response: TokenResponse, by check: IDTokenCheck?, _ failure: Failure, _ start: Int, _ serverTime: Int?
    ) -> Outcome {
        if let warning = check?.warning(droppingTokenOf: response, after: failure, now: Clock.now),
            (try? transport.diagnostics.warn([warning])) != nil
        {
            return issued(response.withoutIDToken, claims: nil, start)
        }
        var rejected: JSONObject = ["access_token": .string(response.accessToken)]
        rejected["refresh_token"] = response.refreshToken.map { .string($0) }
        return unusable(
            clocked(failure, serverTime), refreshToken: response.refreshToken, rejecting: rejected)
    }

    private func issued(_ response: TokenResponse, claims: JSONObject?, _ start: Int) -> Outcome {
        .token(
            IssuedToken(response, for: request.grant, by: server.authentication.method, start: start, claims: claims))
    }

    /// The outcome of a response that cannot be used. What it issued is revoked if the document has the endpoint: it is not
    /// stored.
    private func unusable(_ failure: Failure, refreshToken: String?, rejecting tokens: JSONObject?) -> Outcome {
        var revocation: TokenRevocation?
        if !renews, let tokens, Revocation.isOffered(by: input.document) {
            var members = input.document.members
            for member in tokens.members { members[member.name] = member.value }
            revocation = try? TokenRevocation(of: input.with(members), type: nil, over: transport)
        }
        return .unusable(failure, refreshToken: refreshToken, revocation: revocation)
    }

    /// A failure of an ID token's times, with how far the clocks of this machine and of the server are apart.
    private func clocked(_ failure: Failure, _ serverTime: Int?) -> Failure {
        guard failure.cause == .clock, let serverTime else { return failure }
        let ahead = Clock.now - serverTime
        guard abs(ahead) > IDToken.Expectation.tolerance else { return failure }
        var failure = failure
        failure.hint =
            "correct the clock of this machine: it is \(abs(ahead)) s \(ahead > 0 ? "ahead of" : "behind") the server's"
        return failure
    }

    /// The token of an outcome, after what cannot be used is revoked.
    ///
    /// - Throws: every other outcome.
    func settled(_ outcome: Outcome) -> Attempt<IssuedToken, Failure> {
        switch outcome {
        case .token(let token): return .done(.success(token))
        case .refused(let error): return .done(.failure(failure(error)))
        case .lost(let error): return .done(.failure(undecided(Failure(error, stake: stake, of: request.endpoint))))
        case .unusable(var failure, let refreshToken, let revocation):
            if request.grant.kind.isSpent, refreshToken != nil || !renews {
                let end = "the \(renews ? "refresh token" : "code") is used up: log in again"
                failure.hint = failure.hint.map { "\($0); \(end)" } ?? end
            }
            guard let revocation else { return .done(.failure(failure)) }
            return revocation.run().then { [diagnostics = transport.diagnostics, failure] end in
                let problem = end.failure.map { "the new tokens could not be revoked and stay valid: \($0.message)" }
                diagnostics.tell(problem ?? "the new tokens were revoked at the server")
                return .done(.failure(failure))
            }
        }
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
