package import Wire

/// The userinfo endpoint (OpenID Connect Core §5.3): the request, and the claims in the response.
package struct Userinfo: Sendable {
    package let endpoint: Endpoint
    private let isSigned: Bool
    private let claims: JSONObject?
    private let document: Document
    private static let role = "the userinfo endpoint"

    package init(of document: Document) throws(OAuthError) {
        self.document = document
        endpoint = try Endpoint("userinfo_endpoint", in: document)
        isSigned = JWTProfile.userinfo.isRegistered(in: document.members)
        claims = document.members["id_token_claims"]?.object
    }

    package var request: HTTPRequest {
        HTTPRequest(
            method: "GET", url: endpoint.url.text, headers: [HTTPField("Accept", "application/json, application/jwt")])
    }

    /// Refuses claims that are not signed though the client has registered that they are (`jwt_expected`). The scheme
    /// is the one that the token was sent with.
    ///
    /// - Parameter decryption: for an answer that is encrypted for the client.
    package func answer(
        _ response: EndpointResponse, scheme: String, decryption: JWTDecryption? = nil
    ) throws(OAuthError) -> SignedAnswer {
        if let text = response.token {
            return .signed(try JSONWebToken(parsing: decryption?.opened(text) ?? text, as: .userinfo))
        }
        try refuse(response, scheme: scheme)
        try decryption?.requireNone()
        let answer = try response.members(of: Self.role)
        guard !isSigned else {
            throw OAuthError(
                .jwtExpected,
                "the answer of \(Self.role) is not signed, but userinfo_signed_response_alg requires a signature")
        }
        return .plain(answer.members, answer.warnings)
    }

    /// Refuses a response that says that the access token is not enough (RFC 6750 §3.1).
    private func refuse(_ response: EndpointResponse, scheme: String) throws(OAuthError) {
        let head = response.head
        let place = Endpoint.description(Self.role, head.url)
        switch ResourceRefusal(status: head.status, headers: head.headers, scheme: scheme) {
        case .invalidToken:
            throw OAuthError(
                .oauth, "\(place) refuses the access token", code: "invalid_token", status: head.status)
        case .insufficientScope:
            throw OAuthError(
                .insufficientScope, "\(place) wants a scope that the token lacks", hint: document.hintForUser,
                status: head.status)
        case .stepUp:
            throw OAuthError(
                .stepUpRequired, "\(place) requires a stronger or more recent login", status: head.status)
        case .other:
            // A challenge that cannot be read says nothing, but who has not asked for openid is no user here.
            guard head.status == 403, let hint = document.hintForUser else { return }
            throw OAuthError(
                .insufficientScope, "\(place) answered 403 to a token without the scope openid", hint: hint,
                status: head.status)
        }
    }

    /// Checks that claims are those of the user of the ID token (OpenID Connect Core §5.3.2).
    ///
    /// - Throws: `invalid_response` without a `sub`, `sub_mismatch` for another user's.
    package func checkSubject(of answer: JSONObject) throws(OAuthError) -> [OAuthWarning] {
        guard let subject = answer["sub"]?.string, !subject.isEmpty else {
            throw OAuthError(
                .invalidResponse, "the answer of \(Self.role) has no sub",
                hint: "for an API that is not a userinfo endpoint of OpenID Connect, use oap call", member: "sub"
            ).saying(.object(answer))
        }
        guard let expected = claims?["sub"] else { return [.subjectUnchecked] }
        guard expected == .string(subject) else {
            throw OAuthError(
                .subjectMismatch, "\(Self.role) names another user than the ID token", member: "sub")
        }
        return []
    }
}

extension Document {
    /// What to do where a token does not tell who the user is; nil if its scope is not the reason.
    fileprivate var hintForUser: String? {
        if let hint = hintForClientToken { return hint }
        let isOpenID = Scope(splitting: members["scope"]?.string ?? "").contains("openid")
        return isOpenID ? nil : "log in with openid in the scope"
    }
}
