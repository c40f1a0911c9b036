internal import CommandSpec
internal import OAuth
internal import Wire

/// `oap register`: client metadata → client (RFC 7591, RFC 7592).
enum RegisterCommand {
    static let read = Option(
        "read", section: "Request", summary: "read the registration",
        details: """
            Asks the server for the client's registration, and prints the document with it (RFC 7592 section 2.1).
            """)
    static let update = Option(
        "update", section: "Request", summary: "update the registration",
        details: """
            Replaces the registered metadata of the client by that of the document and the options. The server may \
            delete other metadata, or set it to its default (RFC 7592 section 2.2).
            """)
    static let delete = Option(
        "delete", section: "Request", summary: "delete the registration",
        details: "Deletes the client at the server (RFC 7592 section 2.3). Prints `{\"deleted\":CLIENT_ID}`.")
    static let metadataDocument = Option(
        "metadata-document", section: "Request", summary: "print the document of a client_id that is a URL",
        details: """
            Sends nothing. Prints the Client ID Metadata Document (draft-ietf-oauth-client-id-metadata-document) of a \
            client whose `client_id` is an https URL; it is to be published at this URL. If \
            `client_id_metadata_document_supported` in a server's metadata is `true`, the client needs no registration \
            there: `oap authurl --client-id URL` is enough.
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
            input = try input.completed(needing: ["registration_endpoint"], over: session.transport)
        }
        let registration = try ClientRegistration(action, of: input, over: session.transport)
        let profile = action == .register ? nil : try ManagedClient(session.inputs)
        guard action == .delete else {
            let client = try registration.client()
            try profile?.update(from: client)
            return try output.finish(client)
        }
        try registration.delete()
        try profile?.forget()
        return try output.finish(["deleted": input.document.members["client_id"] ?? .null])
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
        Registers a client at the `registration_endpoint` of a server (RFC 7591), and prints the document from \
        standard input with the new client in it. `oap authurl` can read this document. If the input has an `issuer` \
        but no `registration_endpoint`, the server's metadata is fetched first.

        The client metadata of the document and of the options is sent. The defaults suit a program that a user runs \
        on his own machine: no secret, the grants `authorization_code` and `refresh_token`, and the redirect URI \
        `http://127.0.0.1/callback`. For this URI, a server should allow every port at the login (RFC 8252 section \
        7.3). If the server accepts only the registered port, register one: `--redirect-uri \
        http://127.0.0.1:8400/callback`. The `jwks_uri` of a document is the URL of the server's keys, and is not \
        sent. To register keys of the client, use the member `jwks`, or `client_jwks_uri`, which is sent as \
        `jwks_uri`.

        The server may register other metadata than requested. The printed document has the registered metadata, and a \
        warning names each difference. Endpoints, paths of files and `api_base` are never taken from the response, and \
        neither are scope values that were not requested. If the requested redirect URI is not registered, the command \
        fails with exit status 9.

        The printed document may contain two secrets, `client_secret` and `registration_access_token`. So write it \
        with `-o`, which makes a file of mode 0600. You can then move a secret from the document to a file of its own: \
        put the path of the file into `client_secret_file` or `registration_access_token_file`, and delete the member \
        with the secret.

        `--read`, `--update` and `--delete` manage a registration. They need the `registration_access_token` and the \
        `registration_client_uri` that the server sent when it registered the client. The response to `--read` and \
        `--update` may have a new token and a new secret, which replace the old ones in the printed document.

        With the name of a profile, `--read` and `--update` write the server's response into the profile, and \
        `--delete` removes the client from the profile.

        If the server's response is lost, the command fails with exit status 12. The client may be registered in this \
        case, and repeating the command may register a second client.
        """

    private static let examples = [
        Example(
            "Register a client if only the address of the server is known. Each run registers another client.",
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
            Make the document to publish for a client whose identifier is a URL. Only its `client_id` is printed \
            here.
            """,
            command: """
                oap register -n --metadata-document --client-id https://app.example/oap.json \\
                    --token-endpoint-auth-method none --jq .client_id -r
                """, output: "https://app.example/oap.json"),
    ]
}
