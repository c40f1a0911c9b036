internal import OAuth
internal import System
internal import Wire

/// Revokes the tokens of a document at the server, one after the other (RFC 7009).
struct TokenRevocation {
    /// The tokens and their types, in the order in which they are revoked.
    private let tokens: [(type: Revocation.TokenType, token: String)]
    private let revocation: Revocation
    private let server: AuthorizationServer

    /// The result.
    struct Outcome {
        /// The types that are revoked.
        var revoked: [Revocation.TokenType] = []
        /// The first failure; it names its token.
        var failure: Failure?
        /// Whether a request got no response.
        var isLost = false
        /// Deviations that did not stop the work.
        var warnings: [OAuthWarning] = []
        /// The command lines of the requests, with `--dry-run`.
        var lines: [String] = []

        /// Whether other tokens of the login are revoked too.
        var revokesOthers = false

        /// The names of the types that are revoked.
        var names: [String] { revoked.map(\.rawValue) }
    }

    /// Finds endpoint, secret and tokens. Nothing is sent.
    ///
    /// - Parameter type: the one type to revoke; nil for all that the document has.
    /// - Throws: exit 2, 3, 9 or 11.
    init(of input: Input, type: Revocation.TokenType?, over transport: Transport) throws(Failure) {
        let revocation = try lift(try Revocation(of: input.document))
        if let type, !revocation.types.contains(type) {
            throw .usage("the server cannot revoke a \(type.rawValue)")
        }
        var tokens: [(type: Revocation.TokenType, token: String)] = []
        for type in type.map({ [$0] }) ?? revocation.types {
            if let token = try input.secret(type.rawValue) { tokens.append((type, token)) }
        }
        guard !tokens.isEmpty else { throw Failure(input.document.missing(type?.rawValue ?? "access_token")) }
        self.revocation = revocation
        self.tokens = tokens
        server = try AuthorizationServer(of: input, over: transport, at: "revocation_endpoint")
    }

    /// Sends the requests. If one token is refused, the other is still revoked.
    func run() -> Outcome {
        var outcome = Outcome()
        for (type, token) in tokens {
            let response: EndpointResponse
            do throws(Failure) {
                response = try send(token, of: type)
            } catch {
                if let line = error.shown {
                    outcome.lines.append(line)
                    continue
                }
                outcome.failure = outcome.failure ?? error.naming(type)
                outcome.isLost = true
                // A server that cannot be reached is not asked again.
                break
            }
            do throws(OAuthError) {
                outcome.warnings += try revocation.check(response)
                outcome.revoked.append(type)
            } catch {
                // Some servers revoke one type only (RFC 7009 §2.2.1); with the first gone there is nothing more to do.
                if error.code == "unsupported_token_type", !outcome.revoked.isEmpty { continue }
                outcome.failure = outcome.failure ?? Failure(server.explained(error)).naming(type)
            }
        }
        return outcome
    }

    /// Revokes the other tokens of a login, then its own.
    ///
    /// - Throws: as `init`.
    static func all(of input: Input, over transport: Transport) throws(Failure) -> Outcome {
        let own = try TokenRevocation(of: input, type: nil, over: transport)
        var others = Outcome()
        for document in DerivedToken.live(in: input.document.members, now: Clock.now) {
            let outcome = try TokenRevocation(of: input.with(document), type: nil, over: transport).run()
            guard !outcome.isLost else { return outcome }
            others.lines += outcome.lines
            others.failure = others.failure ?? outcome.failure
            others.revokesOthers = others.failure == nil
        }
        var outcome = own.run()
        outcome.lines = others.lines + outcome.lines
        outcome.revokesOthers = others.revokesOthers
        outcome.failure = outcome.failure ?? others.failure
        return outcome
    }

    private func send(_ token: String, of type: Revocation.TokenType) throws(Failure) -> EndpointResponse {
        let (authentication, names) = (server.authentication, server.names)
        let moment = try server.moment()
        return try server.send(
            try lift(try revocation.request(for: token, of: type, by: authentication, names: names, at: moment)),
            to: revocation.endpoint)
    }
}

extension Input {
    /// The token, with what the metadata of its issuer says if its document does not say where it is revoked.
    ///
    /// - Parameter isOptional: whether a server without metadata, or without the endpoint in it, will do.
    /// - Throws: exit 2 to 10 without metadata, or the endpoint; exit 6 if the server does not answer.
    func completedForRevocation(over transport: Transport, isOptional: Bool) throws(Failure) -> Input {
        guard !Revocation.isOffered(by: document) else { return self }
        do throws(Failure) {
            return try completed(needing: ["revocation_endpoint"], over: transport, isOptional: isOptional)
        } catch {
            // Only a server that has no metadata, or no endpoint in it, has no way to revoke.
            let isNone = error.kind == .metadataMissing || error.httpStatus.map { (400..<500).contains($0) } ?? false
            guard isOptional, isNone, error.exit != .unavailable else { throw error }
            transport.diagnostics.tell("warning: \(error.message)")
            return self
        }
    }
}

extension Failure {
    /// The failure, with the type of its token in the message.
    fileprivate func naming(_ type: Revocation.TokenType) -> Failure {
        var failure = self
        failure.message = "the \(type.rawValue) is not revoked: \(message)"
        let assumption = "assume that the token is still valid"
        failure.hint = hint.map { "\(assumption); \($0)" } ?? assumption
        return failure
    }
}
