internal import OAuth
internal import Wire

/// The tokens of a document, made worthless at the server one after the other.
struct TokenRevocation {
    /// The tokens and their types, in the order in which they are revoked.
    private let tokens: [(type: Revocation.TokenType, token: String)]
    private let revocation: Revocation
    private let server: AuthorizationServer
    private let document: Document

    /// What came of it.
    struct Outcome {
        /// The types that the server takes for worthless now.
        var revoked: [Revocation.TokenType] = []
        /// The first failure; it names its token.
        var failure: Failure?
        /// Oddities to tell.
        var warnings: [OAuthWarning] = []

        /// The names of the types that are revoked.
        var names: [String] { revoked.map(\.rawValue) }
    }

    /// Makes ready: finds endpoint, secret and tokens.
    ///
    /// - Parameter type: the one type to revoke; nil for all that the document has.
    /// - Throws: exit 2, 3, 9 or 11; nothing was sent.
    init(of input: Input, type: Revocation.TokenType?, session: Session) throws(Failure) {
        document = input.document
        let revocation = try lift(
            try Revocation(of: input.document))
        if let type, !revocation.types.contains(type) {
            throw .usage("the server revokes no \(type.rawValue)")
        }
        var tokens: [(type: Revocation.TokenType, token: String)] = []
        for type in type.map({ [$0] }) ?? revocation.types {
            if let token = try input.secret(type.rawValue) { tokens.append((type, token)) }
        }
        guard !tokens.isEmpty else {
            throw Failure(document.missing(type?.rawValue ?? "access_token"))
        }
        self.revocation = revocation
        self.tokens = tokens
        server = try AuthorizationServer(of: input, session: session)
    }

    /// Sends the requests. What keeps one token from being revoked need not keep the other.
    func run() -> Outcome {
        var outcome = Outcome()
        for (type, token) in tokens {
            let response: EndpointResponse
            do throws(Failure) {
                response = try send(token, of: type)
            } catch {
                outcome.failure = outcome.failure ?? error.naming(type)
                // A server that cannot be reached is not asked again.
                break
            }
            do throws(OAuthError) {
                outcome.warnings += try revocation.check(response)
                outcome.revoked.append(type)
            } catch {
                // Some servers revoke one type only (RFC 7009 §2.2.1); with the first gone there is nothing more to do.
                if error.code == "unsupported_token_type", !outcome.revoked.isEmpty { continue }
                outcome.failure = outcome.failure ?? Failure(error).naming(type)
            }
        }
        return outcome
    }

    private func send(_ token: String, of type: Revocation.TokenType) throws(Failure) -> EndpointResponse {
        try server.send(
            try lift(
                try revocation.request(for: token, of: type, by: server.authentication, names: server.names)))
    }
}

extension Failure {
    /// The failure with the token that it is about.
    fileprivate func naming(_ type: Revocation.TokenType) -> Failure {
        var failure = self
        failure.message = "the \(type.rawValue) is not revoked: \(message)"
        failure.hint = hint ?? "it must be taken for valid still"
        return failure
    }
}
