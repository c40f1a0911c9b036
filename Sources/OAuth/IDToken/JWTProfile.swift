package import JOSE
package import Wire

/// What a JWT is used as; decides which `typ` it may have and which claims it must have.
package enum JWTProfile: Sendable, CaseIterable {
    /// OpenID Connect Core §2.
    case idToken
    /// RFC 9068.
    case accessToken
    /// OpenID Connect Back-Channel Logout §2.4.
    case logoutToken
    /// A signed answer of the userinfo endpoint (OpenID Connect Core §5.3.2).
    case userinfo
    /// A signed answer of the introspection endpoint (RFC 9701 §5).
    case introspection
    /// An authorization response (JWT Secured Authorization Response Mode §2.1).
    case authorizationResponse
    case other

    var name: String {
        switch self {
        case .idToken: "the ID token"
        case .accessToken: "the access token"
        case .logoutToken: "the logout token"
        case .userinfo: "the userinfo"
        case .introspection: "the introspection"
        case .authorizationResponse: "the signed response"
        case .other: "the JWT"
        }
    }

    /// Whether the JWT is signed as the ID tokens of the client are, and for the client.
    package var isOfIDTokens: Bool { self == .idToken || self == .logoutToken }

    var requiredTimes: [String] {
        switch self {
        case .idToken, .accessToken, .logoutToken: ["exp", "iat"]
        case .introspection: ["iat"]
        case .authorizationResponse: ["exp"]
        case .userinfo, .other: []
        }
    }

    /// The member of the client that names the one algorithm, and that of the issuer that lists those it offers.
    var algorithmMembers: (registered: String, listed: String)? {
        (isOfIDTokens ? "id_token" : stem).map {
            ("\($0)_signed_response_alg", "\($0)_signing_alg_values_supported")
        }
    }
}

extension JWTProfile {
    /// What the names of the members begin with that say how such a JWT is protected for the client; nil where none do.
    private var stem: String? {
        switch self {
        case .idToken: "id_token"
        case .userinfo: "userinfo"
        case .introspection: "introspection"
        case .authorizationResponse: "authorization"
        case .accessToken, .logoutToken, .other: nil
        }
    }

    /// The members of the client that say how such a JWT is encrypted for it; nil where none is.
    var encryptionMembers: (algorithm: String, encryption: String)? {
        stem.map { ("\($0)_encrypted_response_alg", "\($0)_encrypted_response_enc") }
    }

    /// The algorithms that a client accepts: the one that it registered, else those of the issuer's metadata that are
    /// supported here; without either RS256 for what is signed for the client (OpenID Connect Core §3.1.3.7 step 7, RFC
    /// 9701 §6), and every one with a public key for the rest. HMAC is accepted when it was registered, never because
    /// the metadata lists it; `none` never. A security profile narrows them (FAPI 2.0, section 5.4.1).
    package func algorithms(for client: JSONObject) -> Set<SignatureAlgorithm> {
        guard client["profile"]?.string == SecurityProfile.fapi2.rawValue else { return usualAlgorithms(for: client) }
        let allowed = Set(SecurityProfile.algorithms)
        let named = usualAlgorithms(for: client).intersection(allowed)
        let isNamed =
            algorithmMembers.map { [$0.registered, $0.listed].contains { client[$0]?.isNull == false } } ?? false
        return named.isEmpty && !isNamed ? allowed : named
    }

    private func usualAlgorithms(for client: JSONObject) -> Set<SignatureAlgorithm> {
        guard let members = algorithmMembers else { return SignatureAlgorithm.asymmetric }
        if let registered = client[members.registered], !registered.isNull {
            let algorithm = registered.string.flatMap { SignatureAlgorithm(named: $0) }
            return algorithm.map { [$0] } ?? []
        }
        guard let names = client[members.listed]?.strings, !names.isEmpty else {
            return self == .userinfo ? SignatureAlgorithm.asymmetric : [.rs256]
        }
        return Set(names.compactMap { SignatureAlgorithm(named: $0) }).intersection(SignatureAlgorithm.asymmetric)
    }

    /// Whether the client has registered that such an answer is signed for it.
    func isRegistered(in client: JSONObject) -> Bool {
        algorithmMembers.map { client[$0.registered]?.isNull == false } ?? false
    }

    /// Checks the `typ` of a header (RFC 8725 §3.11). The prefix `application/` may be left out (RFC 7515 §4.1.9).
    ///
    /// - Throws: `id_token_header`.
    func check(type: JSON?) throws(OAuthError) {
        let prefix = "application/"
        let text = type?.string?.asciiLowercased
        let short = text.map { $0.hasPrefix(prefix) ? String($0.dropFirst(prefix.count)) : $0 }
        let own = Self.types.first { $0.profile == self }
        if self == .accessToken || self == .introspection, let own, short != own.type {
            throw OAuthError(
                .idTokenHeader, "the typ of \(name) is \(type?.text ?? "missing"), not \(own.type)", member: "typ")
        }
        guard self != .other, let other = Self.types.first(where: { $0.type == short }), other.profile != self else {
            return
        }
        throw OAuthError(
            .idTokenHeader, "the JWT is \(other.noun) by its typ \(other.type), not \(name) that is expected",
            member: "typ")
    }

    /// The types that belong to one profile (RFC 9068 §2.1, RFC 9701 §5, OpenID Connect Back-Channel Logout §2.4).
    private static let types: [(type: String, profile: JWTProfile, noun: String)] = [
        ("at+jwt", .accessToken, "an access token"),
        ("token-introspection+jwt", .introspection, "an introspection response"),
        ("logout+jwt", .logoutToken, "a logout token"),
    ]
}
