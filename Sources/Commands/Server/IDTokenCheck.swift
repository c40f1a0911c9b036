internal import OAuth
internal import Wire

/// The check of the ID token that a grant may bring.
struct IDTokenCheck {
    private let expected: IDToken.Expectation
    private let server: AuthorizationServer
    private var known = KeySet.empty

    /// Finds out what an ID token is measured by; nil where none is checked. Nothing is sent.
    ///
    /// - Throws: exit 3 where the issuer or its keys are not named, or the document is wrong about what was asked for.
    init?(of grant: Grant, input: Input, server: AuthorizationServer) throws(Failure) {
        self.server = server
        guard var expected = try lift(try IDToken.Expectation(after: grant, of: input.document)) else { return nil }
        if expected.usesSecret { expected.clientSecret = try input.secret("client_secret") }
        self.expected = expected
    }

    /// Fetches the keys of the issuer.
    ///
    /// - Throws: every failure to fetch them.
    mutating func prepare() throws(Failure) {
        if let keys = expected.keys { known = try fetch(keys, isForToken: false) }
    }

    /// Checks the ID token of a response.
    ///
    /// - Parameter now: seconds since 1970.
    /// - Returns: its claims; nil if a refresh brought none.
    /// - Throws: exit 9 when it fails a check, and every failure to fetch a key that is new.
    func check(_ response: TokenResponse, now: Int) throws(Failure) -> JSONObject? {
        guard let text = response.idToken else { return nil }
        let token = try lift(try IDToken(parsing: text))
        var expected = expected
        expected.now = now
        expected.accessToken = response.accessToken
        var keys = known
        if let endpoint = expected.keys,
            KeySet.mustFetch(for: token.signature, allowing: expected.algorithms, known: known)
        {
            keys = try fetch(endpoint, isForToken: true)
        }
        let (claims, warnings) = try lift(try token.validate(with: keys, expecting: expected))
        try server.diagnostics.warn(keys.warnings + warnings)
        return claims
    }

    /// Keys are public: their server does not need the identity of the client (RFC 8705 §8).
    private func fetch(_ endpoint: Endpoint, isForToken: Bool) throws(Failure) -> KeySet {
        let response = try server.send(KeySet.request(to: endpoint), withCertificate: false)
        return try lift(try KeySet(response, isForToken: isForToken))
    }
}
