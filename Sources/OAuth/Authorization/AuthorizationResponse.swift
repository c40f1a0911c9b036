internal import JOSE
package import Wire

/// The answer of the authorization endpoint, as the redirect brought it (RFC 6749 §4.1.2, §4.1.2.1).
package struct AuthorizationResponse: Sendable {
    let code: String
    /// The issuer that the answer names (RFC 9207 §2).
    let issuer: String?
    /// The parameters that mean nothing to `oap`.
    let unknown: JSONObject
    package let warnings: [OAuthWarning]

    /// Checks a callback against the flow that asked for it, in a fixed order: shape, redirect URI, channel, JARM, no
    /// parameter twice, state, issuer, error, no token, code.
    ///
    /// - Parameter token: of a request for a signed response, ``token(of:for:)`` with its signature checked.
    /// - Throws: ``OAuthError``: `parse`, `redirect_mismatch`, `wrong_channel`, `jarm_unexpected`, `invalid_response`,
    ///   `duplicate_param`, `state_missing`, `state_mismatch`, `iss_missing`, `iss_mismatch`, `authorization`,
    ///   `unexpected_param`, `code_missing`.
    package init(_ callback: Callback, verified token: JSONWebToken? = nil, for flow: Document) throws(OAuthError) {
        var received = try Self.received(callback, for: flow)
        let isSigned = try ResponseMode(of: flow).isSigned
        if isSigned, let token {
            if let name = Self.known.first(where: { name in
                token.claims[name].map { !$0.isNull && $0.string == nil } ?? false
            }) {
                throw OAuthError(.invalidResponse, "the \(name) of the signed response is not a string", member: name)
            }
            received = Callback.claimed(by: token)
        } else if isSigned || received.contains(where: { $0.name == Callback.response && !$0.value.isEmpty }) {
            throw OAuthError(
                .jarmUnexpected, "the callback is a signed response (JARM) that was not asked for",
                member: Callback.response)
        }
        let (parameters, repetition) = try Self.distinct(received)
        var warnings: [OAuthWarning] = []
        do throws(OAuthError) {
            try Self.checkState(parameters["state"], for: flow)
            try Self.checkIssuer(parameters["iss"], for: flow, warnings: &warnings)
        } catch {
            throw repetition ?? Self.withHint(for: error, callback, parameters["error"])
        }
        if let error = parameters["error"] { throw try Self.refusal(error, parameters, of: flow) }
        if let repetition { throw repetition }
        for name in ["access_token", "id_token"] where parameters[name] != nil {
            throw OAuthError(
                .unexpectedParameter, "the callback has the parameter \(name), which is not allowed in the code flow",
                member: name)
        }
        guard let code = parameters["code"] else {
            throw OAuthError(.codeMissing, "the callback has no code", member: "code")
        }
        self.code = code
        issuer = parameters["iss"]
        unknown = JSONObject(
            unique: received.filter { !Self.known.contains($0.name) && !$0.value.isEmpty }
                .map { .init(name: $0.name, value: .string($0.value)) })
        self.warnings = warnings
    }

    /// The flow document with what the callback brought, without what it used up (oap-documents(5), FLOW DOCUMENTS).
    package func document(from flow: JSONObject) -> JSONObject {
        var document = flow
        document.remove(Member.of(.callback))
        document["code"] = .string(code)
        document["iss"] = issuer.map { .string($0) }
        document["callback_params"] = unknown.isEmpty ? nil : .object(unknown)
        return document
    }

    private static let known: Set<String> = ["code", "state", "iss", "error", "error_description", "error_uri"]
}

extension AuthorizationResponse {
    /// The parameters of a callback for a flow; see ``init(_:verified:for:)``.
    static func received(_ callback: Callback, for flow: Document) throws(OAuthError) -> [(name: String, value: String)]
    {
        let redirectURI = try flow.blaming(RedirectURI(flow.required("redirect_uri")))
        return try parameters(of: callback, for: redirectURI, mode: try ResponseMode(of: flow).channel)
    }

