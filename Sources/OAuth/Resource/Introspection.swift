package import Wire

/// The request that asks what a token says (RFC 7662), and the response, which may be signed (RFC 9701).
package struct Introspection: Sendable {
    /// The kind of a token (RFC 7662 §2.1, `token_type_hint`).
    package typealias TokenType = Revocation.TokenType

    package let endpoint: Endpoint
    /// Whether a response that is not signed is refused.
    private let isSigned: Bool
    private let asksForSigned: Bool
    private let document: Document
    private static let role = "the introspection endpoint"
    private static let mediaType = "application/token-introspection+jwt"

    /// With `isSigned`, the caller wants nothing but a signed response.
    package init(of document: Document, isSigned: Bool) throws(OAuthError) {
        self.document = document
        endpoint = try Endpoint("introspection_endpoint", in: document)
        self.isSigned = isSigned || JWTProfile.introspection.isRegistered(in: document.members)
        let listed = try document.strings("introspection_signing_alg_values_supported")
        asksForSigned = self.isSigned || !listed.isEmpty
    }

    package func request(
        for token: String, of type: TokenType, by authentication: ClientAuthentication, at moment: RequestMoment
    ) throws(OAuthError) -> HTTPRequest {
        var request = try authentication.request(to: endpoint, parameters: type.parameters(for: token), at: moment)
        if asksForSigned, let place = request.headers.firstIndex(where: { $0.name == "Accept" }) {
            request.headers[place].value = isSigned ? Self.mediaType : "\(Self.mediaType), application/json;q=0.5"
        }
        return request
    }

    /// Reads a response, which may be encrypted for the client's key. What it says must pass ``check(_:)``.
    ///
    /// - Throws: `jwt_expected` for a response that is not signed though it must be; and what
    ///   ``EndpointResponse/members(of:expecting:shape:for:)`` and ``JSONWebToken/init(parsing:as:)`` throw.
    package func answer(
        _ response: EndpointResponse, decryption: JWTDecryption? = nil
    ) throws(OAuthError) -> SignedAnswer {
        if let text = response.token {
            return .signed(try JSONWebToken(parsing: decryption?.opened(text) ?? text, as: .introspection))
        }
        let answer = try response.members(of: Self.role)
        try decryption?.requireNone()
        guard !isSigned else { throw OAuthError(.jwtExpected, "the answer of \(Self.role) is not signed") }
        return .plain(answer.members, answer.warnings)
    }

    /// Refuses one without a boolean `active`, or from another issuer.
    package func check(_ members: JSONObject) throws(OAuthError) {
        guard members["active"]?.bool != nil else {
            let found = members["active"].map { "is \($0.kindNoun), not a boolean" } ?? "is missing"
            throw OAuthError(
                .invalidResponse, "the answer of \(Self.role) has no usable member active: it \(found)",
                member: "active"
            ).saying(.object(members))
        }
        guard let issuer = try KnownIssuer(of: document), let named = members["iss"], !named.isNull,
            named.string.map(issuer.isNamed) != true
        else { return }
        throw OAuthError(
            .invalidResponse,
            "the answer of \(Self.role) is about a token of the issuer \(named.text), not \(JSON.string(issuer.text).text)",
            member: "iss")
    }
}

/// An answer that a server may sign for the client.
package enum SignedAnswer: Sendable {
    /// A JSON answer, and its deviations that did not stop the work.
    case plain(JSONObject, [OAuthWarning])
    /// A signed answer, which says what its JWT has once that is checked.
    case signed(JSONWebToken)
}
