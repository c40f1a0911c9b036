package import Errands
package import OAuth
internal import Wire
package import Shell

/// Revokes the tokens of a document at the server, one after the other (RFC 7009).
package struct TokenRevocation {
    /// The tokens and their types, in the order in which they are revoked.
    private let tokens: [(type: Revocation.TokenType, token: String)]
    private let document: Document
    private let now: Int
    private let revocation: Revocation
    private let server: AuthorizationServer

    package struct Outcome {
        package var revoked: [Revocation.TokenType] = []
        /// The first failure; it names its token.
        package var failure: Failure?
        /// The failure of a server that cannot revoke tokens of a type; it names one.
        package var unsupported: Failure?
        /// Whether a request got no response, or one that may be another later.
        var isLost = false
        package var warnings: [OAuthWarning] = []
        /// The command lines of the requests, with `--dry-run`.
        package var lines: [String] = []

        /// Whether other tokens of the login are revoked too.
        package var revokesOthers = false

        package var names: [String] { revoked.map(\.rawValue) }
    }

    /// Finds endpoint, secret and tokens. Nothing is sent.
    ///
    /// - Parameter type: the one type to revoke; nil for all that the document has.
    /// - Throws: exit 2, 3, 9 or 11.
    package init(of input: Input, type: Revocation.TokenType?, over transport: Transport) throws(Failure) {
        let revocation = try asFailure(Revocation(of: input.document))
        if let type, !revocation.types.contains(type) {
            throw .usage("the server cannot revoke a \(type.rawValue)")
        }
        var tokens: [(type: Revocation.TokenType, token: String)] = []
        for type in type.map({ [$0] }) ?? revocation.types {
            if let token = try input.secret(type.rawValue) { tokens.append((type, token)) }
        }
        guard !tokens.isEmpty else { throw Failure(input.document.missing(type?.rawValue ?? "access_token")) }
        (self.revocation, self.tokens, document) = (revocation, tokens, input.document)
        now = transport.world.seconds
        let kind = input.document.members["grant_type"]?.string.map(Grant.Kind.init(named:))
        server = try AuthorizationServer(
            of: input, over: transport, at: "revocation_endpoint", isNamed: kind?.mayLackClient != true)
    }

    /// Sends the requests. If one token is refused, the other is still revoked.
    ///
    /// - Parameter hold: begins when a token is revoked, and goes on: the caller deletes it.
    package func run(holding hold: SignalHold? = nil) -> Errand<Outcome> { run(tokens[...], Outcome(), hold) }

    private func run(
        _ rest: ArraySlice<(type: Revocation.TokenType, token: String)>, _ outcome: Outcome, _ hold: SignalHold?
    ) -> Errand<Outcome> {
        guard let (type, token) = rest.first else { return .done(outcome) }
        return send(token, of: type).then { result in
            var outcome = outcome
            switch result {
            case .success(let response):
                take(response, of: type, into: &outcome)
                if outcome.isLost { return .done(outcome) }
                if !outcome.revoked.isEmpty { hold?.begin() }
            case .failure(let error):
                guard let line = error.shown else {
                    outcome.failure = outcome.failure ?? error.naming(type)
                    outcome.isLost = true
                    // A server that cannot be reached is not asked again.
                    return .done(outcome)
                }
                outcome.lines.append(line)
            }
            return run(rest.dropFirst(), outcome, hold)
        }
    }

    private func take(_ response: EndpointResponse, of type: Revocation.TokenType, into outcome: inout Outcome) {
        do throws(OAuthError) {
            outcome.warnings += try revocation.check(response)
            outcome.revoked.append(type)
        } catch {
            // Some servers revoke one type only (RFC 7009 §2.2.1); with the first gone there is nothing more to do.
            let failure = Failure(server.withHint(for: error)).naming(type)
            if error.code == "unsupported_token_type" {
                if outcome.revoked.isEmpty { outcome.unsupported = outcome.unsupported ?? failure }
                return
            }
            outcome.failure = outcome.failure ?? failure
            outcome.isLost = failure.exit == .unavailable
        }
    }

    /// Revokes the other tokens of a login, then its own; see `run`.
    package static func all(
        of input: Input, over transport: Transport, holding hold: SignalHold? = nil
    ) -> Attempt<Outcome, Failure> {
        attempting { () throws(Failure) in
            let own = try TokenRevocation(of: input, type: nil, over: transport)
            let derived = DerivedToken.live(in: input.document.members, now: transport.world.seconds)
            return others(derived[...], of: input, over: transport).onward { (others) throws(Failure) in
                guard !others.isLost else { return .done(.success(others)) }
                return own.run(holding: hold).then { outcome in
                    var outcome = outcome
                    outcome.lines = others.lines + outcome.lines
                    outcome.revokesOthers = others.revokesOthers
                    outcome.failure = outcome.failure ?? others.failure
                    outcome.unsupported = outcome.unsupported ?? others.unsupported
                    return .done(.success(outcome))
                }
            }
        }
    }

    private static func others(
        _ rest: ArraySlice<JSONObject>, of input: Input, over transport: Transport, _ before: Outcome = Outcome()
    ) -> Attempt<Outcome, Failure> {
        guard let document = rest.first else { return .done(.success(before)) }
        return attempting { () throws(Failure) in
            let revocation = try TokenRevocation(of: input.with(document), type: nil, over: transport)
            return revocation.run().then { outcome in
                guard !outcome.isLost else { return .done(.success(outcome)) }
                var others = before
                others.lines += outcome.lines
                others.failure = others.failure ?? outcome.failure
                others.unsupported = others.unsupported ?? outcome.unsupported
                others.revokesOthers = others.failure == nil && others.unsupported == nil
                return Self.others(rest.dropFirst(), of: input, over: transport, others)
            }
        }
    }

    private func send(_ token: String, of type: Revocation.TokenType) -> Attempt<EndpointResponse, Failure> {
        server.answer(from: revocation.endpoint) { [revocation, server, document, now] moment throws(OAuthError) in
            var request = try revocation.request(for: token, of: type, by: server.authentication, at: moment)
            if revocation.carriesToken { try AccessToken(token, of: document).authorize(&request, now: now) }
            return request
        }
    }
}

