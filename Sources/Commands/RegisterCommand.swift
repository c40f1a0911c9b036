internal import CommandSpec
internal import OAuth
internal import Wire

/// `oap register`: client metadata → client (RFC 7591, RFC 7592).
enum RegisterCommand {
    static let read = Option(
        "read", section: "Request", summary: "read the registration",
        details: """
            Asks the server for the client's registration (RFC 7592 section 2.1). Prints the client document, in which \
            the registered values replace the old values.
            """)
    static let update = Option(
        "update", section: "Request", summary: "update the registration",
        details: """
            Replaces the registered metadata of the client with the metadata in the document and the options. If the \
            request lacks a registered value, the server may delete this value, or set it to its default (RFC 7592 \
            section 2.2).
            """)
    static let delete = Option(
        "delete", section: "Request", summary: "delete the registration",
        details: "Deletes the client at the server (RFC 7592 section 2.3). Prints `{\"deleted\":CLIENT_ID}`.")
    static let metadataDocument = Option(
        "metadata-document", section: "Request", summary: "print the document of a client_id that is a URL",
        details: """
            Sends nothing. Prints the Client ID Metadata Document (draft-ietf-oauth-client-id-metadata-document) of a \
            client that has an https URL as its `client_id`. Publish the document at this URL. If \
            `client_id_metadata_document_supported` in a server's metadata is `true`, `oap authurl --client-id URL` \
            works without a registration.
            """)
    static let softwareStatement = Option(
        "software-statement-file", argument: "PATH", completes: .files, section: "Client",
        summary: "a file that holds the software statement",
        details: "Sends the JWT in this file as `software_statement` (RFC 7591 section 2.3).")

    /// The members that its options set.
    static let members = MemberOption.of(
        "client_id", "client_name", "redirect_uri", "scope", "grant_types", "token_endpoint_auth_method",
        "application_type", "client_jwks_uri", "id_token_signed_response_alg", "initial_access_token", "issuer",
        "registration_endpoint")

    private static let actions: [(option: Option, action: RegistrationRequest.Action?)] = [
        (read, .read), (update, .update), (delete, .delete), (metadataDocument, nil),
    ]

    private static func run(_ session: Session) throws(Failure) -> Exit {
        let chosen = actions.filter { session.arguments.has($0.option) }
        guard chosen.count < 2 else {
            throw .usage("give one of \(chosen.map(\.option.name).joined(separator: " and "))")
        }
        var input = try session.inputs.read(members)
        if let path = session.arguments.value(softwareStatement) {
            let statement = try Secrets.read(path, as: "software_statement")
            input.document.set("software_statement", to: .string(statement), from: .option)
        }
        if let statement = input.document.members["software_statement"]?.string {
            session.diagnostics.redactor.add(statement)
        }
        let output = try session.output()
        if let chosen = chosen.first, chosen.action == nil {
            guard !session.transport.isDryRun else { throw .usage("\(metadataDocument.name) sends no request") }
            return try output.finish(try lift(try ClientMetadataDocument(of: input.document)).members)
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
        case .register: ["initial_access_token"]
        case .update: ["registration_access_token", "client_secret"]
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

    /// The command.
    static let command = Command(
        "register", section: "Set up", summary: "register a client at a server",
        description: description,
        options: [read, update, delete, metadataDocument] + members.map(\.option) + [softwareStatement]
            + GeneralOption.input + OutputOption.allAndStrict + GeneralOption.server + [GeneralOption.dryRun],
        examples: examples,
        seeAlso: [
            ManualReference("oap-discover", 1), ManualReference("oap-authurl", 1), ManualReference("oap-documents", 5),
        ], run: run)

    private static let description = """
        Registers a client at the `registration_endpoint` of a server (RFC 7591). The command adds the new client to \
        the document from standard input, and prints the result. `oap authurl` can read this result. If the input has \
        an `issuer` but no `registration_endpoint`, `oap` first fetches the metadata of the server.

        `oap` takes the client metadata from the document and the options, and sends it to the server. The defaults \
        suit a program that a user runs on his own machine: no secret (if the server allows this), the grants \
        `authorization_code` and `refresh_token`, and the redirect URI `http://127.0.0.1/callback`. At the login, a \
        server should accept this URI with every port (RFC 8252 section 7.3). If the server accepts only the \
        registered port, register a URI with a port: `--redirect-uri http://127.0.0.1:8400/callback`. `oap` does not \
        send the `jwks_uri` of the document, which is the URL of the server's keys. To register keys of the client, \
        use the member `jwks` or `client_jwks_uri`. `oap` sends `client_jwks_uri` under the name `jwks_uri`.

        The server may register other values than `oap` requested. The printed document has the registered values. If \
        a registered value differs from the requested value, a warning names the member. `oap` never takes endpoints, \
        paths of files or `api_base` from the response. If a registration or an update requests no `scope`, `oap` \
        ignores the `scope` of the response. If the server registers a new client without the requested redirect URI, \
        the command fails with exit status 9.

        The printed document may contain two secrets, `client_secret` and `registration_access_token`. So use `-o` to \
        write the document to a file: the file gets mode 0600. You can then move a secret to a file of its own. Put \
        the path of this file into `client_secret_file` or `registration_access_token_file`, and delete the member \
        with the secret.

        `--read`, `--update` and `--delete` manage a registration. These options need two members that the server \
        sends when it registers a client: `registration_access_token` and `registration_client_uri`. With `--read` and \
        `--update`, the server may send a new `registration_access_token` or a new `client_secret`. A new value \
        replaces the old value in the printed document.

        If the client comes from a profile, `--read` and `--update` also write the server's response into the profile. \
        `--delete` removes the client from its profile, as well as from the server.

        If the server's response to a registration or an update is lost, the command fails with exit status 12. The \
        server may have processed the request nevertheless. If you repeat a registration, the server may register a \
        second client.
        """

    private static let examples = [
        Example(
            "Register a client. You need only the address of the server. Each run registers another client.",
            command: "oap discover \"$OAP_ISSUER\" | oap register --client-name demo -o client.json"),
        Example(
            "Register a client, make its login URL, and print the client's name from the flow document.",
            command: """
                oap discover "$OAP_ISSUER" | oap register |
                    oap authurl --scope openid --jq .client_name -r
                """, output: "oap"),
        Example("Rename the client.", command: "oap register --update --client-name new -o client.json < client.json"),
        Example("Delete the client at the server.", command: "oap register --delete < client.json"),
        Example(
            """
            Make the Client ID Metadata Document of a client that has a URL as its `client_id`. The filter prints only \
            the `client_id`.
            """,
            command: """
                oap register -n --metadata-document --client-id https://app.example/oap.json \\
                    --token-endpoint-auth-method none --jq .client_id -r
                """, output: "https://app.example/oap.json"),
    ]
}
