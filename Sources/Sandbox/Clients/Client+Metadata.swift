internal import JOSE
internal import Wire

extension Client {
    /// Checks the metadata of a registration request (RFC 7591 §2). Unknown members and null are ignored (§2, RFC 7592
    /// §2.2). What is supported only in part is narrowed (§3.2.1): grants, response types, scope. The default takes the
    /// place of an authentication method, an algorithm or a subject type that is not supported.
    ///
    /// - Parameter newSecret: the secret, if the client authenticates with one.
    /// - Throws: the errors of RFC 7591 §3.2.2.
    init(
        registering asked: JSONObject, _ settings: SandboxSettings, id: String, issuedAt: Int, newSecret: String
    ) throws(Refusal) {
        guard asked["software_statement"] == nil else {
            throw Refusal("unapproved_software_statement", "software statements are not supported")
        }
        let supported = settings.takesCertificates ? Self.supported.union(Self.ofCertificates) : Self.supported
        let asked = JSONObject(unique: asked.members.filter { supported.contains($0.name) && !$0.value.isNull })
        try Self.checkWithoutEffect(asked)
        self.init(id: id, authenticationMethods: [], redirectURIs: [], grantTypes: [])
        isBoundByDPoP = try Self.bool("dpop_bound_access_tokens", of: asked)
        isBoundByCertificate = try Self.bool("tls_client_certificate_bound_access_tokens", of: asked)
        requiresPushedRequests = try Self.bool("require_pushed_authorization_requests", of: asked)
        let named = try Self.string("token_endpoint_auth_method", of: asked)
        // The response says so when the default takes the place of one that is not supported.
        let method = named.flatMap { AuthenticationMethod(rawValue: $0) } ?? .basic
        authenticationMethods = [method]
        guard settings.takesCertificates || !method.isByCertificate else {
            throw .invalidMetadata("client certificates need --mtls-port")
        }
        certificateSubject = try Self.certificateSubject(of: asked)
        guard method != .tls || certificateSubject != nil else {
            throw .invalidMetadata(
                "tls_client_auth needs one of \(ClientCertificate.subjectMembers.joined(separator: ", "))")
        }
        try setGrants(from: asked)
        try setKeys(from: asked, for: method)
        assertionAlgorithm = try Self.assertionAlgorithm(of: asked, for: method)
        requiresSignedRequestObjects = try Self.bool("require_signed_request_object", of: asked)
        requestObjectAlgorithm = try Self.requestObjectAlgorithm(
            of: asked, for: method, mustSign: requiresSignedRequestObjects)
        try setProtection(from: asked)
        scope = try Self.scope(of: asked, among: settings.supportedScope)
        registeredDetailTypes = try Self.strings("authorization_details_types", of: asked)?.filter(
            settings.detailTypes.contains)
        secret = method.hasSecret ? newSecret : nil
        metadata = description(from: asked, issuedAt: issuedAt)
    }

    private mutating func setGrants(from asked: JSONObject) throws(Refusal) {
        grantTypes = try Self.grantTypes(of: asked)
        guard authenticationMethods != [.none] || !grantTypes.contains(.clientCredentials) else {
            throw .invalidMetadata("client_credentials needs a client that authenticates")
        }
        redirectURIs = try Self.redirectURIs("redirect_uris", of: asked) ?? []
        logoutRedirectURIs = try Self.redirectURIs("post_logout_redirect_uris", of: asked)
        guard !redirectURIs.isEmpty || !grantTypes.contains(.authorizationCode) else {
            throw Refusal("invalid_redirect_uri", "the code grant needs redirect_uris")
        }
    }

    /// The metadata for the response: what was asked for, as it was registered.
    private func description(from asked: JSONObject, issuedAt: Int) -> JSONObject {
        var members = asked
        members["jwks_uri"] = keySetURL.map { .string($0) }
        members["token_endpoint_auth_method"] = .string(authenticationMethods[0].rawValue)
        members["token_endpoint_auth_signing_alg"] = assertionAlgorithm.map { .string($0.rawValue) }
        members["request_object_signing_alg"] = requestObjectAlgorithm.map { .string($0) }
        members["grant_types"] = .strings(grantTypes.map(\.rawValue))
        members["response_types"] = .strings(grantTypes.contains(.authorizationCode) ? ["code"] : [])
        // A client that names no scope is not limited to one: none is registered for it.
        if members["scope"] != nil { members["scope"] = scope.values.isEmpty ? nil : .string(scope.text) }
        members["authorization_details_types"] = registeredDetailTypes.map { .strings($0) }
        describeProtection(in: &members)
        if members["subject_type"] != nil { members["subject_type"] = .string("public") }
        members["client_id"] = .string(id)
        members["client_id_issued_at"] = .integer(issuedAt)
        if let secret {
            members["client_secret"] = .string(secret)
            members["client_secret_expires_at"] = .integer(0)
        }
        return members
    }

    /// Texts that are only returned.
    private static let texts = [
        "client_name", "client_uri", "logo_uri", "tos_uri", "policy_uri", "software_id", "software_version",
        "application_type",
    ]
    /// The registered metadata: those texts, and the members that the sandbox supports. Others are ignored.
    private static let supported = Set(
        texts + ProtectedResponse.members + [
            "redirect_uris", "token_endpoint_auth_method", "grant_types", "response_types", "scope", "contacts", "jwks",
            "jwks_uri", "subject_type", "dpop_bound_access_tokens", "require_pushed_authorization_requests",
            "post_logout_redirect_uris", "token_endpoint_auth_signing_alg", "request_object_signing_alg",
            "require_signed_request_object", "authorization_details_types",
        ])
    /// The members only for a sandbox that takes client certificates (RFC 8705).
    private static let ofCertificates =
        ["tls_client_certificate_bound_access_tokens"] + ClientCertificate.subjectMembers

