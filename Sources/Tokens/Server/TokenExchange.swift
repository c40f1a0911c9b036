package import Errands
package import OAuth
internal import System
package import Wire
package import Shell

/// A request to the token endpoint. Whatever can fail beforehand is done beforehand: a code or a refresh token can be used
/// only once. ``TokenAttempts`` says how often it is sent.
package struct TokenExchange {
    /// The bytes to reserve for a new token before the old one is used.
    package static let room = 65_536

    package private(set) var server: AuthorizationServer
    package private(set) var request: TokenRequest
    private var idTokenCheck: JWTCheck?
    /// How the ID token is encrypted, where one is checked.
    private let decryption: JWTDecryption?
    /// Whether the grant asks for an ID token. Any other ID token is checked if the document says how.
    private let isIDTokenAsked: Bool
    package let stake: Stake
    /// The key that the token is to be bound to, and the proof of the last attempt.
    private let binding: DPoPBinding?
    private var proof: DPoPBinding.UnsignedProof?
    package let transport: Transport
    package let input: Input
    let advice: TokenAdvice

    package enum Outcome {
        /// A token that passed every check.
        case token(IssuedToken)
        /// An error response, as the server gave it.
        case refused(OAuthError)
        /// A response that cannot be used. A refresh token in it replaces the one that was sent; its other tokens are to be
        /// revoked.
        case unusable(ServerFault, refreshToken: String?, revocation: TokenRevocation?)
        case lost(HTTPError)
    }

    /// Makes the request: checks the endpoint, finds the secret. Nothing is sent.
    ///
    /// - Throws: exit 2, 3, 9 or 11.
    package init(
        _ grant: Grant, input: Input, over transport: Transport, advice: TokenAdvice = TokenAdvice()
    ) throws(Failure) {
        (self.transport, self.input, self.advice) = (transport.serving(input.document), input, advice)
        stake = grant.kind.isSpent ? .spends(hint: grant.kind.lossHint) : .repeatable
        for secret in grant.secrets { transport.diagnostics.redactor.add(secret) }
        request = try asFailure(TokenRequest(grant, of: input.document))
        server = try AuthorizationServer(of: input, over: transport, isNamed: !grant.kind.mayLackClient)
        binding = try input.binding()
        if binding == nil, try asFailure(input.document.isDPoPBound) {
            throw Failure(
                .loginNeeded, .nothingToRenewWith,
                "the token has no key, but its tokens are to be bound to one (\(DPoPBinding.keyMember))",
                hint: advice.login ?? "log in again")
        }
        // RFC 6749 §4.4: only a client that authenticates, be it by its certificate (RFC 8705 §2).
        if grant.kind.isOfClient, server.authentication.method == .none, !input.document.hasCertificate,
            input.document.members["token_endpoint_auth_method"]?.isNull ?? true
        {
            throw Failure(input.document.missing(.secret))
        }
        let asked = try asFailure(JWTExpectation(after: grant, of: input.document))
        isIDTokenAsked = asked != nil
        idTokenCheck = (asked ?? JWTExpectation(unaskedAfter: grant, of: input.document))
            .map { JWTCheck($0, of: input, over: transport, for: advice.task) }
        decryption = idTokenCheck == nil ? nil : try input.decryption(for: .idToken)
        request.expectation.verifiesIDToken = idTokenCheck != nil
    }

    /// Whether the grant is that of a refresh token.
    package var renews: Bool { request.grant.kind.renews }

    /// The refresh token that is sent; nil for another grant.
    package var refreshToken: String? { request.grant.parameters["refresh_token"] }

    /// Fetches the keys for an ID token, while the grant is still unused. A refresh goes on without: its answer may have no
    /// ID token (OpenID Connect Core §12.2).
    ///
    /// - Returns: the exchange with the keys, if it needs any.
    /// - Throws: exit 6, 9, 10 or 11 without keys.
    package func withKeys() -> Attempt<TokenExchange, Failure> {
        guard isIDTokenAsked, let idTokenCheck else { return .done(.success(self)) }
        return idTokenCheck.withKey(for: nil).then { result in
            switch result {
            case .success(let check): return .done(.success(changing(self) { $0.idTokenCheck = check }))
            case .failure(let fault): return .done(renews ? .success(self) : .failure(advice.failure(fault)))
            }
        }
    }

    /// The request as it is sent now.
    ///
    /// - Throws: exit 11 without random bytes.
    package mutating func message() throws(Failure) -> HTTPRequest {
        let moment = try server.moment()
        for name in request.grant.assertions { input.spend(name) }
        var message = try asFailure(
            server.authentication.request(
                to: request.endpoint, parameters: request.grant.parameters, format: request.format, at: moment))
        proof = try asFailure(binding?.proof(of: message, token: nil, now: transport.world.seconds))
        proof?.sign(&message)
        return message
    }

    /// Takes note of the nonce of an answer, whatever the answer is.
    ///
    /// - Returns: whether the server wants it in the proof of the request, which has used nothing up (RFC 9449 §8).
    @discardableResult
    func learn(from result: ServerRequest.Result) -> Bool {
        guard let binding, let proof, case .success(let answer) = result else { return false }
        return binding.learn(from: answer.head, body: answer.body, to: proof)
    }

    /// When the request may be sent again. What is used up is not, nor a password, for which the server may lock the account; a
    /// refresh token is not when it may be replaced; an assertion, only where another can be had.
    package var repetition: Repetition {
        let kind = request.grant.kind
        if kind.renews || !kind.isSpent && !kind.isKnown { return .deferred }
        let isFixed = assertions.map(\.name).contains { name in
            guard let source = try? input.source(of: name) else { return true }
            return if case .file(_, isKept: true) = source { false } else { !source.isFresh }
        }
        return kind.isSpent || kind.isOfPassword || isFixed ? .unsent : .always
    }

    /// What tells whether a server was asked the same before; too short for a guess at the secrets in it. What is fetched
    /// is another each time.
    ///
    /// - Parameter refreshToken: another one than that of the request.
    package func identity(with refreshToken: String? = nil) -> String {
        let printed = request.grant.assertions.filter { (try? input.source(of: $0))?.isFresh == true }
        let grant = refreshToken.map { request.grant.replacing(["refresh_token": $0]) } ?? request.grant
        let pairs = grant.parameters.pairs.filter { !printed.contains($0.name) }
        let texts = [request.endpoint.url.text] + server.identity + pairs.flatMap { [$0.name, $0.value] }
        return String(SpentToken.hash(JSON.strings(texts).text).prefix(3))
    }

    /// The assertions that are sent, by their members, with the JWT that somebody else has signed for the client.
    var assertions: [(name: String, value: String)] {
        let ofClient = server.assertion.map { [(ClientCredential.assertion.member, $0)] } ?? []
        return grantAssertions.compactMap { name in request.grant.parameters[name].map { (name, $0) } } + ofClient
    }

    /// This request with the secrets as they are now. A refresh token is the same.
    ///
    /// - Throws: exit 2, 3 or 11.
    func remade() -> Attempt<TokenExchange, Failure> {
        let kind = request.grant.kind
        let names = kind.renews ? [] : kind.secretMembers
        return input.unprinted.withCredential(and: names).reading { (input) throws(Failure) in
            var secrets: [String: String] = [:]
            for name in names { secrets[name] = try input.secret(name) }
            var exchange = self
            exchange.request = request.replacing(secrets)
            exchange.server = try AuthorizationServer(of: input, over: transport, isNamed: !kind.mayLackClient)
            return exchange
        }
    }

    /// - Parameter start: when the request was sent, in seconds since 1970.
    package func receive(_ result: ServerRequest.Result, _ start: Int) -> Errand<Outcome> {
        let answer: HTTPResponse
        do throws(HTTPError) { answer = try result.get() } catch { return .done(.lost(error)) }
        let response = transport.diagnostics.redactor.learn(answer)
        let serverTime = Clock.time(of: answer.head)
        do throws(OAuthError) {
            let token = try TokenResponse(response, expecting: request.expectation)
            return check(token, start, serverTime)
        } catch {
            var error = error
            // What may be wrong with the proof of a key: what it is compared with (RFC 9449 §4.3), or its nonce.
            if binding != nil, error.code == "invalid_dpop_proof" {
                error.hint = Clock.hintForProof(serverTime, now: transport.world.seconds)
            }
            if binding != nil, error.code == "use_dpop_nonce" { error.hint = Failure.hintForNonce }
            let tokens = response.issuedTokens(shape: request.expectation.shape)
            guard error.kind != .oauth, error.kind != .httpStatus, !tokens.members.isEmpty || !hasRefusedToken(error)
            else { return .done(.refused(error)) }
            if answer.head.status == 202, tokens.members.isEmpty, request.grant.kind.isPolled {
                // Accepted, and not done yet (RFC 9110 §15.3.3).
                return .done(.refused(OAuthError(.oauth, error.message, code: "authorization_pending", status: 202)))
            }
            return .done(unusable(.refused(error), rejecting: tokens))
        }
    }

    /// Checks a token response, after newer keys for its ID token are fetched if it needs them.
    private func check(_ response: TokenResponse, _ start: Int, _ serverTime: Int?) -> Errand<Outcome> {
        do throws(ServerFault) {
            try ServerFault.doing(transport.diagnostics.warn(response.warnings))
            guard var check = idTokenCheck, let idToken = response.idToken else {
                return .done(issued(response, idToken: response.idToken, claims: nil, start))
            }
            let text = try ServerFault.reading(decryption?.opened(idToken) ?? idToken)
            let token = try ServerFault.reading(JSONWebToken(parsing: text, as: .idToken))
            check.expected.accessToken = response.accessToken
            return check.withKey(for: token).then { result in
                do throws(ServerFault) {
                    let claims = try result.get().claims(checking: token)
                    return .done(issued(response, idToken: text, claims: claims, start))
                } catch {
                    let check = try? result.get()
                    return .done(
                        rejected(response, error, start, serverTime) { check?.takesAnyLogin(token) ?? renews })
                }
            }
        } catch {
            return .done(rejected(response, error, start, serverTime))
        }
    }

    /// The outcome of a response whose ID token fails a check. Three such ID tokens are dropped, with a warning: one that
    /// the grant did not ask for, one of a refresh for which no keys can be had, and one of a refresh that is of another
    /// login of the same user. Some servers know the time of the last login only, and OpenID Connect Core §12.2 wants that
    /// of the first.
    private func rejected(
        _ response: TokenResponse, _ fault: ServerFault, _ start: Int, _ serverTime: Int?,
        isReplaceable: () -> Bool = { false }
    ) -> Outcome {
        let reason = Failure(fault).message
        var warning: OAuthWarning?
        if idTokenCheck != nil, !isIDTokenAsked {
            warning = .idTokenDropped(reason: reason)
        } else if isReplaceable() {
            warning = .idTokenNotReplaced(reason: reason)
        }
        if let warning, (try? transport.diagnostics.warn([warning])) != nil {
            return issued(response, idToken: nil, claims: nil, start)
        }
        var rejected: JSONObject = ["access_token": .string(response.accessToken)]
        rejected["refresh_token"] = response.refreshToken.map { .string($0) }
        return unusable(clocked(fault, serverTime), rejecting: rejected)
    }

    private func issued(
        _ response: TokenResponse, idToken: String?, claims: JSONObject?, _ start: Int
    ) -> Outcome {
        .token(
            IssuedToken(
                response, idToken: idToken, claims: claims, for: request.grant, by: server.authentication.method,
                start: start, binding: binding))
    }

    /// The outcome of a response that cannot be used. What it issued is revoked if the document has the endpoint: it is not
    /// stored. But the refresh token of a renewal is, in the place of the one that was sent.
    private func unusable(_ fault: ServerFault, rejecting tokens: JSONObject) -> Outcome {
        var revocation: TokenRevocation?
        if !tokens.members.isEmpty, Revocation.isOffered(by: input.document) {
            var members = input.document.members
            members.remove(Member.of(.accessToken, .refreshToken))
            let issued = input.with(members.changed(by: tokens))
            revocation = try? TokenRevocation(of: issued, type: renews ? .access : nil, over: transport)
        }
        return .unusable(fault, refreshToken: tokens["refresh_token"]?.string, revocation: revocation)
    }

    /// A fault of an ID token's times, with how far the clocks of this machine and of the server are apart.
    private func clocked(_ fault: ServerFault, _ serverTime: Int?) -> ServerFault {
        guard case .refused(var error) = fault, error.cause == .clock,
            let hint = Clock.hint(serverTime, now: transport.world.seconds, tolerance: JWTExpectation.tolerance)
        else { return fault }
        error.hint = hint
        return .refused(error)
    }
}

extension Input {
    /// - Parameters:
    ///   - scope: a narrower scope, for a renewal.
    ///   - isRepeated: whether it brought the token of the document.
    ///   - extra: non-standard parameters (`--param`).
    /// - Throws: exit 2 or 3 for an unsuitable document, exit 8 for a refresh without a refresh token.
    package func grant(
        _ kind: Grant.Kind, scope: String? = nil, isRepeated: Bool = false, extra: [(name: String, value: String)]
    ) throws(Failure) -> Grant {
        var secrets: [String: String] = [:]
        for name in kind.secretMembers { secrets[name] = try secret(name) }
        let supplement = Grant.Kind.Supplement(secrets: secrets, scope: scope, isRepeated: isRepeated)
        var grant = try asFailure(Grant(kind, of: document, supplement))
        try asFailure(grant.addExtra(extra, of: document))
        if let name = kind.secretMembers.first, grant.parameters[name] == nil { throw Failure(document.missing(name)) }
        return grant
    }
}