extension Input {
    /// The token, with what the metadata of its issuer says if its document does not say where it is revoked.
    ///
    /// - Parameters:
    ///   - type: the one type to revoke; nil for all that the document has.
    ///   - isOptional: whether a server without metadata, or without the endpoint in it, will do.
    /// - Throws: exit 2 to 10 without metadata, or the endpoint; exit 6 if the server does not answer.
    package func completedForRevocation(
        of type: Revocation.TokenType? = nil, over transport: Transport, isOptional: Bool
    ) -> Attempt<Input, Failure> {
        let types = type.map { [$0] } ?? Revocation.TokenType.allCases
        return withCredential(and: types.map(\.rawValue)).onward { (input) throws(Failure) in
            guard !Revocation.isOffered(by: input.document) else { return .done(.success(input)) }
            let completed = input.completing(
                needing: ["revocation_endpoint"], over: transport, isOptional: isOptional)
            return completed.then { result in
                // Only a server that has no metadata, or no endpoint in it, has no way to revoke.
                guard isOptional, case .failure(let fault) = result, !fault.isUnavailable,
                    fault.error?.kind == .metadataMissing || (400..<500).contains(fault.status ?? 0)
                else { return .done(result.mapError { Failure($0) }) }
                transport.diagnostics.tell("warning: \(Failure(fault).message)")
                return .done(.success(input))
            }
        }
    }
}

extension Failure {
    /// The failure, with the type of its token in the message.
    fileprivate func naming(_ type: Revocation.TokenType) -> Failure {
        let assumption = "assume that the token is still valid"
        return prefixed("the \(type.rawValue) is not revoked: ")
            .advising(hint.map { "\(assumption); \($0)" } ?? assumption)
    }
}