    /// Checks the form of the members whose values have no effect: those that are only returned, and those with a single
    /// supported value, which takes the place of any other.
    private static func checkWithoutEffect(_ members: JSONObject) throws(Refusal) {
        for name in texts { _ = try string(name, of: members) }
        _ = try strings("contacts", of: members)
        _ = try string("subject_type", of: members)
        _ = try strings("response_types", of: members)
    }

    private static func strings(_ name: String, of members: JSONObject) throws(Refusal) -> [String]? {
        guard let value = members[name] else { return nil }
        guard let strings = value.strings else { throw .invalidMetadata("\(name) is not an array of strings") }
        return strings
    }

    static func string(_ name: String, of members: JSONObject) throws(Refusal) -> String? {
        guard let value = members[name] else { return nil }
        guard let string = value.string else { throw .invalidMetadata("\(name) is not a string") }
        return string
    }

    private static func bool(_ name: String, of members: JSONObject) throws(Refusal) -> Bool {
        guard let value = members[name] else { return false }
        guard let bool = value.bool else { throw .invalidMetadata("\(name) is not true or false") }
        return bool
    }

    /// The supported grants. If there is none, the code grant takes their place, the default of RFC 7591 §2, as far as the
    /// client can use it.
    private static func grantTypes(of members: JSONObject) throws(Refusal) -> [GrantType] {
        guard let names = try strings("grant_types", of: members) else { return [.authorizationCode, .refreshToken] }
        let grants = names.compactMap { GrantType(rawValue: $0) }
        guard grants.isEmpty, !names.isEmpty else { return grants }
        guard members["redirect_uris"] != nil else { throw .invalidMetadata("none of the grant_types is supported") }
        return [.authorizationCode]
    }

    /// The schemes with a standard meaning, which an application cannot use.
    private static let foreignSchemes: Set = [
        "about", "blob", "data", "file", "ftp", "javascript", "mailto", "urn", "vbscript", "ws", "wss",
    ]

    /// Absolute, without a fragment, and of https, http on loopback, or the scheme of an application (RFC 6749 §3.1.2,
    /// RFC 8252 §7.1 and §8.3). A scheme without a dot is allowed: `myapp` is common.
    private static func redirectURIs(_ name: String, of members: JSONObject) throws(Refusal) -> [String]? {
        guard let uris = try strings(name, of: members) else { return nil }
        for uri in uris {
            guard let url = WebURL(uri), url.fragment == nil else {
                throw Refusal("invalid_redirect_uri", "a redirect URI is not absolute or has a fragment")
            }
            let isRight =
                switch url.scheme {
                case "https": url.host?.isEmpty == false
                case "http": url.isLoopback
                default: !foreignSchemes.contains(url.scheme)
                }
            // These characters would end a source or a directive of the Content-Security-Policy, which contains the
            // host.
            guard url.host?.contains(where: { $0 == ";" || $0 == "," }) != true else {
                throw Refusal("invalid_redirect_uri", "the host of a redirect URI has a semicolon or a comma")
            }
            guard isRight else {
                throw Refusal(
                    "invalid_redirect_uri", "a redirect URI is not https, http on loopback or an application's scheme")
            }
        }
        return uris
    }

    /// The member that names the certificate; one at most (RFC 8705 §2.1.2).
    private static func certificateSubject(of members: JSONObject) throws(Refusal) -> (name: String, value: String)? {
        var found: [(name: String, value: String)] = []
        for name in ClientCertificate.subjectMembers {
            if let value = try string(name, of: members) { found.append((name, value)) }
        }
        guard found.count <= 1 else {
            throw .invalidMetadata("a client may have only one of \(found.map(\.name).joined(separator: ", "))")
        }
        return found.first
    }

    /// The algorithm of client assertions; nil if it is not named, or is none of the authentication method.
    private static func assertionAlgorithm(
        of members: JSONObject, for method: AuthenticationMethod
    ) throws(Refusal) -> SignatureAlgorithm? {
        guard let name = try string("token_endpoint_auth_signing_alg", of: members),
            let algorithm = SignatureAlgorithm(named: name),
            method == (algorithm.isSymmetric ? .secretJWT : .privateKeyJWT)
        else { return nil }
        return algorithm
    }

    /// The algorithm of request objects; nil for any: if it is not named, if it needs a secret that the client does not
    /// have, and for none at a client that must sign.
    private static func requestObjectAlgorithm(
        of members: JSONObject, for method: AuthenticationMethod, mustSign: Bool
    ) throws(Refusal) -> String? {
        guard let name = try string("request_object_signing_alg", of: members) else { return nil }
        guard let algorithm = SignatureAlgorithm(named: name) else {
            return name == RequestObject.unsigned && !mustSign ? name : nil
        }
        return algorithm.isSymmetric && !method.hasSecret ? nil : name
    }

    /// The known values; the response shows the client which are registered.
    private static func scope(of members: JSONObject, among supported: Scope) throws(Refusal) -> Scope {
        guard let text = try string("scope", of: members) else { return supported }
        return Scope(text.split(separator: " ").map(String.init).filter(supported.contains))
    }
}
