internal import Wire

/// A successful response of the token endpoint (RFC 6749 §5.1), checked and normalised.
package struct TokenResponse: Sendable {
    /// What the request asked for, as far as the answer is judged by it.
    package struct Expectation: Sendable {
        var grant: Grant.Kind
        /// The scope that was asked for, or granted before.
        var scope: Scope
        /// The least scope that is no deviation; nil for the same.
        var leastScope: Scope?
        /// The authorization details that were asked for, or granted before; nil for none.
        var details: AuthorizationDetails?
        var audience = TokenAudience()
        /// How the server's answers differ from the RFC's.
        package var shape = AnswerShape.standard
        /// Whether the request had a DPoP proof, so that the token must be bound to its key (RFC 9449 §5).
        var isBound = false
        /// Whether a profile forbids a token that is not.
        var mustBeBound = false
        /// Whether an ID token in the response will be validated; otherwise a warning says so.
        package var verifiesIDToken = false
    }

    /// The access token: 1 or more characters of `%x21-7E`.
    package let accessToken: String
    /// `Bearer`, `DPoP`, or `N_A` from a token exchange.
    let tokenType: String
    /// The lifetime in seconds, when the server named a positive one.
    let expiresIn: Int?
    /// When the token ends, in seconds since 1970, where the server names that and no lifetime.
    let expiresAt: Int?
    /// The refresh token, when a new one came.
    package let refreshToken: String?
    /// The granted scope: what the server said, else what was asked for.
    let scope: Scope
    let namesScope: Bool
    /// Whether a scope was named at a refresh: the grant may be wider.
    let isNarrowed: Bool
    /// The ID token as it came; neither opened nor checked here.
    package let idToken: String?
    /// The other members, those that would steer the client taken out (oap-documents(5)).
    let others: JSONObject
    package let warnings: [OAuthWarning]

    package init(_ response: EndpointResponse, expecting expected: Expectation) throws(OAuthError) {
        // A server with names of its own has its own success too, such as 201.
        let success = expected.shape.renamesToken ? response.head.status : 200
        let body = try response.members(of: "the token endpoint", expecting: success, shape: expected.shape)
        var warnings = body.warnings
        var members = body.members
        if body.isForm, members["expires_in"] == nil { members["expires_in"] = members["expires"] }
        guard members["ok"]?.bool != false else {
            throw OAuthError(
                .invalidResponse, "the server's answer reports a failure", status: response.head.status
            ).saying(.object(members))
        }
        accessToken = try Self.accessToken(in: members, expected)
        tokenType = try Self.tokenType(in: members, expected, &warnings)
        expiresIn = Self.lifetime(in: members, &warnings)
        let own = expected.shape.hasIDTokenAlone ? try? JSONWebToken(parsing: accessToken, as: .other) : nil
        expiresAt = expiresIn == nil ? TokenEnd.seconds(of: own?.claims["exp"] ?? members["expires_at"]) : nil
        refreshToken = Self.refreshToken(in: members, &warnings)
        let granted = GrantedScope(members["scope"], asked: expected.scope, least: expected.leastScope)
        isNarrowed = expected.grant.renews && expected.leastScope == nil
        scope = granted.scope
        namesScope = granted.isNamed
        warnings += granted.warnings
        let isRenewal = expected.grant.renews || expected.leastScope != nil
        warnings += expected.details?.warnings(granting: members["authorization_details"], isRenewal: isRenewal) ?? []
        warnings += expected.audience.warnings(of: accessToken)
        idToken = try Self.idToken(in: members, expected, &warnings)
        if expected.grant.isTokenExchange, members["issued_token_type"]?.string == nil {
            warnings.append(.issuedTokenTypeMissing)
        }
        let read = Member.tokenResponse + ["auth_req_id"] + (expiresAt == nil ? [] : ["expires_at"])
        others = body.others(besides: read, keeping: Self.unread, &warnings)
        self.warnings = warnings
    }
}

extension TokenResponse.Expectation {
    init(_ grant: Grant, of document: Document) throws(OAuthError) {
        self.init(
            grant: grant.kind, scope: grant.scope, leastScope: grant.renewedScope,
            details: AuthorizationDetails(document.members["authorization_details"]),
            audience: try TokenAudience(grant, of: document), shape: try AnswerShape(of: document),
            isBound: try document.isDPoPBound, mustBeBound: try SecurityProfile(of: document) != nil)
    }
}

