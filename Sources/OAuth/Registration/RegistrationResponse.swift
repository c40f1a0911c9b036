internal import Members
package import Wire

/// The registration of a client, as the server answers it (RFC 7591 §3.2.1, RFC 7592 §3).
package struct RegistrationResponse: Sendable {
    package private(set) var members: JSONObject
    package private(set) var warnings: [OAuthWarning]

    /// Refuses one without a `client_id`, for another client, with a member that no client can have, without the secret
    /// that a new client needs, or where a new client lacks a redirect URI that was asked for (`redirect_mismatch`).
    package init(_ response: EndpointResponse, to request: RegistrationRequest) throws(OAuthError) {
        let expected = request.action == .register ? 201 : 200
        var body: EndpointMembers
        do throws(OAuthError) {
            body = try response.members(of: "the registration endpoint", expecting: expected)
        } catch {
            throw request.withHint(for: error, in: response)
        }
        var warnings = body.warnings
        let known = Member.registrationResponse
        if request.action == .read || request.metadata["client_jwks_uri"] != nil {
            body.members = ClientMetadata.received(body.members)
        }
        // Some servers list all members that they know.
        body.members = JSONObject(unique: body.members.members.filter { !$0.value.isNull })
        members = body.others(besides: known, keeping: known, &warnings)
        self.warnings = warnings
        try checkIdentity(request)
        try checkRedirects(request)
        checkManagement(request)
        compare(with: request.metadata)
        do throws(OAuthError) {
            try Document(members).checkClient()
        } catch {
            throw OAuthError(.invalidResponse, "in the server's answer, \(error.message)", member: error.member)
        }
    }

    /// Checks the answer to a deletion (RFC 7592 §2.3).
    ///
    /// - Throws: `redirect_refused`, `oauth`, `http_status`: the client must be taken for registered still.
    package static func checkDeletion(
        _ response: EndpointResponse, by request: RegistrationRequest
    ) throws(OAuthError) -> [OAuthWarning] {
        do throws(OAuthError) {
            return try response.members(of: "the registration endpoint", expecting: 204, for: .confirmation)
                .warnings
        } catch {
            throw request.withHint(for: error, in: response)
        }
    }
}

extension RegistrationResponse {
    /// Leaves a secret out that the server has only repeated: the document has it in a file, or a variable holds it.
    package mutating func dropUnchanged(_ name: String, from value: String?) {
        if let value, members[name]?.string?.isIdentical(to: value) == true { members[name] = nil }
    }

    /// The client document that follows from the answer: the members of the answer in the place of those before. A new
    /// client keeps nothing of another one's registration.
    ///
    /// - Parameter before: the document that the request was made of.
    package func client(after before: JSONObject, _ request: RegistrationRequest) -> JSONObject {
        var client = before
        client.remove(Member.forms(of: "initial_access_token"))
        if request.action == .register {
            client.remove(Member.ofRegistration)
            for member in request.metadata.members { client[member.name] = member.value }
        }
        // Without a method, a client that was issued a secret authenticates with it (RFC 7591 §2).
        if hasSecret, client["token_endpoint_auth_method"] == .string("none") {
            client["token_endpoint_auth_method"] = nil
        }
        if request.action == .register, !hasSecret, members["token_endpoint_auth_method"] == nil,
            client["token_endpoint_auth_method"] == nil
        {
            client["token_endpoint_auth_method"] = .string("none")
        }
        // Without a requested scope, the scope of the answer is a limit, not what to ask for.
        let takesScope = request.action == .read || request.metadata["scope"] != nil
        for member in members.members where takesScope || member.name != "scope" {
            client[member.name] = member.value
        }
        if hasUnusedSecret(at: before) { client["token_endpoint_auth_method"] = nil }
        for name in Member.issuedSecrets where members[name] != nil { client["\(name)_file"] = nil }
        if client["redirect_uri"] == nil, let uris = client["redirect_uris"]?.strings, uris.count == 1 {
            client["redirect_uri"] = RedirectURI.withFreePort(uris[0]).map { .string($0) }
        }
        return client
    }
}

extension RegistrationResponse {
    /// Whether the client has a secret, and the method `none`, which its server does not list: some servers repeat the
    /// method that was asked for, and want the secret that they issue to every client. HTTP Basic is the method of a server
    /// that lists no method (RFC 8414 §2).
    package func hasUnusedSecret(at metadata: JSONObject) -> Bool {
        let listed = metadata["token_endpoint_auth_methods_supported"]?.strings ?? []
        return hasSecret && members["token_endpoint_auth_method"] == .string("none") && !listed.contains("none")
    }

    private var hasSecret: Bool { members[ClientCredential.secret.member] != nil }

