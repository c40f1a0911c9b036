/// The records, and the lists that derive from them.
extension Member {
    /// The record of every member. A name has one in each document that may have the member.
    package static let all = [
        clientTable, routeTable, grantTable, sourceTable, registrationTable, serverTable, waysTable, keptTable,
        requestTable,
        backchannelTable, flowTable,
        deviceTable,
        tokenTable, errorTable,
    ].flatMap(\.self)

    /// The names of all records.
    package static let known = Set(all.map(\.name))

    /// The first record of a name.
    package static func named(_ name: String) -> Member? { all.first { $0.name.utf8.elementsEqual(name.utf8) } }

    /// What the authorization request is made from, besides the client's members.
    package static let request = requestTable.map(\.name)
    /// What a token endpoint's answer may say.
    package static let tokenResponse = names { $0.isAnswered && $0.kind == .token }
    /// What a device authorization endpoint's answer may say; the document gets the time of the end, not the lifetime.
    package static let deviceResponse = names { $0.isAnswered && $0.kind == .device } + ["expires_in"]
    /// What a client alone decides, which a profile says anew for a token that it was written into.
    /// The scope and the parameters of a grant that is repeated are the token's: its login was told them.
    package static let ownedByClient = all.filter {
        $0.kind == .client && $0.name != "scope" || $0.kind == .way && $0.name != "token_params"
    }
    .flatMap { $0.secrecy == .file ? forms(of: $0.name) : [$0.name] }
    /// What the metadata of a server may say (RFC 8414 §2).
    package static let serverMetadata =
        names { $0.kind == .server } + names { $0.isAnswered && ($0.kind == .kept || $0.kind == .client) }
    /// What is known of a client and its server, but not of its tokens.
    package static let ofClient =
        all.filter { [.client, .server, .way, .request, .kept].contains($0.kind) }.flatMap(\.names)
    /// What a document gets of the metadata of its issuer: all that means something to the program.
    package static let completed =
        names { $0.kind == .server && $0.name != "issuer" } + names { $0.isAnswered && $0.kind == .client }

    /// The members that belong to one of these owners, and the members that name files of it.
    package static func of(_ owners: Owner...) -> [String] { of(owners) }

    /// The members that belong to any other owner.
    package static func ofAll(but owners: Owner...) -> [String] { of(Owner.allCases.filter { !owners.contains($0) }) }

    private static func of(_ owners: [Owner]) -> [String] {
        all.filter { $0.owner.map(owners.contains) ?? false }.flatMap(\.names)
    }

    /// The names of the value and of the member that names its file.
    private var names: [String] { [name] + [fileName].compactMap(\.self) }

    /// Whether a member of this name says which server a document is for.
    package static func namesServer(_ name: String) -> Bool {
        [
            "issuer", "resource", "api_base", "api_origins", "mtls_endpoint_aliases", "jwks_uri",
            "registration_client_uri",
        ].contains(name) || name.hasSuffix("_endpoint")
    }

    /// The secrets that a file may hold.
    package static let secrets = names { $0.secrecy == .file }
    /// The secrets of which a variable may hold the value.
    package static let secretsOfEnvironment = names(where: \.hasSecretVariable)
    /// The members that hold a secret, or say where it is.
    package static let secretForms = secrets.flatMap(forms)
    /// What a registration issues, and the secrets of it.
    static let issued = names(where: \.isIssued)
    package static let issuedSecrets = names { $0.isIssued && $0.secrecy == .file }
    /// What goes with a registration.
    package static let ofRegistration = issued + issuedSecrets.flatMap(forms)
    /// What belongs to one client and goes with its `client_id`: secrets, files of keys, and the registration.
    package static let ofOneClient =
        secretForms + files.filter { $0 != "cacert_file" }
        + ["token_endpoint_auth_method", "token_endpoint_auth_signing_alg", "client_key_id"]
        + issued.filter { $0 != "client_id" }
    /// What a client authenticates with.
    package static let ofAuthentication = [
        "client_id", "client_secret", "client_key", "client_key_passphrase", "client_key_id", "client_assertion",
        "assertion_audience",
        "token_endpoint_auth_signing_alg", "token_endpoint_auth_method", "basic_encoding",
    ]
    /// What variables say of the client of `OAP_CLIENT_ID`, and of no other. A `redirect_uri` on loopback does for any.
    package static let ofVariableClient = ofEnvironment.filter {
        $0.kind == .client && $0.variable == .everywhere && !["client_id", "redirect_uri"].contains($0.name)
    }.map(\.settableName)
    /// What no message may show.
    package static let masked = names { $0.secrecy != .none }
    package static let files = all.compactMap(\.fileName)
    /// The files with which a server is reached.
    package static let ofRoute = routeTable.compactMap(\.fileName)
    /// The members that a variable may supply.
    package static let ofEnvironment = all.filter { $0.variable != .none }

    /// The members that hold a secret of this name, or say where it is: its value, a file, a program of a profile.
    package static func forms(of secret: String) -> [String] {
        endings.filter { $0 != "_from" || fetched.contains(secret) }.map { secret + $0 }
    }

    /// The secret that a member of this name holds, or says where it is.
    package static func secret(of form: String) -> String {
        String(form.dropLast(endings.last(where: form.hasSuffix)?.utf8.count ?? 0))
    }

    private static let endings = ["", "_file", "_command", "_from"]

    /// The secrets that a platform, a key or a login may give for each request (`NAME_from`): assertions.
    package static let fetched = sourceTable.map(\.name).filter { $0.hasSuffix("_from") }.map { String($0.dropLast(5)) }

    /// Whether an answer may not bring a member of this name: it would steer the client, or name a file, a program that a
    /// profile would run, or the source of a token.
    ///
    /// - Parameter defined: the members that the answer's own RFC defines.
    package static func isRefused(_ name: String, inAnswerThatDefines defined: [String]) -> Bool {
        guard !defined.contains(name) else { return false }
        return ["_file", "_command", "_from"].contains(where: name.hasSuffix) || steering.contains(name)
    }

    /// Whether a member is metadata of a client that only OpenID Connect defines, and means nothing to the program.
    package static func isWithoutEffect(_ name: String) -> Bool {
        named(name).map { $0.isRegistered && $0.summary == nil && $0.source?.hasPrefix("OpenID Connect ") == true }
            ?? false
    }

    /// With the parameters of a grant that a renewal would repeat.
    private static let steering = Set(names(where: \.steers) + ["grant_type", "username"])

    private static func names(where isMeant: (Member) -> Bool) -> [String] { all.filter(isMeant).map(\.name) }
}
