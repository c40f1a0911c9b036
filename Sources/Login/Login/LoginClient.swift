internal import OAuth
package import TokenStore
package import Wire
package import Shell
package import Tokens
package import Sessions

/// The client of a login: the preset of `--provider` if given, else the profile, else the members of the stored token.
package struct LoginClient {
    /// The name of the profile and of the token.
    package let name: TokenName
    /// The client document, before options and variables.
    package let members: JSONObject
    /// Where the client comes from, besides options and variables.
    package let origin: Origin
    /// Whether the login writes the profile, and whether it makes it then.
    package let (saves, isNew): (Bool, Bool)
    /// Whether this is the first login with an issuer.
    package let isFirst: Bool
    /// What a person must know of the preset, where it makes the profile; nil if there is nothing.
    package let note: String?
    package let inputs: InputReader
    package let settings: LoginSettings

    package enum Origin {
        /// From a preset, which the command line names.
        case preset
        case profile
        /// From the stored token alone.
        case token
        /// From nowhere, but the command line names the server.
        case server
        case nowhere
    }

    /// The members that a profile keeps.
    package static let options =
        MemberOption.identity
        + MemberOption.of(
            "client_metadata_document", "device_authorization_endpoint", "backchannel_authentication_endpoint",
            "accept_issuer", "userinfo_endpoint", "introspection_endpoint", "revocation_endpoint",
            "end_session_endpoint")
        + MemberOption.ofGrants

    /// Writes the profile if it is to be saved: the preset or the profile with the options, and what a resource says of
    /// its server. What the metadata of an issuer says is not written: it may change, and each login asks for it.
    ///
    /// - Parameters:
    ///   - found: what to add to it, and as null what to remove.
    ///   - always: whether it is written though no option asks for it: a client that was just registered.
    /// - Throws: exit 11.
    package func save(_ found: JSONObject, always: Bool = false) throws(Failure) {
        guard saves || always else { return }
        var profile = try Self.profile(from: members, inputs, settings)
        if let resources = try namedResources, try !members.isFor(resources) {
            profile["resource"] = resources.count == 1 ? .string(resources[0]) : .strings(resources)
            profile.remove(try placesOfResource)
        }
        profile = profile.changed(by: found)
        try inputs.profiles.write(profile, as: name.text)
    }

    /// The document of the login: the client with options and variables.
    ///
    /// - Throws: exit 2 or 3 for an invalid value.
    package func input(_ options: [MemberOption], for way: LoginWay) throws(Failure) -> Input {
        var input = try inputs.input(options, members: [:], profile: members)
        for member in try settings.route.members().members {
            input.document.set(member.name, to: member.value, from: .option)
            if member.value.isNull { input.document.members[member.name] = nil }
        }
        if input.document.origin(of: "issuer") != .document { try asFailure(IssuerIdentifier.check(input.document)) }
        if let named = try namedResources {
            let isKnown = try members.isFor(named)
            if isKnown { input.document.members["resource"] = members["resource"] }
            if !isKnown { input.document.members.remove(try placesOfResource) }
        }
        input.document.hintForMissing = hintForMissing
        input.document.hintsForMissing = [
            ("registration_endpoint", registrationHint(for: input.document) ?? LoginRegistration.byHand),
            ("device_authorization_endpoint", "the server lists no device flow: log in with --headless or --paste"),
            ("backchannel_authentication_endpoint", "the server lists no CIBA: log in with --device or in a browser"),
        ]
        if try namedResources.map(\.count) ?? 0 > 1, input.document.members["issuer"]?.isNull ?? true {
            let hint = "of several resources, oap asks none for its authorization server: name it with --issuer URL"
            let needed = ["token_endpoint", settings.way.code.start]
            input.document.hintsForMissing = needed.map { ($0, hint) } + input.document.hintsForMissing
        }
        if let machine = hintForMachine { input.document.hintsForMissing.append(("authorization_endpoint", machine)) }
        input.document.members["redirect_uri"] =
            try Self.redirectURI(of: input.document, port: settings.port) ?? input.document.members["redirect_uri"]
        if settings.way.code != .paste { try Self.openPort(of: &input.document) }
        return way.mayLackClient ? input : try identified(input)
    }

    /// Whether the client was registered by a program.
    var isRegistered: Bool { ForgottenClient.members.contains { members[$0] != nil } || settings.registers }

    package var hasIdentifier: Bool { members["client_id"]?.isNull == false }

    /// Checks that a client is known, or will be registered.
    ///
    /// - Throws: exit 3 if not.
    private func identified(_ input: Input) throws(Failure) -> Input {
        let isPossible = settings.registers || LoginRegistration.isPublished(input.document)
        guard !isPossible, input.document.members["client_id"]?.isNull ?? true else { return input }
        var error = input.document.missing("client_id")
        if let registration = registrationHint(for: input.document) {
            error.hint = registration
        } else if origin != .nowhere, !isImported {
            error.hint = "add --register if the server registers clients; otherwise \(LoginRegistration.byHand)"
        }
        throw Failure(error)
    }

    /// Where a client of the preset is registered, and the command that logs in with it; nil if no preset says that.
    private func registrationHint(for document: Document) -> String? {
        guard let registration = document.registrationHint(isLogin: true) else { return nil }
        let provider = settings.provider.map { ["--provider", $0] } ?? []
        let values = settings.operands.filter(SubjectSettings.isVariable)
        let words = (provider + values).map { " " + Terminal.escaping($0) }.joined()
        // Without a certificate, a redirect on https is pasted.
        let isSecure = document.members["registration_redirect_uri"]?.string?.hasPrefix("https:") == true
        let paste = isSecure && settings.listen.certificate == nil ? " \(LoginWay.paste.name)" : ""
        return "\(registration); then: oap login \(name.text)\(words) --client-id ID\(secret(for: document))\(paste)"
    }

    /// The options for the secret that the server of a preset requires, and the login without it, where there is one.
    private func secret(for document: Document) -> String {
        guard settings.way.code != .device else { return " \(LoginWay.device.name)" }
        let listed = (try? document.strings("token_endpoint_auth_methods_supported")) ?? []
        guard settings.way.grant == nil, !listed.isEmpty, !listed.contains("none") else { return "" }
        let hasDevice = document.members["device_authorization_endpoint"]?.isNull == false
        let secret = " \(ClientCredential.secret.option) FILE"
        return secret + (hasDevice ? ", or with \(LoginWay.device.name) and no secret" : "")
    }
}

