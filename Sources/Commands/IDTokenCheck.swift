internal import HTTP
internal import OAuth
internal import Wire

/// The check of the ID token that a grant may bring: its keys are fetched before the grant is spent, so that a failure
/// to fetch them costs nothing.
struct IDTokenCheck {
    private let document: Document
    private let issuer: String
    private let clientID: String
    private let secret: String?
    private let keySetEndpoint: Endpoint?
    private let known: KeySet
    private let server: ServerRequest
    private let isRefresh: Bool

    /// Makes the check ready; nil where no ID token is expected.
    ///
    /// - Throws: exit 3 where the issuer or its keys are not named; every failure to fetch the keys.
    init?(for grant: Grant, input: Input, server: ServerRequest) throws(Failure) {
        let document = input.document
        isRefresh = grant.type == "refresh_token"
        let isExpected = grant.scope.contains("openid") && (!isRefresh || document.members["id_token"] != nil)
        guard isExpected, isRefresh || grant.isDevice || grant.type == "authorization_code" else { return nil }
        self.document = document
        self.server = server
        let algorithms = IDToken.Expectation.algorithms(for: document.members)
        let usesSecret = !algorithms.isEmpty && algorithms.allSatisfy(\.isSymmetric)
        secret = usesSecret ? try input.secrets.value("client_secret") : nil
        (issuer, clientID, keySetEndpoint) = try Failure.lifting(document) { () throws(OAuthError) in
            do throws(OAuthError) {
                return (
                    try document.required("issuer"), try document.required("client_id"),
                    usesSecret ? nil : try Endpoint("jwks_uri", in: document)
                )
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
        let expectation = try expectation(for: response, now: session.now)
        var keys = known
        if let keySetEndpoint,
            KeySet.mustFetch(for: token.signature, allowing: expectation.algorithms, known: known)
        {
            keys = try Self.fetch(keySetEndpoint, server, document, isForToken: true)
        }
        let (claims, warnings) = try Failure.lifting(document) { () throws(OAuthError) in
            try token.validate(with: keys, expecting: expectation)
        }
        try session.diagnostics.warn(keys.warnings + warnings)
        return claims
    }

    private func expectation(for response: TokenResponse, now: Int) throws(Failure) -> IDToken.Expectation {
        var expected = IDToken.Expectation(
            issuer: issuer, clientID: clientID, occasion: try occasion(), now: now)
        expected.algorithms = IDToken.Expectation.algorithms(for: document.members)
        expected.clientSecret = secret
        expected.accessToken = response.accessToken
        guard !isRefresh else { return expected }
        let age = document.members["max_age"] ?? document.members["default_max_age"]
        expected.maximumAge = age.flatMap { $0.integer ?? $0.string.flatMap { Int($0) } }
        expected.requiresAuthenticationTime =
            try Failure.lifting(document) { () throws(OAuthError) in
                try document.bool("require_auth_time")
            } ?? false
        expected.essentialContexts = Self.essentialContexts(document.members["claims"])
        return expected
    }

    private func occasion() throws(Failure) -> IDToken.Occasion {
        guard isRefresh else {
            return .codeFlow(
                nonce: try Failure.lifting(document) { () throws(OAuthError) in try document.string("nonce") })
        }
        return document.members["id_token_claims"]?.object.map { .refresh(original: $0) } ?? .unknown
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
