package import Wire

/// The request that sends a person to the authorization server (RFC 6749 §4.1.1), and what must be remembered of it.
package struct AuthorizationRequest: Sendable {
    /// How the code is protected on its way (RFC 7636).
    package enum Protection: Sendable, Equatable {
        case pkce(PKCE.Method)
        case none

        /// The protection that a document wants: S256, but with `pkce` false nothing.
        ///
        /// - Throws: `usage` when `pkce` is no boolean.
        package init(of document: Document) throws(OAuthError) {
            self = try document.bool("pkce") == false ? .none : .pkce(.s256)
        }
    }

    /// The random octets of one request, 32 each; never used twice (RFC 9700 §2.1.1).
    package struct Entropy: Sendable {
        /// The bytes that become `state` (RFC 6749 §10.12).
        var state: [UInt8]
        /// The bytes that become `nonce` (OpenID Connect Core §3.1.2.1).
        var nonce: [UInt8]
        /// The bytes that become `code_verifier` (RFC 7636 §4.1).
        var verifier: [UInt8]

        package init(state: [UInt8], nonce: [UInt8], verifier: [UInt8]) {
            (self.state, self.nonce, self.verifier) = (state, nonce, verifier)
        }
    }

    /// The parameters, in the order in which they are sent.
    package internal(set) var parameters = Parameters()
    /// The members that the flow document gets: `state`, `redirect_uri`, and, where they are used, `nonce`,
    /// `code_verifier`, and a preset's `max_age` and `claims`, by which an ID token is measured later.
    package private(set) var remembered = JSONObject()
    let endpoint: Endpoint
    private let names: ParameterNames
    package private(set) var warnings: [OAuthWarning] = []

    static let reserved =
        ClientAuthentication.reserved + [
            "response_type", "redirect_uri", "scope", "state", "nonce", "code_challenge", "code_challenge_method",
            "code_verifier", "dpop_jkt",
            "request", "request_uri", "response_mode",
        ]

    /// The port of the redirect URI is already chosen.
    ///
    /// - Parameters:
    ///   - extra: parameters of no meaning to `oap` (`--param`).
    ///   - keyThumbprint: that of the key that tokens are to be bound to (RFC 9449 §10).
    package init(
        of document: Document, redirectURI: RedirectURI, protection: Protection = .pkce(.s256),
        extra: [(name: String, value: String)] = [], keyThumbprint: String? = nil, entropy: Entropy
    ) throws(OAuthError) {
        try Self.refuseMembers(among: extra)
        let given = document
        let (document, preset) = try Self.takingMembers(outOfPresetOf: given)
        endpoint = try Endpoint("authorization_endpoint", in: document)
        try Self.refuseUnsupported(document)
        names = try ParameterNames(of: document)
        let scope = try Scope(of: document)
        let state = Base64.encodeURL(entropy.state)
        parameters.add("response_type", "code")
        parameters.add("client_id", try document.required("client_id"))
        parameters.add("redirect_uri", redirectURI.url.text)
        parameters.add("scope", try scope.parameter(of: document))
        parameters.add("state", state)
        remembered["state"] = .string(state)
        remembered["redirect_uri"] = .string(redirectURI.url.text)
        if scope.contains("openid") {
            let nonce = Base64.encodeURL(entropy.nonce)
            parameters.add("nonce", nonce)
            remembered["nonce"] = .string(nonce)
        }
        warnings += try ClientAuthentication.warnings(of: document)
        try protect(protection, of: document, entropy: entropy)
        parameters.add("dpop_jkt", keyThumbprint)
        try addOptional(of: document)
        for name in ["max_age", "claims"] where given.members[name]?.isNull ?? true {
            remembered[name] = document.members[name]
        }
        let reserved = names.reserving(Self.reserved)
        try parameters.addExtra(preset, of: "authorization_params", then: extra, reserved: reserved)
    }

    /// The URL to open (RFC 6749 §4.1.1): the endpoint's own query is kept.
    package var url: String { endpoint.url.adding(names.renaming(parameters.pairs)) }

    /// The URL to open after the request was pushed (RFC 9126 §4).
    package func url(pushedAs requestURI: String) -> String {
        endpoint.url.adding(
            names.renaming([("client_id", parameters["client_id"] ?? ""), ("request_uri", requestURI)]))
    }
}

extension AuthorizationRequest {
    /// Refuses `--param` for members with an option of their own, which are validated and recorded.
    private static func refuseMembers(among extra: [(name: String, value: String)]) throws(OAuthError) {
        guard let (name, _) = extra.first(where: { Member.request.contains($0.name) }) else { return }
        throw OAuthError(
            .usage, "--param cannot set the parameter \(name)",
            hint: "use \(Member.option(for: name))")
    }

