internal import Wire

/// What is traded for a token, and the parameters that say so (RFC 6749 §4).
package struct Grant: Sendable {
    /// The value of `grant_type`.
    package let type: String
    /// The scope that is asked for, or was asked for when the grant was made.
    package let scope: Scope
    /// Whether the request uses something up, so that it may not be sent twice.
    package let isSpent: Bool
    /// The parameters, `grant_type` first.
    package private(set) var parameters = Parameters()

    /// Parameters that `--param` may not set (RFC 6749 §2.3.1, §4.1.3, RFC 8628 §3.4).
    package static let reserved: Set<String> = [
        "grant_type", "code", "redirect_uri", "code_verifier", "device_code", "refresh_token", "client_id",
        "client_secret", "client_assertion", "client_assertion_type",
    ]

    private init(type: String, scope: Scope, isSpent: Bool) {
        self.type = type
        self.scope = scope
        self.isSpent = isSpent
        parameters.add("grant_type", type)
    }
}

extension Grant {
    /// The grant types that the document and `--grant` can name without a URN.
    package static let names = ["authorization_code", "client_credentials", "device_code", "refresh_token"]

    /// The `grant_type` of the device grant (RFC 8628 §3.4).
    package static let deviceType = "urn:ietf:params:oauth:grant-type:device_code"

    /// Whether it is the device grant, whose request is repeated until a person has decided.
    package var isDevice: Bool { type.isIdentical(to: Self.deviceType) }

    /// The authorization code grant (RFC 6749 §4.1.3, RFC 7636 §4.5, RFC 8707 §2.2).
    ///
    /// - Throws: `metadata_missing` for a missing `code`, `usage`.
    package static func authorizationCode(_ document: Document) throws(OAuthError) -> Grant {
        var grant = Grant(type: "authorization_code", scope: try Scope(of: document), isSpent: true)
        grant.parameters.add("code", try document.required("code"))
        grant.parameters.add("redirect_uri", try document.string("redirect_uri"))
        if let verifier = try document.string("code_verifier") {
            try PKCE.check(verifier)
            grant.parameters.add("code_verifier", verifier)
        }
        try grant.parameters.addResources(of: document)
        return grant
    }

    /// The client credentials grant (RFC 6749 §4.4.2).
    ///
    /// - Throws: `usage`.
    package static func clientCredentials(_ document: Document) throws(OAuthError) -> Grant {
        var grant = Grant(type: "client_credentials", scope: try Scope(of: document), isSpent: false)
        grant.parameters.add("scope", try grant.scope.parameter(of: document))
        try grant.parameters.addResources(of: document)
        return grant
    }

    /// The device grant (RFC 8628 §3.4). Its scope was asked for when the code was.
    ///
    /// - Throws: `metadata_missing` for a missing `device_code`, `usage`.
    package static func deviceCode(_ document: Document) throws(OAuthError) -> Grant {
        var grant = Grant(type: deviceType, scope: try Scope(of: document), isSpent: true)
        grant.parameters.add("device_code", try document.required("device_code"))
        try grant.parameters.addResources(of: document)
        return grant
    }

    /// The refresh grant (RFC 6749 §6). The scope is sent only when it is asked for, within what was granted.
    ///
    /// - Parameters:
    ///   - refreshToken: the token to send.
    ///   - scope: a narrower scope; nil or empty for the same one.
    /// - Throws: `usage` for a scope beyond the one granted.
    package static func refresh(
        _ document: Document, refreshToken: String, scope narrower: String?
    ) throws(OAuthError) -> Grant {
        let granted = Scope(splitting: try document.string("scope") ?? "")
        let named = try Scope(requesting: narrower ?? "", at: try Scope.separator(of: document))
        let asked = named.values.isEmpty ? nil : named
        if let asked, !granted.values.isEmpty, let beyond = asked.subtracting(granted).first {
            throw OAuthError(
                .usage, "scope \(beyond) was not granted",
                hint: "a refresh can only narrow the scope (RFC 6749 section 6)",
                member: "scope")
        }
        var grant = Grant(type: "refresh_token", scope: asked ?? granted, isSpent: true)
        grant.parameters.add("refresh_token", refreshToken)
        grant.parameters.add("scope", try asked?.parameter(of: document))
        return grant
    }

    /// A grant that only its own specification knows (RFC 6749 §4.5): an absolute URI, or a name that the client's
    /// `grant_types` has, and parameters.
    ///
    /// - Throws: `usage` for any other type.
    package static func other(_ type: String, _ document: Document) throws(OAuthError) -> Grant {
        let own = try document.strings("grant_types")
        guard WebURL(type) != nil || own.contains(type) else {
            throw OAuthError(
                .usage, "unknown grant \(type)",
                hint: "one of \(names.joined(separator: ", ")), or the URN of an extension")
        }
        var grant = Grant(type: type, scope: try Scope(of: document), isSpent: false)
        grant.parameters.add("scope", try grant.scope.parameter(of: document))
        try grant.parameters.addResources(of: document)
        return grant
    }

    /// Adds the parameters that a preset (`token_params`, `refresh_params`) or the caller (`--param`) names.
    ///
    /// - Throws: `usage`.
    package mutating func addExtra(
        _ extra: [(name: String, value: String)], of document: Document
    ) throws(OAuthError) {
        let preset = type == "refresh_token" ? "refresh_params" : "token_params"
        let reserved = try ParameterNames(of: document).reserving(Self.reserved)
        try parameters.addExtra(try document.parameters(preset), reserved: reserved, member: preset)
        try parameters.addExtra(extra, reserved: reserved)
    }

    /// Where the request goes: the token endpoint, or the `refresh_endpoint` that some servers have beside it.
    ///
    /// - Throws: what ``Endpoint`` throws.
    package func endpoint(of document: Document) throws(OAuthError) -> Endpoint {
        let other = try document.string("refresh_endpoint")
        return try Endpoint(
            other != nil && type == "refresh_token" ? "refresh_endpoint" : "token_endpoint", in: document)
    }
}
