internal import HTTP
internal import OAuth
internal import Wire

/// The check of the ID token that a grant may bring: its keys are fetched before the grant is spent, so that a failure
/// to fetch them costs nothing.
struct IDTokenCheck {
    private let document: Document
    private let expected: IDToken.Expectation
    private let keySetEndpoint: Endpoint?
    private let known: KeySet
    private let server: ServerRequest

    /// Makes the check ready; nil where no ID token is expected.
    ///
    /// - Throws: exit 3 where the issuer or its keys are not named, or the document is wrong about what was asked for; every
    ///   failure to fetch the keys.
    init?(for grant: Grant, input: Input, server: ServerRequest) throws(Failure) {
        let document = input.document
        guard Self.isExpected(by: grant, document.members) else { return nil }
        self.document = document
        self.server = server
        let algorithms = IDToken.Expectation.algorithms(for: document.members)
        let usesSecret = !algorithms.isEmpty && algorithms.allSatisfy(\.isSymmetric)
        let secret = usesSecret ? try input.secret("client_secret") : nil
        (expected, keySetEndpoint) = try Failure.lifting(document) { () throws(OAuthError) in
            do throws(OAuthError) {
                var expected = try Self.expectation(of: document, after: grant)
                expected.algorithms = algorithms
                expected.clientSecret = secret
                return (expected, usesSecret ? nil : try Endpoint("jwks_uri", in: document))
            } catch {
                guard error.kind == .metadataMissing else { throw error }
                var explained = error
                explained.message = "\(error.message), without which the ID token cannot be checked"
                throw explained
            }
        }
        known =
            try keySetEndpoint.map { (endpoint) throws(Failure) in
                try Self.fetch(endpoint, server, document, isForToken: false)
            } ?? .empty
    }

    /// Checks the ID token of an answer.
    ///
    /// - Returns: its claims; nil when a refresh brought none.
    /// - Throws: exit 9 when it fails a check, and every failure to fetch a key that is new.
    func check(_ response: TokenResponse, session: Session) throws(Failure) -> JSONObject? {
        guard let text = response.idToken else { return nil }
        let token = try Failure.lifting(document) { () throws(OAuthError) in try IDToken(parsing: text) }
        var expected = expected
        expected.now = session.now
        expected.accessToken = response.accessToken
        var keys = known
        if let keySetEndpoint, KeySet.mustFetch(for: token.signature, allowing: expected.algorithms, known: known) {
            keys = try Self.fetch(keySetEndpoint, server, document, isForToken: true)
        }
        let (claims, warnings) = try Failure.lifting(document) { () throws(OAuthError) in
            try token.validate(with: keys, expecting: expected)
        }
        try session.diagnostics.warn(keys.warnings + warnings)
        return claims
    }

    /// Whether a grant may bring an ID token that has to be checked. At a refresh it is the document that decides: claims
    /// that were checked are not replaced by those of a token that nobody checked, whatever scope is asked for this time.
    private static func isExpected(by grant: Grant, _ members: JSONObject) -> Bool {
        guard grant.type == "refresh_token" else {
            return grant.scope.contains("openid") && (grant.isDevice || grant.type == "authorization_code")
        }
        let holds = { (name: String) in members[name]?.isNull == false }
        return holds("id_token_claims") || grant.scope.contains("openid") && holds("id_token")
    }

    /// What the document says about the token, but for the clock and what will come with the token.
    private static func expectation(
        of document: Document, after grant: Grant
    ) throws(OAuthError) -> IDToken.Expectation {
        let (issuer, clientID) = (try document.required("issuer"), try document.required("client_id"))
        guard grant.type != "refresh_token" else {
            let original = document.members["id_token_claims"]?.object
            return IDToken.Expectation(
                issuer: issuer, clientID: clientID, occasion: original.map { .refresh(original: $0) } ?? .unknown,
                now: 0)
        }
        var expected = IDToken.Expectation(
            issuer: issuer, clientID: clientID, occasion: .codeFlow(nonce: try document.string("nonce")), now: 0)
        let fallback = try document.wholeSeconds("default_max_age")
        expected.maximumAge = try document.wholeSeconds("max_age") ?? fallback
        expected.requiresAuthenticationTime = try document.bool("require_auth_time") ?? false
        expected.essentialContexts = essentialContexts(document.members["claims"])
        return expected
    }

    /// The values of `acr` that the `claims` parameter asks for as essential (OpenID Connect Core §5.5.1.1).
    private static func essentialContexts(_ claims: JSON?) -> [String] {
        guard let acr = claims?.object?["id_token"]?.object?["acr"]?.object, acr["essential"]?.bool == true else {
            return []
        }
        return acr["values"]?.strings ?? acr["value"]?.string.map { [$0] } ?? []
    }

    private static func fetch(
        _ endpoint: Endpoint, _ server: ServerRequest, _ document: Document, isForToken: Bool
    ) throws(Failure) -> KeySet {
        let answer: HTTPResponse
        do throws(HTTPError) {
            let types = HTTPField("Accept", "application/json, application/jwk-set+json")
            let request = HTTPRequest(method: "GET", url: endpoint.url.text, headers: [types])
            // Keys are public. Whoever serves them has no need to know who the client is (RFC 8705 §8).
            answer = try server.client.send(request, maximumBody: ServerRequest.limit, withCertificate: false)
        } catch {
            throw Failure(error, stake: .repeatable)
        }
        return try Failure.lifting(document) { () throws(OAuthError) in
            try KeySet(answer, isForToken: isForToken)
        }
    }
}
