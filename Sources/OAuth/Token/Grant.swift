internal import Wire

/// What is traded for a token, and the parameters that say so (RFC 6749 §4).
package struct Grant: Sendable {
    /// The grants. Each has a file of its own, with its facts and the way in which it is made of a document.
    package enum Kind: Sendable, Equatable {
        case authorizationCode, clientCredentials, deviceCode, refreshToken
        /// A grant that only its own specification knows (RFC 6749 §4.5), by its type.
        case other(String)

        /// Those that have a name of their own.
        static let named: [Kind] = [.authorizationCode, .clientCredentials, .deviceCode, .refreshToken]
    }

    /// Which one it is.
    package let kind: Kind
    /// The scope that is asked for, or was asked for when the grant was made.
    package let scope: Scope
    /// The parameters, `grant_type` first.
    package internal(set) var parameters = Parameters()

    init(_ kind: Kind, scope: Scope) {
        self.kind = kind
        self.scope = scope
        parameters.add("grant_type", kind.facts.type)
    }

    /// Makes the grant of a document.
    ///
    /// - Parameters:
    ///   - secret: the value of its `secretMember`.
    ///   - scope: a narrower scope to ask for, where the grant takes one.
    /// - Throws: what the grant's own way of making it throws.
    package init(_ kind: Kind, of document: Document, secret: String?, scope: String? = nil) throws(OAuthError) {
        switch kind {
        case .authorizationCode: self = try .authorizationCode(document)
        case .clientCredentials: self = try .clientCredentials(document)
        case .deviceCode: self = try .deviceCode(document)
        case .refreshToken: self = try .refresh(document, refreshToken: secret ?? "", scope: scope)
        case .other(let type): self = try .other(type, document)
        }
    }
}

extension Grant.Kind {
    /// What is true of it.
    package var facts: GrantFacts {
        switch self {
        case .authorizationCode: .authorizationCode
        case .clientCredentials: .clientCredentials
        case .deviceCode: .deviceCode
        case .refreshToken: .refreshToken
        case .other(let type): .other(type)
        }
    }

    /// The names that the document and `--grant` can use without a URN.
    package static let names = named.map(\.facts.name)

    /// The grant of a name, or of a `grant_type`.
    package init(named name: String) {
        self =
            Self.named.first { name.isIdentical(to: $0.facts.name) || name.isIdentical(to: $0.facts.type) }
            ?? .other(name)
    }

    /// The grant that a document is made for.
    ///
    /// - Throws: `usage` for a document that is made for more than one.
    package init(impliedBy document: Document) throws(OAuthError) {
        let held = [Self.authorizationCode, .deviceCode].filter { kind in
            kind.facts.impliedBy.map { document.members[$0]?.isNull == false } ?? false
        }
        guard held.count < 2 else {
            throw OAuthError(
                .usage, "the document has both code and device_code", hint: "--grant says which is meant",
                origin: .document)
        }
        self = held.first ?? .authorizationCode
    }
}

extension Grant {
    /// Parameters that `--param` may not set (RFC 6749 §2.3.1, §4.1.3, RFC 8628 §3.4).
    package static let reserved: Set<String> = [
        "grant_type", "code", "redirect_uri", "code_verifier", "device_code", "refresh_token", "client_id",
        "client_secret", "client_assertion", "client_assertion_type",
    ]

    /// Adds the parameters that a preset (`token_params`, `refresh_params`) or the caller (`--param`) names.
    ///
    /// - Throws: `usage`.
    package mutating func addExtra(
        _ extra: [(name: String, value: String)], of document: Document
    ) throws(OAuthError) {
        let preset = kind.facts.presetParameters
        let reserved = try ParameterNames(of: document).reserving(Self.reserved)
        try parameters.addExtra(try document.parameters(preset), reserved: reserved, member: preset)
        try parameters.addExtra(extra, reserved: reserved)
    }

    /// The secrets among its parameters.
    package var secrets: [String] { kind.facts.secretParameters.compactMap { parameters[$0] } }

    /// What the server's refusal means (RFC 6749 §5.2): what to do about it, and for a refresh that a person must log in.
    package func explained(_ error: OAuthError) -> OAuthError {
        var error = error
        if error.kind == .oauth, error.code == "invalid_grant" {
            error.kind = kind.facts.refusal
            error.hint = kind.facts.refusalHint ?? error.hint
        } else if error.code == "invalid_client" {
            error.hint = "check client_id, the secret and token_endpoint_auth_method"
        }
        return error
    }
}