    private mutating func checkIdentity(_ request: RegistrationRequest) throws(OAuthError) {
        if case .number(let text) = members["client_id"] {
            members["client_id"] = .string(text)
            warnings.append(.other("client_id in the server's answer is a number; oap takes it as text"))
        }
        guard let id = members["client_id"]?.string, !id.isEmpty else {
            throw OAuthError(.invalidResponse, "the server's answer has no client_id", member: "client_id")
                .saying(.object(members))
        }
        if let expected = request.clientID, !expected.isIdentical(to: id) {
            throw OAuthError(.invalidResponse, "the server's answer is about another client", member: "client_id")
        }
        for name in Member.issuedSecrets {
            guard let value = members[name] else { continue }
            guard let text = value.string else {
                throw OAuthError(
                    .invalidResponse, "\(name) in the server's answer is \(value.kindNoun), not a string", member: name)
            }
            if text.isEmpty { members[name] = nil }
        }
        // glewlwyd answers a read with an array of the one method.
        if let methods = members["token_endpoint_auth_method"]?.array, methods.count == 1 {
            members["token_endpoint_auth_method"] = methods[0]
        }
        guard request.action == .register else { return }
        let name = "token_endpoint_auth_method"
        let method = (members[name] ?? request.metadata[name])?.string ?? ""
        // A secret from a variable or a profile is another client's.
        if let credential = ClientCredential(method: method), credential.isIssued, members[credential.member] == nil {
            throw OAuthError(
                .invalidResponse, "the server's answer has no \(credential.member), which \(method) needs",
                hint: "the server has registered a client nevertheless", member: credential.member)
        }
        for credential in ClientCredential.allCases
        where members[credential.member] != nil && members[credential.endMember]?.seconds == nil {
            warnings.append(.expiryMissing(of: credential.member))
        }
    }

    /// A new client without its redirect URI cannot log in; with another one the code would go elsewhere.
    private func checkRedirects(_ request: RegistrationRequest) throws(OAuthError) {
        guard request.action == .register, let registered = members["redirect_uris"],
            let asked = request.metadata["redirect_uris"]?.strings
        else { return }
        let uris = registered.strings ?? []
        guard let missing = asked.first(where: { uri in !uris.contains { $0.isIdentical(to: uri) } }) else { return }
        throw OAuthError(
            .redirectMismatch, "the server did not register the redirect URI \(missing)",
            hint: "the server has registered a client nevertheless; do not use this client", member: "redirect_uris")
    }

    /// The two members that manage the registration come together, and the address is one that a token may be sent to:
    /// on this machine only if the registration endpoint is (a stranger could name a service that only it reaches).
    private mutating func checkManagement(_ request: RegistrationRequest) {
        let (uri, token) = ("registration_client_uri", "registration_access_token")
        if let value = members[uri] {
            let address = value.string.flatMap { try? Endpoint($0, name: uri) }
            let isLocal = request.endpoint.url.mayBeLocal
            if address.map({ $0.url.mayBeLocal && !isLocal }) ?? true {
                members[uri] = nil
                warnings.append(.managementUnusable(missing: uri))
                return
            }
        }
        // An answer to a later request need not repeat them.
        guard request.action == .register, (members[uri] == nil) != (members[token] == nil) else { return }
        warnings.append(.managementUnusable(missing: members[uri] == nil ? uri : token))
    }

    /// Warns where the server registered something else than was asked for, which it may (RFC 7591 §3.2.1).
    private mutating func compare(with asked: JSONObject) {
        for member in asked.members {
            guard let value = members[member.name], !Self.isSame(member.value, value, of: member.name),
                ClientCredential(rawValue: member.name) == nil
            else { continue }
            warnings.append(.registeredOther(member.name, value.text))
        }
    }

    /// Lists and the scope are sets.
    private static func isSame(_ asked: JSON, _ registered: JSON, of name: String) -> Bool {
        if name == "scope", let asked = asked.string, let registered = registered.string {
            return Set(Scope(splitting: asked, at: " ").values) == Set(Scope(splitting: registered, at: " ").values)
        }
        guard let asked = asked.strings, let registered = registered.strings else { return asked == registered }
        return Set(asked) == Set(registered)
    }
}

extension RegistrationRequest {
    /// The error with what to do about it. A server may say no in the challenge alone (RFC 7592 §2, RFC 6750 §3).
    fileprivate func withHint(for error: OAuthError, in response: EndpointResponse) -> OAuthError {
        var error = error
        let challenges = response.head.headers.challenges
        if error.kind == .httpStatus, error.status == 401 || error.status == 403 {
            error.kind = .oauth
            error.code = challenges.compactMap { $0["error"] }.first
            let why = error.codeDescription.map { " (\($0))" } ?? ""
            error.message = error.code.map { "the authorization server said \($0)\(why)" } ?? error.message
        }
        guard error.hint == nil else { return error }
        if action == .register, error.code == "invalid_redirect_uri" {
            error.hint = "name another redirect URI with --redirect-uri"
        } else if lacksSubject, error.code == "invalid_client_metadata" {
            error.hint = """
                the server may want the subject of the certificate: oap register takes it as the member \
                "tls_client_auth_subject_dn" of its document
                """
        } else if error.status == 401 || error.status == 403 {
            error.hint =
                action == .register
                ? "ask the server's operator for an initial access token, and use --initial-access-token-file"
                : "the client may have been deleted, or its registration_access_token replaced"
        }
        return error
    }

    /// Whether the client authenticates with a certificate of which nothing is registered (RFC 8705 §2.1.2).
    private var lacksSubject: Bool {
        let method = ClientAuthenticationMethod.tls.rawValue
        return metadata["token_endpoint_auth_method"] == .string(method)
            && !metadata.members.contains { $0.name.hasPrefix("\(method)_") }
    }
}