    /// Moves members found in `authorization_params` into the document, so that they are validated; returns the rest.
    /// Existing members win.
    package static func takingMembers(
        outOfPresetOf document: Document
    ) throws(OAuthError) -> (document: Document, rest: [(name: String, value: String)]) {
        var merged = document
        var rest: [(name: String, value: String)] = []
        for (name, value) in try document.parameters("authorization_params") {
            guard Member.request.contains(name), !reserved.contains(name) else {
                rest.append((name, value))
                continue
            }
            guard merged.members[name]?.isNull ?? true else { continue }
            // These are JSON in a document, and the text of it in a parameter.
            let isJSON = name == "claims" || name == "authorization_details"
            merged.members[name] =
                (isJSON ? try? JSON(parsing: value, depth: JSON.maximumDepthOfPart) : nil) ?? .string(value)
        }
        return (merged, rest)
    }

    private mutating func protect(
        _ protection: Protection, of document: Document, entropy: Entropy
    ) throws(OAuthError) {
        guard case .pkce(let method) = protection else {
            warnings.append(.noPKCE)
            return
        }
        if method == .plain {
            warnings.append(.plainPKCE)
        } else {
            let offered = try document.strings("code_challenge_methods_supported")
            guard offered.isEmpty || offered.contains(PKCE.Method.s256.rawValue) else {
                let fact = "the server does not list S256 among its code_challenge_methods_supported"
                guard try SecurityProfile(of: document) == nil else {
                    throw OAuthError(.pkceUnsupported, "\(fact) (FAPI 2.0, section 5.3.2.2)")
                }
                throw OAuthError(
                    .pkceUnsupported, fact,
                    hint: "if nothing else works, use --code-challenge-method plain or --no-pkce")
            }
        }
        let verifier = PKCE.verifier(from: entropy.verifier)
        parameters.add("code_challenge", try PKCE.challenge(for: verifier, method: method))
        parameters.add("code_challenge_method", method.rawValue)
        remembered["code_verifier"] = .string(verifier)
    }

    private mutating func addOptional(of document: Document) throws(OAuthError) {
        try parameters.addResources(of: document)
        parameters.add("authorization_details", try Self.authorizationDetails(of: document))
        let prompt = try document.string("prompt")
        if let prompt, prompt.split(separator: " ").contains("none"), prompt != "none" {
            throw document.blame(
                OAuthError(.usage, "prompt=none cannot be combined with another value", member: "prompt"))
        }
        parameters.add("prompt", prompt)
        parameters.add("login_hint", try document.string("login_hint"))
        parameters.add("max_age", try document.wholeSeconds("max_age").map { String($0) })
        parameters.add("acr_values", try document.string("acr_values"))
        parameters.add("ui_locales", try document.string("ui_locales"))
        let mode = try ResponseMode(of: document)
        if mode != .query { parameters.add("response_mode", mode.rawValue) }
        // Without an issuer the response could not be checked, after the user has logged in.
        if mode.isSigned {
            _ = try JWTExpectation(for: .authorizationResponse, of: document)
            try JWTDecryption.check([.authorizationResponse], of: document)
        }
        let modes = try document.strings("response_modes_supported")
        if !modes.isEmpty, !modes.contains(mode.rawValue) {
            warnings.append(.unlisted("response_mode \(mode.rawValue)"))
        }
        if let claims = document.members["claims"], !claims.isNull {
            guard claims.object != nil else {
                throw document.wrongType("claims", expected: "an object", found: claims)
            }
            parameters.add("claims", claims.text)
            if try document.bool("claims_parameter_supported") == false {
                warnings.append(.unlisted("the claims parameter"))
            }
        }
    }

    /// RFC 9396 §2: an array of objects with a `type` each, sent as one JSON text.
    static func authorizationDetails(of document: Document) throws(OAuthError) -> String? {
        guard let details = document.members["authorization_details"], !details.isNull else { return nil }
        guard let array = details.array, array.allSatisfy({ $0.object?["type"]?.string != nil }) else {
            throw document.invalid(
                "authorization_details", "must be an array of objects with a type (RFC 9396 section 2)")
        }
        return details.text
    }

    /// What a document can ask for and this program does not do; silence would be worse than an error.
    private static func refuseUnsupported(_ document: Document) throws(OAuthError) {
        try refuseBoundTokens(document)
        try JWTDecryption.check(document)
        guard try document.string("response_type") ?? "code" == "code" else {
            throw document.invalid(
                "response_type", "must be code: other values put tokens into the redirect (RFC 9700)")
        }
    }

    /// Refuses a document that asks for tokens that are bound to a certificate, where there is none: bearer tokens would
    /// come in their place.
    static func refuseBoundTokens(_ document: Document) throws(OAuthError) {
        let name = "tls_client_certificate_bound_access_tokens"
        guard try document.bool(name) != true || document.hasCertificate else {
            throw OAuthError(
                .metadataMissing, "\(name) needs a certificate", hint: "use --cert FILE and --key FILE",
                member: "tls_client_certificate_file")
        }
    }
}
