package import JOSE
package import Wire

/// What a JWT is checked against: what the client knows, and what it sent.
package struct JWTExpectation: Sendable {
    var issuer: String
    /// One other issuer that the user accepts.
    var acceptedIssuer: String?
    /// The issuers of the tenants that the issuer stands for; nil where it stands for itself alone.
    var tenants: TenantIssuer?
    /// Whom the JWT must be for: the client, for what is issued to that.
    package var audience: String
    package var algorithms: Set<SignatureAlgorithm> = [.rs256]
    /// The profile that the client is held to.
    var securityProfile: SecurityProfile?
    /// The client secret, for HMAC where `algorithms` has it.
    package var clientSecret: String?
    package var occasion = Occasion.unknown
    /// `max_age`, as it was sent or registered (`default_max_age`), in seconds.
    var maximumAge: Int?
    var requiresAuthenticationTime = false
    /// The values of `acr` that were asked for as essential; empty when none were.
    var essentialContexts: [String] = []
    /// The values of `acr_values`, one of which the server should have met (OpenID Connect Core §3.1.2.1).
    var wantedContexts: [String] = []
    /// The access token that came along, which `at_hash` of an ID token binds.
    package var accessToken: String?

    /// How far the clocks may differ, in seconds.
    package static let tolerance = 30

    /// Where an ID token comes from; decides the checks of `nonce` and of an earlier token.
    package enum Occasion: Sendable {
        /// From the token endpoint after an authorization request with this nonce, or without one.
        case codeFlow(nonce: String?)
        /// From a refresh; these are the claims of the token before (OpenID Connect Core §12.2).
        case refresh(original: JSONObject)
        case unknown
    }
}

extension JWTExpectation {
    /// What a document says of a JWT of its issuer, but for the client secret and what comes with the JWT.
    ///
    /// - Parameter audience: whom it must be for; nil for the client.
    /// - Throws: `metadata_missing` where the issuer or the client is not named, `usage`.
    package init(for profile: JWTProfile, of document: Document, audience: String? = nil) throws(OAuthError) {
        issuer = try profile.needing(document.required("issuer"))
        acceptedIssuer = try document.string("accept_issuer")
        self.audience =
            if let audience { audience } else { try profile.needing(document.required("client_id")) }
        tenants = profile == .idToken ? try TenantIssuer(of: document) : nil
        algorithms = profile.algorithms(for: document.members)
        securityProfile = try SecurityProfile(of: document)
    }

    /// What a document says of an ID token whose keys must be found before there is one.
    init(_ occasion: Occasion, of document: Document) throws(OAuthError) {
        try self.init(for: .idToken, of: document)
        self.occasion = occasion
        guard !usesSecret else { return }
        _ = try JWTProfile.idToken.needing(Endpoint("jwks_uri", in: document))
    }

    /// The expectation of a refresh that does not compare when the user logged in; nil for any other.
    package var forAnyLogin: Self? {
        guard case .refresh(var original) = occasion, original["auth_time"] != nil else { return nil }
        original["auth_time"] = nil
        return changing(self) { $0.occasion = .refresh(original: original) }
    }

    /// Whether the client secret is the key of whatever token may come.
    package var usesSecret: Bool { !algorithms.isEmpty && algorithms.allSatisfy(\.isSymmetric) }

    /// Whether the client secret is the key of a signature; nil for that of whatever token may come.
    package func usesSecret(for signature: JSONWebSignature?) -> Bool {
        guard let signature else { return usesSecret }
        return (try? signature.algorithm(allowing: algorithms))?.isSymmetric ?? false
    }

    /// The values of `acr` that the `claims` parameter asks for as essential (OpenID Connect Core §5.5.1.1).
    static func essentialContexts(_ claims: JSON?) -> [String] {
        guard let acr = claims?.object?["id_token"]?.object?["acr"]?.object, acr["essential"]?.bool == true else {
            return []
        }
        return acr["values"]?.strings ?? acr["value"]?.string.map { [$0] } ?? []
    }
}

extension JWTProfile {
    /// The value of an expression about a member; the error where it is missing says what it is needed for.
    fileprivate func needing<Value>(_ value: @autoclosure () throws(OAuthError) -> Value) throws(OAuthError) -> Value {
        do throws(OAuthError) { return try value() } catch {
            guard error.kind == .metadataMissing else { throw error }
            throw changing(error) { $0.message += ": without it, \(name) cannot be checked" }
        }
    }
}