extension LoginClient {
    /// Finds the client, and checks that its profile can be written if it is to be saved.
    ///
    /// - Throws: exit 2 for a bad name, an unknown provider, or a profile that would be replaced; exit 3 or 11 for a
    ///   profile that cannot be read or written.
    package init(_ session: Session, _ settings: LoginSettings) throws(Failure) {
        let inputs = session.inputs
        let text = try settings.name(inputs)
        let name = try Failure.storing(try TokenName(text))
        let profile = try inputs.profiles.find(name.text)
        if let found = try settings.preset(for: text, inputs.environment.folders) {
            self = try Self.client(of: found, name, profile, inputs, settings)
        } else if profile == nil, let (account, settings) = try Self.google(inputs, settings, name) {
            self.init(
                name: name, members: account, origin: .preset, saves: true, isNew: true, isFirst: false, note: nil,
                inputs: inputs, settings: settings)
        } else {
            self = try Self.client(known: profile, name, session, settings)
        }
        if saves || settings.registers { try inputs.profiles.writable(name.text) }
    }

    private static func client(
        of found: (preset: Preset, client: JSONObject), _ name: TokenName, _ profile: JSONObject?,
        _ inputs: InputReader,
        _ settings: LoginSettings
    ) throws(Failure) -> LoginClient {
        var preset = found.client
        // The token of a machine belongs to no user.
        let isOfUser = Scope(["openid"]).isContained(in: Scope(splitting: preset["scope"]?.string ?? ""))
        if isOfUser, settings.way.grant != nil { preset["scope"] = nil }
        if let issuer = text(of: "issuer", in: inputs.settings.members) {
            guard !isOther(preset, than: issuer) else {
                throw .usage("--provider and --issuer name different servers", hint: "give --provider or --issuer")
            }
        } else {
            try refuseVariable(
                "--provider", preset, inputs.environment, hint: "unset OAP_ISSUER, or leave --provider out")
        }
        // A profile that says the same may have more: what a login has added.
        let new = try Self.profile(from: preset, inputs, settings)
        let isSame = profile.map { profile in new.members.allSatisfy { profile[$0.name] == $0.value } }
        guard settings.replacesProfile || isSame != false else {
            throw refusal(of: name.text, for: LoginOption.provider.name)
        }
        if let uri = preset["registration_redirect_uri"]?.string, preset["redirect_uri"] == nil {
            preset["redirect_uri"] = .string(RedirectURI.withFreePort(uri) ?? uri)
        }
        return LoginClient(
            name: name, members: settings.replacesProfile ? preset : profile ?? preset, origin: .preset,
            saves: true, isNew: profile == nil, isFirst: false,
            note: profile != nil
                ? nil : settings.way.code == .device ? found.preset.titledNoteOfDevice : found.preset.titledNote,
            inputs: inputs, settings: settings)
    }

