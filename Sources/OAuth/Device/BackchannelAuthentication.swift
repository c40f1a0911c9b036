package import Wire

/// The request for a login that the server asks the user for on a device of the user's, without a page (OpenID Connect CIBA Core
/// §7.1). The client asks for the token until the user has decided (poll mode, §5).
package struct BackchannelAuthenticationRequest: Sendable {
    package let endpoint: Endpoint
    package private(set) var parameters = Parameters()
    package private(set) var warnings: [OAuthWarning] = []

    /// Makes the request of a document. Its `id_token` says who is asked if no hint does.
    ///
    /// - Parameter extra: further parameters, a hint among them.
    /// - Throws: `metadata_missing` for a missing `backchannel_authentication_endpoint`, what ``Endpoint`` throws, `usage`
    ///   without a hint or with two.
    package init(of document: Document, extra: [(name: String, value: String)] = []) throws(OAuthError) {
        try AuthorizationRequest.refuseBoundTokens(document)
        try JWTDecryption.check(document)
        endpoint = try Endpoint("backchannel_authentication_endpoint", in: document)
        let scope = try Scope(of: document)
        parameters.add("scope", try scope.parameter(of: document))
        if !scope.contains("openid") { warnings.append(.other("CIBA wants the scope openid")) }
        try parameters.addResources(of: document)
        parameters.add("authorization_details", try AuthorizationRequest.authorizationDetails(of: document))
        for name in ["acr_values", "binding_message", "login_hint"] {
            parameters.add(name, try document.string(name))
        }
        parameters.add("requested_expiry", try document.wholeSeconds("requested_expiry").map { String($0) })
        let reserved = try ParameterNames(of: document).reserving(ClientAuthentication.reserved)
        let own = "backchannel_authentication_params"
        let given = try document.parameters(own)
        if (given + extra).contains(where: { Self.hints.contains($0.name) && $0.name != "login_hint" }),
            document.origin(of: "login_hint") == .document
        {
            parameters.remove("login_hint")
        }
        try parameters.addExtra(given, of: own, then: extra, reserved: reserved)
        try addHint(of: document)
    }

    /// Who is asked: exactly one says it (§7.1).
    private static let hints = ["login_hint", "login_hint_token", "id_token_hint"]

    private mutating func addHint(of document: Document) throws(OAuthError) {
        let held = Self.hints.filter { parameters[$0] != nil }
        guard held.count < 2 else {
            throw OAuthError(
                .usage, "only one of \(held.joined(separator: " and ")) can say who is asked", member: held[0])
        }
        guard held.isEmpty else { return }
        guard let token = try document.string("id_token") else {
            throw OAuthError(
                .metadataMissing, "login_hint is missing: nothing says who is asked",
                hint: "use --login-hint HINT, or pass a document with an id_token", member: "login_hint")
        }
        parameters.add("id_token_hint", token)
    }
}

/// The answer of the backchannel authentication endpoint (OpenID Connect CIBA Core §7.3).
package struct BackchannelAuthenticationResponse: Sendable {
    /// The identifier that the token endpoint is asked with; a secret.
    private let identifier: String
    /// The seconds that the user has.
    package let expiresIn: Int
    private let interval: Int
    package let warnings: [OAuthWarning]
    private let others: JSONObject

    /// - Parameter usualLifetime: the seconds of an answer without `expires_in`, which it must have; nil to refuse it.
    package init(
        _ response: EndpointResponse, shape: AnswerShape = .standard, usualLifetime: Int? = nil
    ) throws(OAuthError) {
        let body = try response.members(of: "the backchannel authentication endpoint", shape: shape)
        var warnings = body.warnings
        identifier = try DeviceAuthorizationResponse.text("auth_req_id", in: body.members)
        expiresIn = try body.lifetime(usual: usualLifetime, &warnings)
        interval = DevicePolling.interval(body.members["interval"], &warnings)
        others = body.others(besides: Member.deviceResponse + ["scope"], &warnings)
        self.warnings = warnings
    }

    /// The flow document; see ``DeviceAuthorizationResponse/flow(of:start:)``.
    package func flow(of document: JSONObject, start: Int) -> JSONObject {
        var flow = DeviceAuthorizationResponse.beginning(of: document, with: others)
        flow["auth_req_id"] = .string(identifier)
        flow["interval"] = .integer(interval)
        flow["expires_at"] = .integer(start + expiresIn)
        return flow
    }
}
