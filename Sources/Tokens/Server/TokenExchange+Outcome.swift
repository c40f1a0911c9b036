internal import Calls
package import Errands
package import OAuth
internal import Wire
package import Shell

/// What becomes of the outcome of a token request.
extension TokenExchange {
    /// Revokes the tokens of an outcome that cannot be used, and returns the token of another.
    ///
    /// - Throws: every other outcome.
    package func finish(_ outcome: Outcome) -> Attempt<IssuedToken, Failure> {
        let result = result(of: outcome)
        guard let ending = revocation(of: outcome) else { return .done(result) }
        return ending.then { end in .done(result.mapError { $0.followed(by: end) }) }
    }

    /// The token of an outcome, or what another outcome means for the command.
    package func result(of outcome: Outcome) -> Result<IssuedToken, Failure> {
        switch outcome {
        case .token(let token): return .success(token)
        case .refused(let error): return .failure(failure(error))
        case .lost(let error):
            return .failure(advice.failure(.lost(error, from: request.endpoint), stake: stake))
        case .unusable(let fault, let refreshToken, _):
            let isUsedUp = request.grant.kind.isSpent && (refreshToken != nil || !renews)
            let end = isUsedUp ? "the \(renews ? "refresh token" : "code") is used up: log in again" : nil
            return .failure(advice.failure(fault, end: end))
        }
    }

    /// Revokes the tokens of an outcome that cannot be used; nil where none are to be revoked.
    func revoking(_ outcome: Outcome) -> Errand<Void>? {
        revocation(of: outcome)?.then { [diagnostics = transport.diagnostics] end in
            diagnostics.tell(end)
            return .done(())
        }
    }

    /// Revokes the tokens of an outcome that cannot be used, and says what came of it.
    private func revocation(of outcome: Outcome) -> Errand<String>? {
        guard case .unusable(_, _, let revocation?) = outcome else { return nil }
        return revocation.run().then { end in
            // A refresh token of a renewal is kept.
            let (what, were, stay) =
                renews ? ("the new access token", "was", "stays") : ("the new tokens", "were", "stay")
            let problem = (end.failure ?? end.unsupported).map {
                "\(what) could not be revoked and \(stay) valid: \($0.message)"
            }
            return .done(problem ?? "\(what) \(were) revoked at the server")
        }
    }

    /// Whether the server may have replaced the refresh token without the new one having arrived.
    package func isDoubtful(_ outcome: Outcome) -> Bool {
        switch outcome {
        case .token, .unusable(_, _?, _): false
        case .lost(let error): error.requestSent
        case .refused(let error): error.status ?? 0 >= 500 || error.status == 408
        case .unusable(_, nil, _): true
        }
    }

    /// Whether a further request may bring what this one did not. What may arrive only once is not sent again.
    func mayRepeat(_ outcome: Outcome, as policy: RetryPolicy) -> Bool {
        let isOnce = policy.repetition == .unsent || repetition == .unsent || !grantAssertions.isEmpty
        return switch outcome {
        case .lost(let error): policy.limit > 0 && !(error.requestSent && isOnce)
        case .refused: policy.limit > 0 && isDoubtful(outcome) && !isOnce
        case .token, .unusable: false
        }
    }

    /// Whether the server says that the refresh token does not work any more.
    func hasRefusedToken(_ error: OAuthError) -> Bool { renews && request.grant.isRefused(by: error) }

    /// What a refusal means for the command. It is about the client or about the grant (RFC 6749 §5.2).
    package func failure(_ error: OAuthError) -> Failure {
        let isOfClient = error.concernsClient && !hasRefusedToken(error)
        var error = isOfClient ? server.withHint(for: error) : request.grant.withHint(for: error)
        // Some servers take a JWT whose times are wrong for a bad grant or a bad request.
        let mayBeTimes = !renews && ["invalid_grant", "invalid_request"].contains(error.code)
        if mayBeTimes, error.hint == nil || !assertions.isEmpty {
            error = server.clocked(error, isAssertion: !assertions.isEmpty) ?? error
        }
        if error.hint == nil, !error.isTransient { error.hint = hintForStatic }
        return advice.failure(.refused(error), stake: stake)
    }

    /// What to do where the source of an assertion gives the same one again, which may have been refused for that.
    private var hintForStatic: String? {
        let once = "which a server may take only once: it may have been used already"
        if request.grant.assertions.contains(where: input.isStatic) { return "the job has one identity, \(once)" }
        let path = grantAssertions.lazy.compactMap { keptFile(of: $0) }.first
        return path.map { "\($0) holds one token, \(once)" }
    }

    /// The failure for a request without a response, whose grant has expired: nothing is lost with it.
    func silence(_ error: HTTPError) -> Failure { Failure(error, stake: .repeatable, of: request.endpoint) }
}

extension TokenExchange {
    /// The assertions of the grant, and tokens to exchange that a file holds: their type is mostly a guess.
    var grantAssertions: [String] {
        let known = request.grant.assertions
        let others = ["subject_token", "actor_token"].filter { name in
            !known.contains(name) && request.grant.parameters[name] != nil && keptFile(of: name) != nil
        }
        return known + others
    }

    /// The path of the file that holds a secret, which may hold another one by the next request.
    private func keptFile(of name: String) -> String? {
        if case .file(let path, isKept: true)? = try? input.source(of: name) { path } else { nil }
    }
}
