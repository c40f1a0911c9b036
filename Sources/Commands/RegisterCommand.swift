internal import CommandSpec
internal import OAuth
internal import Shell
internal import Tokens
internal import Sessions

/// `oap register`: client metadata → client (RFC 7591, RFC 7592).
enum RegisterCommand {
    static let read = Option("read", section: "Request", summary: "read the registration")
    static let update = Option("update", section: "Request", summary: "update the registration")
    static let delete = Option("delete", section: "Request", summary: "delete the registration")
    static let metadataDocument = Option(
        "metadata-document", section: "Request", summary: "print the document of a client_id that is a URL")
    static let softwareStatement = Option(
        "software-statement-file", argument: "PATH", completes: .files, section: "Client",
        summary: "a file that holds the software statement")

    static let members = MemberOption.of(
        "client_id", "client_name", "redirect_uri", "scope", "grant_types", "token_endpoint_auth_method",
        ClientCredential.key.member, ClientCredential.passPhrase, "client_key_id", "token_endpoint_auth_signing_alg",
        "application_type", "client_jwks_uri", "id_token_signed_response_alg", "initial_access_token", "issuer",
        "registration_endpoint")

    private static let actions: [(option: Option, action: RegistrationRequest.Action?)] = [
        (read, .read), (update, .update), (delete, .delete), (metadataDocument, nil),
    ]

    private static func run(_ session: Session, _ arguments: Arguments) throws(Failure) -> Exit {
        let chosen = actions.filter { arguments.has($0.option) }
        var input = try session.inputs.read(members)
        if let path = arguments.value(softwareStatement) {
            let statement = try SecretText.value(
                of: try InputFile.read(path, limit: SecretText.limit), in: path, as: "software_statement")
            input.document.set("software_statement", to: .string(statement), from: .option)
        }
        if let statement = input.document.members["software_statement"]?.string {
            session.diagnostics.redactor.add(statement)
        }
        let output = try session.output()
        if let chosen = chosen.first, chosen.action == nil {
            return try output.finish(try asFailure(ClientMetadataDocument(of: input.document)).members)
        }
        let action = chosen.first?.action ?? .register
        if action == .register {
            try checkIssuer(of: input)
            input = try session.engine.run(
                input.completed(needing: ["registration_endpoint"], over: session.transport))
        }
        input = try session.engine.run(input.with(secrets: secrets(of: action)))
        let registration = try ClientRegistration(action, of: input, over: session.transport)
        let profile = action == .register ? nil : try ManagedClient(session.inputs)
        if profile != nil, let option = members.first(where: { $0.member == "\(ClientCredential.key.member)_file" }),
            input.document.origin(of: option.member) == .option, input.document.members[option.member] == nil
        {
            throw .usage("\(option.option.name): \(ProfileCommand.noDescriptor)")
        }
        guard action == .delete else {
            let client = try session.engine.run(registration.client())
            try profile?.update(from: client)
            return try output.finish(client)
        }
        try session.engine.run(registration.delete())
        try profile?.forget()
        return try output.finish(["deleted": input.document.members["client_id"] ?? .null])
    }

    /// The secrets that a request may need.
    private static func secrets(of action: RegistrationRequest.Action) -> [String] {
        switch action {
        case .register: ["initial_access_token"] + ClientCredential.key.members
        case .update: Member.issuedSecrets
        case .read, .delete: ["registration_access_token"]
        }
    }

    /// Checks that the endpoint is not another server's than the issuer of the command line: a client of the one would
    /// have the endpoints of the other, and the other would see the initial access token.
    ///
    /// - Throws: exit 2.
    private static func checkIssuer(of input: Input) throws(Failure) {
        let document = input.document
        guard document.origin(of: "issuer") == .option, document.origin(of: "registration_endpoint") == .document,
            document.members["registration_endpoint"]?.string != nil, let issuer = document.members["issuer"]?.string,
            let own = input.original["issuer"]?.string, !own.isIdentical(to: issuer)
        else { return }
        throw .usage(
            "the document's registration_endpoint is that of the issuer \(own), and --issuer names another",
            hint: "to register at the other issuer: oap discover ISSUER | oap register")
    }

    static let command = Command(
        "register", section: "Set up", summary: "register a client at a server",
        options: [read, update, delete, metadataDocument] + members.map(\.option) + [softwareStatement]
            + GeneralOption.input + OutputOption.allAndStrict + GeneralOption.server + [GeneralOption.dryRun],
        rules: [.apart(actions.map(\.option)), .apart([metadataDocument, GeneralOption.dryRun])], run: run)
}
