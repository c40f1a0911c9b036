internal import OAuth
internal import TokenStore
package import Wire
package import Shell
package import Tokens
package import Sessions

/// What a login must know before the user has to do anything: the client and its server. Everything that can be checked
/// early is checked here.
package struct LoginPreparation {
    package private(set) var client: LoginClient
    package private(set) var input: Input
    /// Where the metadata of the issuer sends the login.
    package private(set) var places: LoginPlaces?
    /// What was found of the server, for the profile.
    package private(set) var found = JSONObject()
    private var server: LoginServer
    private var lacksClient: Bool
    /// Whether the document itself lists how clients may authenticate.
    private let isListed: Bool
    private let way: LoginWay
    private let session: Session

    /// The members that the options of a login set.
    package static let members =
        LoginClient.options + MemberOption.requestMembers + MemberOption.of("binding_message", "requested_expiry")
        + LoginRegistration.members

    /// Checks what the document says. Nothing is sent.
    ///
    /// - Throws: exit 2, 3, 9 or 11.
    package init(_ client: LoginClient, _ way: LoginWay, _ session: Session) throws(Failure) {
        (self.client, self.way, self.session) = (client, way, session)
        input = try Self.input(of: client, way, session)
        if let grant = way.grant { try asFailure(grant.check(in: input.document, among: Grant.Kind.repeatableNames)) }
        lacksClient = way.lacksClient(input.document)
        server = try Self.server(of: input, client, way, session)
        isListed = input.document.members["token_endpoint_auth_methods_supported"]?.isNull == false
        if !server.isIncomplete, !lacksClient { try check() }
    }

    /// Finds what is missing of the server, and a client if none is known.
    package mutating func complete() throws(Failure) {
        let known = input.document
        let granted = server.asksAgain ? try stored()?["scope"]?.string : nil
        (input, found) = try server.complete(input, granted: granted)
        if readsMetadata { input = server.described(input) }
        // A resource that has moved to another server has no client there.
        lacksClient = way.lacksClient(input.document)
        if lacksClient,
            let published = try LoginRegistration.published(for: input, registers: client.settings.registers)
        {
            add(published)
        }
        try warnOfChallenges()
        try checkPlaces(besides: known)
        if way.lacksClient(input.document) { try register() }
        addScopeForIdentity()
        if server.isIncomplete || readsMetadata || lacksClient { try check() }
    }

    /// Whether a login of a user reads the metadata even if it lacks no endpoint: at the first login with an issuer,
    /// and where variables name the endpoints. No profile then says what the server requires.
    private var readsMetadata: Bool {
        way.grant == nil && (client.isFirst || input.document.origin(of: "authorization_endpoint") == .environment)
    }

    /// The scope of the first login by issuer. A client is registered with it, since a server may hold a client that is
    /// registered without a scope to one of its own (RFC 7591 §2).
    private mutating func addScopeForIdentity() {
        guard client.isFirst, way.grant == nil, let scope = server.scopeForIdentity(of: input.document) else { return }
        add(["scope": .string(scope)])
    }

    /// How a profile has ID tokens signed: a server signs those of a client that does not say by RS256 (OpenID Connect
    /// Registration §2).
    private mutating func addAlgorithmOfProfile() throws(Failure) {
        let (member, listed) = ("id_token_signed_response_alg", "id_token_signing_alg_values_supported")
        guard try asFailure(SecurityProfile(of: input.document)) != nil, input.document.members[member]?.isNull ?? true,
            let listed = server.member(listed, of: input.document)?.strings, !listed.isEmpty,
            let first = SecurityProfile.names(among: listed).first
        else { return }
        add([member: .string(first)])
    }

    /// Warns where the metadata does not say that the server checks PKCE, as the servers of a profile must: a server that
    /// ignores the challenge takes a stolen code.
    private func warnOfChallenges() throws(Failure) {
        let issuer = input.document.members["issuer"]?.string
        guard [.redirect, .paste].contains(way.code), try asFailure(SecurityProfile(of: input.document)) != nil,
            let issuer, session.transport.metadata[issuer]?.members.isEmpty == false,
            server.member("code_challenge_methods_supported", of: input.document) == nil
        else { return }
        try session.diagnostics.warn([.unlisted("PKCE with S256 (FAPI 2.0, section 5.3.2.2)")])
    }

    /// Says where the metadata sends the login, and refuses a first login by the address of a resource, or with a client
    /// that `oap` registers, where that may be a mix-up.
    private mutating func checkPlaces(besides known: Document) throws(Failure) {
        let document = input.document
        let former = client.members["issuer"]?.string
        let isKnown = former.map { document.members["issuer"]?.string?.isIdentical(to: $0) == true }
        let isSameEverywhere = LoginPlaces.isSameEverywhere(document)
        let isByAddress = client.isRegistered || isSameEverywhere || document.origin(of: "resource") == .option
        let choice = LoginPlaces.Choice(
            isByAddress: isByAddress || document.members["resource"]?.isNull == false,
            // A token that can be read is that of a login with this client.
            isFirst: lacksClient || isByAddress && (isKnown == false || (try? stored()) == nil),
            isSameEverywhere: isSameEverywhere && isKnown != true)
        places = try LoginPlaces(of: document, besides: known, for: way.code, choice)
        try places?.check(isStrict: session.diagnostics.isStrict)
        if let notice = places?.notice { session.diagnostics.tell(notice) }
    }

    private mutating func add(_ members: JSONObject) {
        for member in members.members { found[member.name] = member.value }
        input = input.adding(members)
    }

    /// Registers a client, unless another process has done so meanwhile. The lock is held until the profile is written.
    private mutating func register() throws(Failure) {
        let folder = try Failure.storing(try session.environment.folders.logins())
        let lock = try session.engine.run(Failure.storing(LoginMark.lock(client.name, in: folder)))
        defer { withExtendedLifetime(lock) {} }
        let known = try LoginClient(session, client.settings)
        guard client.hasIdentifier || !known.hasIdentifier else {
            client = known
            input = try Self.input(of: client, way, session)
            server = try Self.server(of: input, client, way, session)
            (input, found) = try server.complete(input, granted: nil)
            return
        }
        // A secret comes with the registration, which also makes a key: this one is for the check.
        var unregistered = try input.withKeyToRegister().adding(["client_id": .string("to be registered")])
        let hasProfile = try asFailure(SecurityProfile(of: input.document)) != nil
        if !hasProfile, try asFailure(ClientCredential(of: unregistered.document))?.isIssued == true {
            unregistered.document.members["token_endpoint_auth_method"] = nil
        }
        try check(unregistered)
        let hasScope = input.document.members["scope"]?.isNull == false
        try addAlgorithmOfProfile()
        addScopeForIdentity()
        let registration = LoginRegistration(
            server: server, way: way.code, scopeIsAsked: hasScope, session: session)
        let changes = try registration.register(&input)
        for member in changes.members { found[member.name] = member.value }
        // The client of one server would not do for the one that a variable names at the next login.
        for name in ["issuer", "authorization_endpoint", "token_endpoint", way.code.start]
        where input.document.origin(of: name) == .environment { found[name] = input.document.members[name] }
        addScopeForIdentity()
        try client.save(found, always: true)
    }

    /// The document of the login, with what commands print of its secrets.
    private static func input(
        of client: LoginClient, _ way: LoginWay, _ session: Session
    ) throws(Failure) -> Input {
        var input = try client.input(members, for: way)
        if client.settings.stepsUp { try client.stepUp(&input.document, session) }
        // Before an identity is fetched, which may be missing because the option names it.
        if let grant = way.grant { try TokenFlow.refuseIdle(in: input, by: grant) }
        let registers = way.lacksClient(input.document) ? ["initial_access_token"] : []
        return try session.engine.run(input.withCredential(and: (way.grant?.secretMembers ?? []) + registers))
    }

    private static func server(
        of input: Input, _ client: LoginClient, _ way: LoginWay, _ session: Session
    ) throws(Failure) -> LoginServer {
        let lacksClient = way.lacksClient(input.document)
        let (needed, optional) = lacksClient ? try LoginRegistration.metadata(for: input.document) : ([], [])
        return try LoginServer(
            of: input.document, for: client.name, client.members,
            replacesProfile: client.settings.replacesProfile, needing: try way.metadata(for: input.document) + needed,
            optional: optional, session)
    }

    private func stored() throws(Failure) -> JSONObject? { try LoginClient.token(of: client.name, session) }
}

