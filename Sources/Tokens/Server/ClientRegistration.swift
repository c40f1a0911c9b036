package import Errands
internal import JOSE
package import OAuth
package import Wire
package import Shell

/// Registers a client at an authorization server (RFC 7591), and reads, updates or deletes its registration (RFC 7592).
package struct ClientRegistration {
    private let input: Input
    private let request: RegistrationRequest
    private let token: String?
    private let transport: Transport
    /// The scope of the client, if a wider one is registered.
    private var scope: String?

    /// Makes the request, and finds its token. Nothing is sent.
    ///
    /// - Throws: exit 2, 3, 9 or 11.
    package init(_ action: RegistrationRequest.Action, of input: Input, over transport: Transport) throws(Failure) {
        let transport = transport.serving(input.document)
        let input =
            switch action {
            case .register: try input.withKeyToRegister().withCertificate(of: transport, replacing: false)
            case .update: try input.withKeyToReplace().withCertificate(of: transport, replacing: true)
            case .read, .delete: input
            }
        (self.input, self.transport) = (input, transport)
        let hasSecret = input.document.members["token_endpoint_auth_method"] != .string("none")
        let secret = action == .update && hasSecret ? try input.secret(.secret) : nil
        request = try asFailure(RegistrationRequest(action, of: input.document, secret: secret))
        token = try input.secret(request.token.member)
        guard token != nil || !request.token.isRequired else {
            throw Failure(input.document.missing(request.token.member))
        }
    }

    /// Registers a native public client (RFC 8252) for one redirect URI, as `oap login --register` needs it. A server that
    /// issues a secret to it all the same, and does not list the method `none`, registers another one for HTTP Basic: it may
    /// want the secret, and may hold the client to the method that was asked for.
    ///
    /// - Parameters:
    ///   - redirectURI: the URI of the listener. With port 0 the URI is registered without a port, and the server has
    ///     to allow any (RFC 8252 §7.3); not every server does.
    ///   - input: the server's metadata with its `registration_endpoint`, and client metadata that goes before the
    ///     defaults, such as `client_name` and `scope`.
    ///   - wider: the scope to register in the place of the input's, which the client keeps.
    /// - Returns: the input's members with the client in them: a client document, with its secrets.
    /// - Throws: exit 3 without an endpoint, exit 4 to 12 for what was answered.
    package static func nativeClient(
        for redirectURI: String, of input: Input, within wider: String?, over transport: Transport
    ) throws(Failure) -> Attempt<JSONObject, ServerFault> {
        var input = input
        input.document.set("redirect_uri", to: .string(redirectURI), from: .option)
        let scope = wider == nil ? nil : input.document.members["scope"]?.string
        if let wider { input.document.members["scope"] = .string(wider) }
        let registration = try changing(ClientRegistration(.register, of: input, over: transport)) { $0.scope = scope }
        let method = "token_endpoint_auth_method"
        return registration.registered().onward { [input, registration] (client, hasUnusedSecret) throws(ServerFault) in
            guard hasUnusedSecret, input.document.origin(of: method) != .option else {
                return .done(.success(client))
            }
            transport.diagnostics.tell(
                "the server issues a secret to every client; oap registers a client with a secret")
            var input = input
            input.document.members[method] = .string(ClientAuthentication.Method.basic.rawValue)
            var again = try ServerFault.doing(ClientRegistration(.register, of: input, over: transport))
            again.scope = scope
            return again.registered().then { result in
                // After a refusal there is no second client.
                switch result {
                case .success(let found): .done(.success(found.client))
                case .failure(let fault) where fault.exit(registration.request.action.stake) == .refused:
                    .done(.success(client))
                case .failure(let fault): .done(.failure(fault))
                }
            }
        }
    }

    /// Sends the request, once.
    ///
    /// - Returns: the client document.
    /// - Throws: exit 4, 9 or 10 for what was answered, exit 6 or 12 without an answer.
    package func client() -> Attempt<JSONObject, Failure> {
        registered().mapFailure { Failure($0, stake: request.action.stake) }.reading { (found) throws(Failure) in
            guard found.hasUnusedSecret else { return found.client }
            let method = "token_endpoint_auth_method"
            let isAsked = input.document.origin(of: method) == .option
            try transport.diagnostics.warn([
                .other(
                    """
                    the server registered the method none, but issued a secret: \
                    \(isAsked ? "it may want the secret" : "oap authenticates the client with the secret")
                    """)
            ])
            guard isAsked else { return found.client }
            return found.client.setting(method, to: .string(ClientAuthentication.Method.none.rawValue))
        }
    }

    /// Sends the request, once.
    ///
    /// - Returns: the client document, and whether the client may have to use the secret that it does not use.
    /// - Throws: as `client()`.
    private func registered() -> Attempt<(client: JSONObject, hasUnusedSecret: Bool), ServerFault> {
        answer().reading { (response) throws(ServerFault) in
            var registration = try ServerFault.reading(RegistrationResponse(response, to: request))
            try ServerFault.doing(
                transport.diagnostics.warn(registration.warnings.filter { scope == nil || !$0.isOfScope }))
            for name in Member.issuedSecrets
            where request.action != .register && input.document.members[name] == nil {
                // What is in a file or a variable does not go from there into the document.
                registration.dropUnchanged(name, from: (try? input.secret(name)) ?? nil)
            }
            var client = registration.client(after: input.document.members, request)
            if let scope, let registered = client["scope"]?.string,
                Scope(splitting: scope).isContained(in: Scope(splitting: registered))
            {
                client["scope"] = .string(scope)
            }
            return (client, registration.hasUnusedSecret(at: input.document.members))
        }
    }

    package func delete() -> Attempt<Void, Failure> {
        answer().reading { (response) throws(ServerFault) in
            let warnings = try ServerFault.reading(RegistrationResponse.checkDeletion(response, by: request))
            try ServerFault.doing(transport.diagnostics.warn(warnings))
        }.mapFailure { Failure($0, stake: request.action.stake) }
    }

    private func answer() -> Attempt<EndpointResponse, ServerFault> {
        transport.answer(to: ServerRequest(message: request.message(token: token)))
    }
}

