package import JOSE
package import Wire

extension IDToken {
    /// What an ID token is measured by: what the client knows, and what it had sent.
    package struct Expectation: Sendable {
        /// The issuer.
        package var issuer: String
        /// The client that the token must be for.
        package var clientID: String
        /// How the token came about.
        package var occasion: Occasion
        /// The one reading of the clock, in seconds since 1970.
        package var now: Int
        /// How far the issuer's clock may be off, in seconds.
        package var tolerance = 30
        /// The algorithms that may have signed it.
        package var algorithms: Set<SignatureAlgorithm> = [.rs256]
        /// The client secret, for HMAC where `algorithms` has it.
        package var clientSecret: String?
        /// `max_age`, as it was sent or registered (`default_max_age`), in seconds.
        package var maximumAge: Int?
        /// Whether `auth_time` was asked for (`require_auth_time`).
        package var requiresAuthenticationTime = false
        /// The values of `acr` that were asked for as essential; empty when none were.
        package var essentialContexts: [String] = []
        /// The access token that came along, which `at_hash` binds.
        package var accessToken: String?
        /// The authorization code that came along, which `c_hash` binds.
        package var code: String?
        /// The state that came along, which `s_hash` binds.
        package var state: String?

        /// Makes an expectation; the rest are properties.
        package init(issuer: String, clientID: String, occasion: Occasion, now: Int) {
            self.issuer = issuer
            self.clientID = clientID
            self.occasion = occasion
            self.now = now
        }
    }

    /// How a token came about; what it must say of `nonce` and of an earlier token follows from it.
    package enum Occasion: Sendable {
        /// From the token endpoint after an authorization request with this nonce, or without one.
        case codeFlow(nonce: String?)
        /// In the authorization response of the hybrid flow (OpenID Connect Core §3.3.2.11).
        case hybridFlow(nonce: String?)
        /// From a refresh; these are the claims of the token before (OpenID Connect Core §12.2).
        case refresh(original: JSONObject)
        /// Somewhere, sometime: the nonce is not known.
        case unknown
    }
}

extension IDToken.Expectation {
    /// The algorithms that a client accepts: the one that it registered, else those of the issuer's metadata that are
    /// supported here, else RS256 (OpenID Connect Core §3.1.3.7 step 7). HMAC is accepted when it was registered, never
    /// because the metadata lists it; `none` never.
    package static func algorithms(for client: JSONObject) -> Set<SignatureAlgorithm> {
        if let registered = client["id_token_signed_response_alg"], !registered.isNull {
            let algorithm = registered.string.flatMap { SignatureAlgorithm(named: $0) }
            return algorithm.map { [$0] } ?? []
        }
        guard let names = client["id_token_signing_alg_values_supported"]?.strings, !names.isEmpty else {
            return [.rs256]
        }
        return Set(names.compactMap { SignatureAlgorithm(named: $0) }).intersection(SignatureAlgorithm.asymmetric)
    }
}