extension LoginPreparation {
    /// The option that would bring a refresh token, where the server lists the scope value that asks for one (OpenID Connect
    /// Core §11), and the login has brought none without it; nil for any other.
    package func optionForRenewal(after token: JSONObject) -> String? {
        guard token["refresh_token"]?.isNull ?? true, token["expires_at"] != nil else { return nil }
        let listed = server.member("scopes_supported", of: input.document)?.strings ?? []
        let name = ["offline_access", "offline.access"].first {
            listed.contains($0) || client.note?.contains("`\($0)`") == true
        }
        return name.flatMap { Scope(splitting: input.document.members["scope"]?.string ?? "").option(adding: $0) }
    }

    private func check() throws(Failure) {
        try check(input)
        try checkSecret()
    }

    private func check(_ input: Input) throws(Failure) {
        let document = input.document
        for name in try way.metadata(for: document) { _ = try asFailure(Endpoint(name, in: document)) }
        _ = try AuthorizationServer(of: input, over: session.transport, isNamed: !way.mayLackClient)
        try asFailure(SecurityProfile(of: document)?.checkAlgorithms(of: document))
        if try asFailure(IDToken.check(document)), try input.secret(.secret) == nil {
            throw Failure(document.missing(.secret))
        }
        if try asFailure(Scope(of: document)).contains("openid") {
            for profile in [JWTProfile.idToken, .userinfo] { _ = try input.decryption(for: profile) }
        }
        try session.transport.serving(document).check()
        switch way.code {
        case .device: return
        case .backchannel:
            let extra = client.settings.authorization.extra
            _ = try asFailure(BackchannelAuthenticationRequest(of: document, extra: extra))
        case .none: _ = try input.grant(way.grant ?? .clientCredentials, extra: [])
        case .redirect:
            let paste = client.settings.command(with: LoginWay.paste, without: LoginWay.listening)
            try ListenTarget.check(document, client.settings.listen, hint: "without a certificate: \(paste)")
        case .paste:
            let mode = try asFailure(ResponseMode(of: document))
            guard mode.channel != .formPost else {
                throw .usage("response_mode is \(mode.rawValue): its response is not in a URL, so it cannot be pasted")
            }
        }
    }

    /// Checks that a client without a secret may log in, as far as a preset says: the server would refuse the code after
    /// the user has logged in. Metadata is often wrong about it.
    ///
    /// - Throws: exit 3 without the secret that a preset requires.
    private func checkSecret() throws(Failure) {
        let listed = try asFailure(input.document.strings("token_endpoint_auth_methods_supported"))
        guard isListed, client.origin == .preset, way.grant == nil, way.code != .device,
            !listed.isEmpty, !listed.contains("none"),
            input.document.members["token_endpoint_auth_method"]?.isNull ?? true,
            try AuthorizationServer(of: input, over: session.transport).authentication.method == .none
        else { return }
        let hasDevice = input.document.members["device_authorization_endpoint"]?.isNull == false
        let without = hasDevice ? LoginWay.device.name : "\(Member.option(for: "token_endpoint_auth_method")) none"
        var error = input.document.missing(.secret)
        error.hint = "\(ClientCredential.secret.supply); if the client has no secret, use \(without)"
        throw Failure(error)
    }
}
