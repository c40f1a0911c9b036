internal import Errands
internal import OAuth
internal import Wire

/// The check of the ID token that a grant may bring.
struct IDTokenCheck {
    private let expected: IDToken.Expectation
    /// Whether the grant asks for an ID token.
    private let isAsked: Bool
    private let server: AuthorizationServer
    private let cache: MetadataCache?
    /// The keys; nil while they must be fetched.
    private var keys: KeySet?
    /// The ID token of the response; nil without one.
    private var token: IDToken?

    /// Finds out what an ID token is measured by; nil where none is checked. Nothing is sent.
    ///
    /// - Throws: exit 3 where the issuer or its keys are not named, or the document is wrong about what was asked for.
    init?(of grant: Grant, input: Input, server: AuthorizationServer, _ cache: MetadataCache?) throws(Failure) {
        (self.server, self.cache) = (server, cache)
        let asked = try lift(try IDToken.Expectation(after: grant, of: input.document))
        guard var expected = asked ?? IDToken.Expectation(unaskedAfter: grant, of: input.document) else { return nil }
        isAsked = asked != nil
        if expected.usesSecret { expected.clientSecret = try input.secret("client_secret") }
        self.expected = expected
        keys = expected.keys == nil ? .empty : nil
        if let address = expected.keys?.url.text, let response = cache?.response(from: address) {
            keys = try? KeySet(EndpointResponse(response), isForToken: false)
        }
    }

    /// The request for the keys of the issuer; nil if none are needed yet, or those of the cache will do.
    var keysRequest: ServerRequest? { isAsked && keys == nil ? request : nil }

    private var request: ServerRequest? {
        // Keys are public: their server does not need the identity of the client (RFC 8705 §8).
        expected.keys.map { ServerRequest(message: KeySet.request(to: $0), withCertificate: false) }
    }

    /// Takes the keys.
    ///
    /// - Parameter isForToken: whether a token waits for them.
    mutating func receiveKeys(_ response: HTTPResponse, isForToken: Bool) throws(OAuthError) {
        guard let endpoint = expected.keys else { preconditionFailure("keys were asked for") }
        keys = try KeySet(server.diagnostics.redactor.learn(response), isForToken: isForToken)
        cache?.store(response, from: endpoint.url.text)
    }

    /// The endpoint of the keys, for messages.
    var keysEndpoint: Endpoint? { expected.keys }

    /// Takes the response whose ID token is checked.
    ///
    /// - Returns: the request for keys that are newer than the ones that were received; nil if they have the key of the
    ///   ID token.
    /// - Throws: `id_token_malformed` and its kind for an ID token that cannot be read.
    mutating func receive(_ response: TokenResponse) throws(OAuthError) -> ServerRequest? {
        guard let text = response.idToken else { return nil }
        let token = try IDToken(parsing: text)
        self.token = token
        let isMissing = KeySet.mustFetch(for: token.signature, allowing: expected.algorithms, known: keys)
        return isMissing ? request : nil
    }

    /// Checks the ID token of the response that was received.
    ///
    /// - Parameter now: seconds since 1970.
    /// - Returns: its claims; nil if a refresh brought none.
    func check(_ response: TokenResponse, now: Int) throws(ServerFault) -> JSONObject? {
        try check(response, against: expected, now: now)
    }

    /// The warning where an ID token that fails a check is dropped, and the tokens beside it are used; nil where they are
    /// not. It is dropped if nobody asked for it, and if a refresh brings that of another login of the same user: some
    /// servers know the time of the last login only, and OpenID Connect Core §12.2 wants that of the first.
    ///
    /// - Parameter reason: why it fails.
    func warning(droppingTokenOf response: TokenResponse, because reason: String, now: Int) -> OAuthWarning? {
        guard isAsked else { return .idTokenDropped(reason: reason) }
        guard let others = expected.forAnyLogin, (try? check(response, against: others, now: now)) != nil else {
            return nil
        }
        return .idTokenNotReplaced(reason: reason)
    }

    private func check(
        _ response: TokenResponse, against expected: IDToken.Expectation, now: Int
    ) throws(ServerFault) -> JSONObject? {
        guard let token else { return nil }
        var expected = expected
        expected.now = now
        expected.accessToken = response.accessToken
        let keys = keys ?? .empty
        let (claims, warnings) = try ServerFault.reading(try token.validate(with: keys, expecting: expected))
        try ServerFault.doing(try server.diagnostics.warn(keys.warnings + warnings))
        return claims
    }
}