    /// The parameters of a callback, those of the redirect URI itself taken out.
    ///
    /// - Throws: `parse`, `redirect_mismatch`, `wrong_channel`.
    private static func parameters(
        of callback: Callback, for redirectURI: RedirectURI, mode: ResponseMode
    ) throws(OAuthError) -> [(name: String, value: String)] {
        switch callback {
        case .url(let url):
            try check(url, against: redirectURI)
            let query = try withoutRegistered(Callback.parse(url.query ?? ""), of: redirectURI)
            let fragment = url.fragment == "_=_" ? "" : url.fragment ?? ""
            return try choose(query: query, fragment: try Callback.parse(fragment), mode: mode)
        case .target(let path, let query):
            if !path.isEmpty, !path.isIdentical(to: redirectURI.url.path) { throw mismatch("path") }
            let query = try withoutRegistered(Callback.parse(query), of: redirectURI)
            return try choose(query: query, fragment: [], mode: mode)
        case .bare(let text):
            return try withoutRegistered(Callback.parse(text), of: redirectURI, isComplete: false)
        case .fragment(let text):
            return try choose(query: [], fragment: try Callback.parse(text), mode: mode)
        case .form(let body, let contentType, let url):
            if let url {
                try check(url, against: redirectURI)
                let query = try withoutRegistered(Callback.parse(url.query ?? ""), of: redirectURI)
                guard query.isEmpty else { throw wrongChannel("in the query and in the body", mode) }
            }
            guard mode == .formPost else { throw wrongChannel("in a POST body", mode) }
            guard
                contentType.map(MediaType.init)?.essence ?? "application/x-www-form-urlencoded"
                    == "application/x-www-form-urlencoded"
            else { throw OAuthError(.wrongChannel, "the callback was posted as \(contentType ?? ""), not as a form") }
            return try Callback.parse(body)
        }
    }

    /// RFC 8252 §8.10: scheme and host without case, port, path and user information exactly.
    private static func check(_ url: WebURL, against redirectURI: RedirectURI) throws(OAuthError) {
        let expected = redirectURI.url
        let parts = [
            ("scheme", url.scheme == expected.scheme), ("host", url.host == expected.host),
            ("port", url.effectivePort == expected.effectivePort),
            ("path", url.path == expected.path || url.path == "/" && expected.path.isEmpty),
            ("user name or password", url.userinfo == expected.userinfo),
        ]
        guard let part = parts.first(where: { !$0.1 })?.0 else { return }
        let isRequest = (try? Callback.parse(url.query ?? ""))?.contains { $0.name == "response_type" } ?? false
        guard isRequest else { throw mismatch(part) }
        throw mismatch(
            part,
            hint: "the callback is the URL of the login page; give the URL that the browser shows after the login")
    }

    private static func mismatch(
        _ part: String, hint: String = "this callback belongs to another request"
    ) -> OAuthError {
        OAuthError(
            .redirectMismatch, "the \(part) of the callback is not that of redirect_uri", hint: hint,
            member: "redirect_uri")
    }

    private static func wrongChannel(_ place: String, _ mode: ResponseMode) -> OAuthError {
        let wanted =
            switch mode {
            case .query: "in the query"
            case .fragment: "in the fragment"
            case .formPost: "in a POST body"
            case .jwt, .queryJWT, .fragmentJWT, .formPostJWT: "in a JWT"
            }
        return OAuthError(
            .wrongChannel, "the callback has its parameters \(place), but the request asked for them \(wanted)")
    }

    /// Takes the parameters of the redirect URI's own query out, once each.
    private static func withoutRegistered(
        _ received: [(name: String, value: String)], of redirectURI: RedirectURI, isComplete: Bool = true
    ) throws(OAuthError) -> [(name: String, value: String)] {
        var rest = received
        for (name, value) in try Callback.parse(redirectURI.url.query ?? "") {
            guard let index = rest.firstIndex(where: { $0.name.isIdentical(to: name) }) else {
                if isComplete { throw mismatch("query") }
                continue
            }
            guard rest[index].value.isIdentical(to: value) else { throw mismatch("query") }
            rest.remove(at: index)
        }
        return rest
    }

    private static func choose(
        query: [(name: String, value: String)], fragment: [(name: String, value: String)], mode: ResponseMode
    ) throws(OAuthError) -> [(name: String, value: String)] {
        switch mode {
        case .query:
            guard fragment.isEmpty else { throw wrongChannel("in the fragment", mode) }
            return query
        case .fragment:
            guard query.isEmpty else { throw wrongChannel("in the query", mode) }
            return fragment
        case .formPost:
            guard query.isEmpty, fragment.isEmpty else { throw wrongChannel("in the URL", mode) }
            return []
        case .jwt, .queryJWT, .fragmentJWT, .formPostJWT: return []
        }
    }
}

