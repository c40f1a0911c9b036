internal import OAuth
internal import Wire

/// The tokens of a document, made worthless at the server one after the other.
struct TokenRevocation {
    /// The tokens and their types, in the order in which they are revoked.
    private let tokens: [(type: Revocation.TokenType, token: String)]
    private let revocation: Revocation
    private let server: ServerRequest
    private let document: Document

    /// What came of it.
    struct Outcome {
        /// The types that the server takes for worthless now.
        var revoked: [Revocation.TokenType] = []
        /// Why the next one is not, when there is one.
        var failure: Failure?
    }

    /// Makes ready: finds endpoint, secret and tokens.
    ///
    /// - Parameter type: the one type to revoke; nil for all that the document has.
    /// - Throws: exit 2, 3, 9 or 11; nothing was sent.
    init(of input: Input, type: Revocation.TokenType?, session: Session) throws(Failure) {
        document = input.document
        let revocation = try Failure.lifting(input.document) { () throws(OAuthError) in
            try Revocation(of: input.document)
        }
        if let type, !revocation.types.contains(type) {
            throw .usage("the server revokes no \(type.rawValue)")
        }
        var tokens: [(type: Revocation.TokenType, token: String)] = []
        for type in type.map({ [$0] }) ?? revocation.types {
            if let token = try input.secrets.value(type.rawValue) { tokens.append((type, token)) }
        }
        guard !tokens.isEmpty else {
            throw Failure(document.missing(type?.rawValue ?? "access_token"), document: document)
        }
        self.revocation = revocation
        self.tokens = tokens
        server = try ServerRequest(of: input, session: session, hiding: tokens.map(\.token))
    }

    /// Sends the requests, up to the first that fails.
    func run(_ session: Session) -> Outcome {
        var outcome = Outcome()
        for (type, token) in tokens {
            do throws(Failure) {
                try revoke(token, of: type, session)
                outcome.revoked.append(type)
            } catch {
                // Some servers revoke one type only (RFC 7009 §2.2.1); with the first gone there is nothing more to do.
                if error.error == "unsupported_token_type", !outcome.revoked.isEmpty { continue }
                outcome.failure = error
                break
            }
        }
        return outcome
    }

    private func revoke(_ token: String, of type: Revocation.TokenType, _ session: Session) throws(Failure) {
        let request = try Failure.lifting(document) { () throws(OAuthError) in
            try revocation.request(for: token, of: type, by: server.authentication, names: server.names)
        }
        let answer = try server.send(request, stake: .repeatable)
        let warnings: [OAuthWarning]
        do throws(OAuthError) {
            warnings = try revocation.check(answer)
        } catch {
            var failure = Failure(error, document: document).masking(server.redactor)
            failure.hint = failure.hint ?? "the \(type.rawValue) must be taken for valid still"
            throw failure
        }
        try session.diagnostics.warn(warnings)
    }
}
