internal import Wire

/// What is exchanged for a token, as the parameters of the token request (RFC 6749 §4).
package struct Grant: Sendable {
    package let kind: Kind
    /// The scope that is requested, or was requested for the code.
    let scope: Scope
    /// The scope of the token that is renewed with no scope named: an answer with less is a deviation.
    var renewedScope: Scope?
    /// Whether the grant brought the token of the document.
    var isRepeated = false
    /// The scope to ask for when the grant is repeated, where a narrower one was named for this time.
    var fullScope: Scope
    package internal(set) var parameters = Parameters()

    init(_ kind: Kind, scope: Scope) {
        (self.kind, self.scope) = (kind, scope)
        fullScope = scope
        parameters.add("grant_type", kind.type)
    }

    /// The supplement is what it needs besides the document.
    package init(_ kind: Kind, of document: Document, _ supplement: Kind.Supplement) throws(OAuthError) {
        self = try kind.make(document, supplement)
    }
}

extension Grant {
    /// Parameters that `--param` must not set (RFC 6749 §4.1.3, RFC 8628 §3.4).
    static let reserved = ClientAuthentication.reserved + ["grant_type", "redirect_uri"] + Kind.secretParameters

    /// Adds the parameters that a preset (`token_params`, `refresh_params`) or the caller (`--param`) names.
    ///
    /// - Throws: `usage`.
    package mutating func addExtra(
        _ extra: [(name: String, value: String)], of document: Document
    ) throws(OAuthError) {
        let preset = kind.presetParameters
        let reserved = try ParameterNames(of: document).reserving(Self.reserved)
        // A refresh for one of several resources (RFC 8707 §2.2).
        if kind.renews, extra.contains(where: { $0.name == "resource" }) { parameters.remove("resource") }
        try parameters.addExtra(
            try document.parameters(preset, takesJSON: true), of: preset, then: extra, reserved: reserved)
        // RFC 8693 §2.1
        guard (parameters["actor_token"] == nil) == (parameters["actor_token_type"] == nil) else {
            throw OAuthError(
                .usage, "actor_token and actor_token_type must be given together",
                hint: "use --actor-token-file PATH and --actor-token-type TYPE", member: "actor_token_type")
        }
    }

    /// The grant with other values of its secrets; those that it does not have are left out.
    package func replacing(_ secrets: [String: String]) -> Grant {
        changing(self) { $0.parameters.replace(secrets) }
    }

    /// The parameters with an assertion, which a server may take only once (RFC 7523 §3, RFC 7522 §3). A subject token is
    /// one unless it is an access token.
    package var assertions: [String] {
        let names = [("assertion", nil), ("subject_token", "subject_token_type"), ("actor_token", "actor_token_type")]
        return names.filter { name, type in
            let type = type.flatMap { parameters[$0] } ?? ""
            return parameters[name] != nil && !type.hasSuffix(":token-type:access_token")
        }.map(\.0)
    }

    package var secrets: [String] { (kind.secretParameters + kind.secretMembers).compactMap { parameters[$0] } }

    /// Whether an error says that the grant does not work any more (RFC 6749 §5.2): a refresh token, by whatever name. A
    /// gateway that limits or authenticates does not speak for the token endpoint.
    package func isRefused(by error: OAuthError) -> Bool {
        let isOfEndpoint = !error.isTransient && error.status != 407
        let isNamed = kind.renews && error.namesToken && error.cause != .certificate
        return isOfEndpoint && (error.kind == .oauth && error.code == "invalid_grant" || isNamed)
    }

    /// The error with what to do about it; that of a refused refresh says that the user must log in.
    package func withHint(for error: OAuthError) -> OAuthError {
        var error = error
        if isRefused(by: error) {
            error.kind = kind.refusal
            if let hint = kind.refusalHint { (error.hint, error.cause) = (hint, .grant) }
        }
        error.hint = error.hint ?? scope.hint(for: error.code)
        guard error.kind == .httpStatus, error.status == 400, error.hint == nil else { return error }
        if kind.renews {
            error.hint = "the server may not know the refresh token any more: log in again"
            error.cause = .grant
        } else if error.codeDescription == nil {
            error.hint = "the server does not say why: check client_id and the parameters; -vv shows the request"
        }
        return error
    }
}