extension AuthorizationResponse {
    /// The parameters by name; one without a value counts as absent (RFC 6749 §3.1). What a server says twice beside its
    /// error, such as a description letter by letter, does not hide the error: the failure for it is returned.
    private static func distinct(
        _ received: [(name: String, value: String)]
    ) throws(OAuthError) -> (values: [String: String], repetition: OAuthError?) {
        var values: [String: String] = [:]
        var names: Set<[UInt8]> = []
        var repetition: OAuthError?
        for (name, value) in received {
            if !names.insert(Array(name.utf8)).inserted {
                let error = OAuthError(
                    .duplicateParameter, "the callback has the parameter \(name) twice", member: name)
                guard !["code", "state", "iss", "error", Callback.response].contains(name) else { throw error }
                repetition = repetition ?? error
            }
            if !value.isEmpty {
                values[name] = values[name].map { $0 + (value.count == 1 ? "" : " ") + value } ?? value
            }
        }
        return (values, repetition)
    }

    private static func checkState(_ received: String?, for flow: Document) throws(OAuthError) {
        guard let received else {
            throw OAuthError(
                .stateMissing, "the callback has no state",
                hint: "do not use this callback: it belongs to another request, or is forged", member: "state")
        }
        guard let sent = try flow.string("state") else {
            throw OAuthError(
                .stateMismatch, "the callback has a state, but the flow document has none",
                hint: "perhaps oap callback-parse has processed this flow document before", member: "state")
        }
        guard constantTimeEqual(received, sent) else {
            throw OAuthError(
                .stateMismatch, "the state of the callback is not the one that was sent",
                hint: "do not use this callback: it belongs to another request, or is forged", member: "state")
        }
    }

    /// RFC 9207 §2.4: simple string comparison. A server with an issuer for each tenant may name the person's.
    private static func checkIssuer(
        _ received: String?, for flow: Document, warnings: inout [OAuthWarning]
    ) throws(OAuthError) {
        let expected = try KnownIssuer(of: flow)
        guard let received else {
            guard try flow.bool("authorization_response_iss_parameter_supported") != true else {
                throw OAuthError(
                    .issuerMissing, "the callback has no iss, though the server says that it sends one", member: "iss")
            }
            guard try SecurityProfile(of: flow) == nil else {
                throw OAuthError(
                    .issuerMissing,
                    "the callback has no iss, which the profile fapi2 wants (FAPI 2.0, section 5.3.3.2)",
                    member: "iss")
            }
            return
        }
        guard let expected else {
            warnings.append(.issuerUnchecked)
            return
        }
        let isTenant = try TenantIssuer(of: flow)?.isTenant(received) ?? false
        guard expected.isNamed(by: received) || isTenant else {
            let error = OAuthError(
                .issuerMismatch, "the callback comes from issuer \(received), not from \(expected.text)",
                hint: """
                    this may be a mix-up attack (RFC 9207): do not use the callback; if the callback comes from the \
                    right server, correct the spelling of the issuer in the document
                    """, member: "iss")
            throw expected.namingSlash(in: error, from: received)
        }
    }

    /// Adds to a failed check which error the callback names, and what to do where a part of the URL was given.
    private static func withHint(for error: OAuthError, _ callback: Callback, _ code: String?) -> OAuthError {
        var error = error
        if let code { error.message += "; it says error=\(code)" }
        if case .bare = callback, [.stateMissing, .issuerMissing].contains(error.kind) {
            error.hint = "give the whole URL to which the browser was redirected"
        }
        return error
    }

    private static func refusal(
        _ code: String, _ parameters: [String: String], of flow: Document
    ) throws(OAuthError) -> OAuthError {
        let description = parameters["error_description"]
        let scope = Scope(splitting: try flow.string("scope") ?? "", at: try Scope.separator(of: flow))
        var error = OAuthError(
            .authorization, "the authorization server said \(code)" + (description.map { " (\($0))" } ?? ""),
            hint: scope.hint(for: code), code: code)
        (error.codeDescription, error.codeURI) = (description, parameters["error_uri"])
        return error
    }
}