extension Input {
    /// The input with the public half of the key that its client is to authenticate with; a new key if there is none. A set
    /// of the document is registered as it is.
    ///
    /// - Throws: exit 2, 3 or 11 for a key that cannot be used.
    package func withKeyToRegister() throws(Failure) -> Input {
        let (method, isKeyed) = ("token_endpoint_auth_method", ClientAuthentication.Method.privateKeyJWT.rawValue)
        var input = self
        let named = document.members[method] ?? .null
        let listed = try asFailure(document.strings("token_endpoint_auth_methods_supported"))
        let others = ClientAuthentication.Method.allCases.filter { $0.credential != .key }.map(\.rawValue)
        // A profile allows no secret, and a client with a certificate names its method.
        let hasProfile = try asFailure(SecurityProfile(of: document)) != nil
        let wantsKey = hasProfile || listed.contains(isKeyed) && !listed.contains(where: others.contains)
        guard named == .string(isKeyed) || named.isNull && (document.keyUse != nil || wantsKey) else { return self }
        input.document.members[method] = .string(isKeyed)
        guard document.members["jwks"]?.isNull ?? true, document.members["client_jwks_uri"]?.isNull ?? true else {
            return input
        }
        if document.keyUse == nil {
            let member = "token_endpoint_auth_signing_alg"
            let listed = try asFailure(document.strings("\(member)_values_supported"))
            let wanted = try asFailure(document.string(member)).map { [$0] } ?? listed
            let algorithm = Self.keyAlgorithms.first { wanted.isEmpty || wanted.contains($0.rawValue) } ?? .es256
            let key = try Failure.jose(try SigningKey(generatedFor: algorithm))
            let text = JSON.object(try Failure.jose(try key.privateKey()) ?? [:]).text
            input.secrets.register([ClientCredential.key.member: .string(text)])
            input.document.members[ClientCredential.key.member] = .string(text)
            input.document.keyUse = .signing
        }
        return try input.withPublicKeys()
    }

