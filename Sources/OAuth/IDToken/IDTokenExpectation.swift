package import JOSE
package import Wire

extension IDToken {
    /// What an ID token is checked against: what the client knows, and what it sent.
    package struct Expectation: Sendable {
        /// The issuer.
        var issuer: String
        /// The issuers of the tenants that the issuer stands for; nil where it stands for itself alone.
        var tenants: TenantIssuer?
        /// The client that the token must be for.
        var clientID: String
        /// How the token came about.
        var occasion: Occasion
        /// The one reading of the clock, in seconds since 1970.
        package var now: Int
        /// How far the issuer's clock may be off, in seconds.
        package static let tolerance = JWTClaims.tolerance
        /// The algorithms that may have signed it.
        package var algorithms: Set<SignatureAlgorithm> = [.rs256]
        /// Where the issuer publishes its keys; nil where the client secret is the key.
        package internal(set) var keys: Endpoint?
        /// The client secret, for HMAC where `algorithms` has it.
        package var clientSecret: String?
        /// `max_age`, as it was sent or registered (`default_max_age`), in seconds.
        var maximumAge: Int?
        /// Whether `auth_time` was asked for (`require_auth_time`).
        var requiresAuthenticationTime = false
        /// The values of `acr` that were asked for as essential; empty when none were.
        var essentialContexts: [String] = []
        /// The access token that came along, which `at_hash` binds.
        package var accessToken: String?

        /// Makes an expectation; the rest are properties.
        package init(issuer: String, clientID: String, occasion: Occasion, now: Int) {
            self.issuer = issuer
            self.clientID = clientID
            self.occasion = occasion
            self.now = now
        }
    }

    /// Where a token comes from; decides the checks of `nonce` and of an earlier token.
    package enum Occasion: Sendable {
        /// From the token endpoint after an authorization request with this nonce, or without one.
        case codeFlow(nonce: String?)
        /// From a refresh; these are the claims of the token before (OpenID Connect Core §12.2).
        case refresh(original: JSONObject)
        /// From a request of which the nonce is not known.
        case unknown
    }
}

extension IDToken.Expectation {
    /// The algorithms that a client accepts.
    static func algorithms(for client: JSONObject) -> Set<SignatureAlgorithm> {
        JWTProfile.idToken.algorithms(for: client)
    }
}

extension IDToken.Expectation {
    /// Checks before the user logs in that the ID token can be checked afterwards.
    ///
    /// - Returns: whether that needs the client secret.
    /// - Throws: `metadata_missing` where the issuer or its keys are not named, `usage`.
    package static func check(_ document: Document) throws(OAuthError) -> Bool {
        guard try Scope(of: document).contains("openid") else { return false }
        return try Self(.unknown, of: document).usesSecret
    }

    /// The members of server metadata that a client needs for the ID token of a login.
    ///
    /// - Throws: `usage` for a scope that is no string.
    package static func metadata(for client: Document) throws(OAuthError) -> [String] {
        try Scope(of: client).contains("openid") && !usesSecret(client) ? ["jwks_uri"] : []
    }

    /// The expectation of a refresh that does not compare when the user logged in; nil for any other.
    package var forAnyLogin: Self? {
        guard case .refresh(var original) = occasion, original["auth_time"] != nil else { return nil }
        original["auth_time"] = nil
        var expected = self
        expected.occasion = .refresh(original: original)
        return expected
    }

    /// Whether the client secret is the key of a document's ID tokens.
    package static func usesSecret(_ document: Document) -> Bool { usesSecret(algorithms(for: document.members)) }

    init(_ occasion: IDToken.Occasion, of document: Document) throws(OAuthError) {
        self.init(
            issuer: try Self.required("issuer", of: document), clientID: try Self.required("client_id", of: document),
            occasion: occasion, now: 0)
        tenants = try TenantIssuer(of: document)
        algorithms = Self.algorithms(for: document.members)
        if !usesSecret {
            keys = try Self.explaining { () throws(OAuthError) in try Endpoint("jwks_uri", in: document) }
        }
    }

    /// Whether the client secret is the key.
    package var usesSecret: Bool { Self.usesSecret(algorithms) }

    private static func usesSecret(_ algorithms: Set<SignatureAlgorithm>) -> Bool {
        !algorithms.isEmpty && algorithms.allSatisfy(\.isSymmetric)
    }

    private static func required(_ name: String, of document: Document) throws(OAuthError) -> String {
        try explaining { () throws(OAuthError) in try document.required(name) }
    }

    private static func explaining<Value>(_ step: () throws(OAuthError) -> Value) throws(OAuthError) -> Value {
        do throws(OAuthError) {
            return try step()
        } catch {
            guard error.kind == .metadataMissing else { throw error }
            var explained = error
            explained.message = "\(error.message): without it, the ID token cannot be checked"
            throw explained
        }
    }

    /// The values of `acr` that the `claims` parameter asks for as essential (OpenID Connect Core §5.5.1.1).
    static func essentialContexts(_ claims: JSON?) -> [String] {
        guard let acr = claims?.object?["id_token"]?.object?["acr"]?.object, acr["essential"]?.bool == true else {
            return []
        }
        return acr["values"]?.strings ?? acr["value"]?.string.map { [$0] } ?? []
    }
}