    /// The client of the profile, else of the stored token, else of options and variables alone.
    private static func client(
        known profile: JSONObject?, _ name: TokenName, _ session: Session, _ settings: LoginSettings
    ) throws(Failure) -> LoginClient {
        let (inputs, replaces) = (session.inputs, settings.replacesProfile)
        let known = profile == nil ? try client(of: name, session) : profile
        let issuer = text(of: "issuer", in: inputs.settings.members)
        let isOther = issuer.map { Self.isOther(known ?? [:], than: $0) } ?? false
        guard profile == nil || !isOther || replaces else { throw refusal(of: name.text, for: "--issuer") }
        if issuer == nil, let known {
            let (kept, more) = profile == nil ? ("stored token", "") : ("profile", " --save-profile")
            try refuseVariable(
                "the \(kept) \(name.text)", known, inputs.environment,
                hint: "to use the \(kept), unset OAP_ISSUER; to replace the \(kept), add --issuer URL\(more)")
        }
        // The endpoints of another server are not mixed with those of this one.
        var other = isOther ? [:] : known ?? [:]
        if replaces, settings.registers {
            other.remove(Member.ofOneClient + ["client_id", "redirect_uris", "grant_types", "response_types"])
        }
        let namesServer = issuer != nil || known == nil && text(of: "resource", in: inputs.settings.members) != nil
        let registers = known == nil && settings.registers
        let isSaved = replaces || profile == nil && (namesServer || registers)
        let variable = try known == nil ? inputs.environment.value(Member.variable(for: "issuer")) : nil
        return LoginClient(
            name: name, members: other,
            origin: profile != nil ? .profile : known != nil ? .token : namesServer ? .server : .nowhere,
            saves: isSaved, isNew: profile == nil,
            isFirst: isSaved && issuer != nil || variable != nil, note: nil, inputs: inputs, settings: settings)
    }

    /// The token that is stored under a name; nil if there is none that can be read.
    package static func token(of name: TokenName, _ session: Session) throws(Failure) -> JSONObject? {
        let stored = try session.engine.run(Failure.storing(try session.inputs.store().load(name)))
        return stored.flatMap { (try? JSON(parsing: $0.bytes))?.object }
    }

    /// The client of the token that is stored under a name; nil if there is none.
    private static func client(of name: TokenName, _ session: Session) throws(Failure) -> JSONObject? {
        guard let token = try token(of: name, session) else { return nil }
        var client = JSONObject()
        for member in token.members where Member.ofClient.contains(member.name) { client[member.name] = member.value }
        if let type = token["grant_type"]?.string, Grant.Kind(named: type).isRepeatable {
            client["grant_type"] = .string(type)
            client["scope"] = token["requested_scope"] ?? token["scope"]
        }
        return client
    }

    package static func text(of member: String, in values: MemberValues) -> String? {
        (options + MemberOption.requestMembers).first { $0.member == member }.flatMap(values.text)
    }

    /// The redirect URI of a client with the port of `--port`; nil without one.
    ///
    /// - Throws: exit 2 for a redirect URI that is not on loopback.
    private static func redirectURI(of client: Document, port: Int?) throws(Failure) -> JSON? {
        guard let port else { return nil }
        let registered = try asFailure(RedirectURI(of: client)).url
        let url = RedirectURI.withFreePort(registered.text).flatMap { WebURL($0) } ?? registered
        guard url.isLoopback, let changed = url.replacingPort(with: port) else {
            throw .usage("--port needs a redirect URI on loopback, not \(url.withoutQuery)")
        }
        return .string(changed.text)
    }

    /// Lets the port of a redirect URI on loopback that has none be chosen: a server takes any there (RFC 8252 §7.3).
    private static func openPort(of document: inout Document) throws(Failure) {
        guard document.members["redirect_uri"]?.isNull == false || document.members["redirect_uris"]?.isNull == false,
            let uri = RedirectURI.withFreePort(try asFailure(RedirectURI(of: document)).url.text)
        else { return }
        document.members["redirect_uri"] = .string(uri)
    }

    /// The client merged with the options, and with `OAP_CLIENT_ID`, which is not a secret.
    private static func profile(
        from members: JSONObject, _ inputs: InputReader, _ settings: LoginSettings
    ) throws(Failure) -> JSONObject {
        var profile = members
        let variable = try inputs.environment.value("OAP_CLIENT_ID")
        if let id = text(of: "client_id", in: inputs.settings.members) ?? variable {
            if let other = members["client_id"]?.string, !other.isIdentical(to: id) {
                profile.remove(Member.ofOneClient)
            }
            profile["client_id"] = .string(id)
        }
        profile = try inputs.settings.members.merging(options, into: profile)
        profile["redirect_uri"] =
            try redirectURI(of: Document(profile), port: settings.port) ?? profile["redirect_uri"]
        return profile.changed(by: try settings.route.members())
    }
}