    /// The input with the public half of the key that an option names: an update puts it into the place of the client's keys.
    ///
    /// - Throws: exit 2 where the client's keys are at an address of its own, exit 3 or 11 for a key that cannot be used.
    fileprivate func withKeyToReplace() throws(Failure) -> Input {
        let isNew = Member.forms(of: ClientCredential.key.member).contains { document.origin(of: $0) == .option }
        guard isNew else { return self }
        guard document.members["client_jwks_uri"]?.isNull ?? true else {
            throw .usage(
                "the server reads the keys of the client at its client_jwks_uri",
                hint: "publish the new key there, and change the profile: oap profile set NAME --client-key-file FILE")
        }
        // The identifier of the old key is not that of the new one.
        return try changing(self) {
            if $0.document.origin(of: "client_key_id") == .document { $0.document.members["client_key_id"] = nil }
        }.withPublicKeys()
    }

    /// The input with the certificate of the connection as the key of a client that authenticates with it (RFC 8705
    /// §2.2.2), and with its files. A set of the document that has the certificate is registered as it is.
    ///
    /// - Parameter replacing: whether the certificate of an option goes before the set of the document.
    /// - Throws: exit 2 for a descriptor, which the connection reads too; exit 11 for a file that cannot be used.
    fileprivate func withCertificate(of transport: Transport, replacing: Bool) throws(Failure) -> Input {
        let (method, route) = (ClientAuthentication.Method.selfSignedTLS.rawValue, transport.ownRoute)
        let own = document.members["jwks"]?.object?["keys"]?.array?.map { $0.object?["x5c"]?.array?.first } ?? []
        let isOpen = document.members["jwks"]?.isNull ?? true || replacing && transport.hasCertificateOption
        guard document.members["token_endpoint_auth_method"] == .string(method), isOpen,
            document.members["client_jwks_uri"]?.isNull ?? true, let file = route.certificateFile
        else { return self }
        guard !DescriptorPath.isOne(file) else {
            throw .usage("to register a certificate, oap needs a file, not \(file)")
        }
        let text = String(decoding: try InputFile.read(file, limit: SecretText.limit), as: UTF8.self)
        let chain = PEMBlock.all(in: text).filter { $0.label == "CERTIFICATE" }.map(\.text).joined()
        guard let key = try Failure.jose(try PublicKeyText.key(in: chain)) else {
            throw .file("\(file) has no certificate in PEM")
        }
        guard !own.contains(key["x5c"]?.array?.first) else { return self }
        var changes = try transport.routeMembers()
        changes.remove(["cacert_file", "proxy", "no_proxy"])
        changes["jwks"] = .object(["keys": .array([.object(key)])])
        return changing(self) { $0.document.members = $0.document.members.changed(by: changes) }
    }

    private func withPublicKeys() throws(Failure) -> Input {
        let own = try signer(for: .authentication(at: "token_endpoint")).publicKey ?? [:]
        let text = try secret(.key) ?? ""
        let others = try Failure.jose(try PrivateKeyText(text).publicKeys(besides: own))
        return changing(self) {
            $0.document.members["jwks"] = .object(["keys": .array(([own] + others).map { .object($0) })])
        }
    }

    /// For a new key, the best first.
    private static let keyAlgorithms: [SignatureAlgorithm] = [.es256, .edDSA, .ps256, .rs256, .es384, .es512, .ed25519]
}

extension RegistrationRequest.Action {
    /// A registration and an update may not be repeated: the one makes another client, the other may have replaced the
    /// token.
    package var stake: Stake {
        switch self {
        case .register:
            .spends(
                hint: "the server may have registered the client; repeating the command may register a second client")
        case .update: .spends(hint: "the server may have updated the registration; oap register --read shows it")
        case .read, .delete: .repeatable
        }
    }
}