extension TokenResponse {
    private static func accessToken(
        in members: JSONObject, _ expected: Expectation
    ) throws(OAuthError) -> String {
        guard let token = members["access_token"]?.string, !token.isEmpty else {
            let found = members["access_token"].map { "is \($0.string == nil ? $0.kindNoun : "empty")" } ?? "is missing"
            // Google answers so to an assertion with target_audience.
            let hasIDToken = expected.grant.identifiesClient && members["id_token"]?.string != nil
            throw OAuthError(
                .invalidResponse, "the server's answer has no usable access_token: it \(found)",
                hint: hasIDToken
                    ? "the answer has an ID token: oap login NAME --client-key-file FILE --audience URL keeps it" : nil,
                member: "access_token"
            ).saying(.object(members))
        }
        guard token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw OAuthError(
                .invalidResponse, "the access_token holds characters that a header field must not have",
                member: "access_token")
        }
        return token
    }

    /// RFC 6749 §7.1: compared without case, and a type that is not understood is not used.
    private static func tokenType(
        in members: JSONObject, _ expected: Expectation, _ warnings: inout [OAuthWarning]
    ) throws(OAuthError) -> String {
        let type: String
        switch members["token_type"] {
        case nil, .null:
            // A server with names of its own has no such member.
            if !expected.shape.renamesToken { warnings.append(.tokenTypeMissing) }
            type = "Bearer"
        case .string(let text): type = text
        case .some(let other):
            throw OAuthError(
                .invalidResponse, "token_type in the server's answer is \(other.kindNoun), not a string",
                member: "token_type")
        }
        switch type.asciiLowercased {
        case "dpop" where expected.isBound: return "DPoP"
        case "bearer" where expected.isBound:
            throw OAuthError(
                .dpopDowngrade,
                "the server issued a bearer token, though a token that is bound to a key was asked for (DPoP)",
                hint: expected.mustBeBound
                    ? "the profile forbids bearer tokens: ask the server's operator to bind the client's tokens (RFC 9449)"
                    : "if a bearer token will do, leave dpop_bound_access_tokens out", member: "token_type")
        case "bearer": return "Bearer"
        case "n_a" where expected.grant.isTokenExchange: return "N_A"
        case let name:
            var hint = name == "dpop" ? "to ask for it: --dpop" : nil
            if name.contains("bearer"), !expected.isBound, type.isPlainWord {
                hint = """
                    if the server means Bearer, log in again with "bearer_token_types": "\(type)" in the document or the \
                    profile
                    """
            }
            throw OAuthError(
                .tokenTypeUnsupported, "the server issued a token of the type \(type), which was not asked for",
                hint: hint, member: "token_type")
        }
    }

    /// Whatever `expires_in` says, the token is not lost for it.
    private static func lifetime(in members: JSONObject, _ warnings: inout [OAuthWarning]) -> Int? {
        guard let value = members["expires_in"], !value.isNull else { return nil }
        guard let seconds = value.seconds, seconds > 0 else {
            warnings.append(value.seconds == 0 ? .expiresInZero : .expiresInInvalid)
            return nil
        }
        let most = Int(Int32.max)
        if seconds > most { warnings.append(.expiresInClamped(to: most)) }
        return min(seconds, most)
    }

    private static func refreshToken(in members: JSONObject, _ warnings: inout [OAuthWarning]) -> String? {
        switch members["refresh_token"] {
        case nil, .null, .string(""): return nil
        case .string(let token): return token
        case .some(let other):
            warnings.append(.refreshTokenInvalid(kind: other.kindNoun))
            return nil
        }
    }

    /// OpenID Connect Core §3.1.3.3: required where `openid` was asked for with a code.
    private static func idToken(
        in members: JSONObject, _ expected: Expectation, _ warnings: inout [OAuthWarning]
    ) throws(OAuthError) -> String? {
        switch members["id_token"] {
        case nil, .null, .string(""):
            guard expected.scope.contains("openid") else { return nil }
            switch expected.grant.idToken {
            case .required: throw OAuthError(.idTokenMissing, OAuthWarning.idTokenMissing.message)
            case .expected: warnings.append(.idTokenMissing)
            case .renewed, .unchecked: break
            }
            return nil
        case .string(let token):
            if !expected.verifiesIDToken, !expected.shape.hasIDTokenAlone {
                warnings.append(.idTokenUnverified(isRequested: expected.scope.contains("openid")))
            }
            return token
        case .some(let other):
            throw OAuthError(
                .idTokenMalformed, "id_token in the server's answer is \(other.kindNoun), not a string",
                member: "id_token")
        }
    }

    /// Members that are kept as they come, since nothing here reads them.
    private static let unread = ["issued_token_type", "authorization_details"]
}
