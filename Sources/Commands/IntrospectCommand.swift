internal import CommandSpec
internal import OAuth
internal import System
internal import Wire

/// `oap introspect`: asks the server what a token says (RFC 7662, RFC 9701).
enum IntrospectCommand {
    static let tokenType = Option(
        "token-type-hint", argument: "TYPE", choices: Introspection.TokenType.allCases.map(\.rawValue),
        standard: "access_token", section: "Request", summary: "which token to ask about",
        details: "Which token of the document to ask about.")
    static let signed = Option(
        "signed", section: "Request", summary: "take a signed answer only",
        details: """
            Asks for a signed answer (RFC 9701), and refuses an unsigned one. Without this option, a signed answer is \
            asked for if the metadata of the server offers it, and an unsigned one is refused only if the document has \
            `introspection_signed_response_alg`.
            """)

    /// The members that its options set.
    static let members = MemberOption.of(
        "client_id", "client_secret", "token_endpoint_auth_method", "basic_encoding", "introspection_endpoint",
        "issuer", "jwks_uri", "access_token")

    private static func run(_ session: Session) throws(Failure) -> Exit {
        let arguments = session.arguments
        let type = arguments.value(tokenType).flatMap(Introspection.TokenType.init(rawValue:)) ?? .access
        var (input, token) = try subject(type, session)
        let output = try session.output()
        input = try input.completed(needing: ["introspection_endpoint"], over: session.transport)
        let introspection = try lift(try Introspection(of: input.document, isSigned: arguments.has(signed)))
        let server = try AuthorizationServer(of: input, over: session.transport, at: "introspection_endpoint")
        let (authentication, names, moment) = (server.authentication, server.names, try server.moment())
        let request = try lift(
            try introspection.request(for: token, of: type, by: authentication, names: names, at: moment))
        let response = try server.send(request, to: introspection.endpoint)
        let answer: JSONObject
        switch try server.explaining(try introspection.answer(response)) {
        case .members(let members, let warnings):
            try session.diagnostics.warn(warnings)
            answer = members
        case .signed(let signed):
            let (keys, secret) = try input.keys(
                for: signed, fetches: introspection.needsKeys(for: signed), over: session.transport)
            let now = Clock.now
            let (members, warnings) = try lift(
                try introspection.members(of: signed, with: keys, now: now, secret: secret))
            try session.diagnostics.warn(warnings)
            answer = members
        }
        return try output.finish(answer)
    }

    /// The document and the token that is asked about.
    ///
    /// - Throws: exit 2 for another token in `OAP_ACCESS_TOKEN`, which counts with `-n` alone: an answer about this one
    ///   could be taken for one about that.
    private static func subject(
        _ type: Introspection.TokenType, _ session: Session
    ) throws(Failure) -> (input: Input, token: String) {
        let counts = type == .access && !session.arguments.has(GeneralOption.nullInput) && !hasFile(session)
        let given = counts ? try session.environment.value("OAP_ACCESS_TOKEN") : nil
        let ignored = Failure.usage(
            "OAP_ACCESS_TOKEN has another token, and is used only with -n",
            hint: "unset it, or ask about it: --access-token-file <(printenv OAP_ACCESS_TOKEN)")
        do throws(Failure) {
            let input = try input(session)
            let token = try input.secret(type.rawValue)
            if let given, token?.isIdentical(to: given) != true { throw ignored }
            guard let token else { throw Failure(input.document.missing(type.rawValue)) }
            return (input, token)
        } catch {
            throw given != nil && error.kind == .loginNeeded ? ignored : error
        }
    }

    private static func hasFile(_ session: Session) -> Bool {
        members.contains { $0.member == "access_token_file" && session.arguments.has($0.option) }
    }

    /// The document: a profile alone if a file holds the token.
    private static func input(_ session: Session) throws(Failure) -> Input {
        let hasFile = hasFile(session)
        if !hasFile, let managed = try ManagedToken(session.inputs, over: session.transport) {
            return try managed.input(members, members: managed.load())
        }
        if hasFile, case .tokenFile = try session.inputs.source() {
            throw .usage("give --access-token-file or --token-file, not both")
        }
        return try session.inputs.read(members)
    }

    /// The command.
    static let command = Command(
        "introspect", section: "Step by step", summary: "ask the server what a token says",
        description: """
            Asks the `introspection_endpoint` of the server about a token (RFC 7662), and prints the answer as it \
            came: `active`, and for an active token what the server discloses, such as `scope`, `client_id`, `sub` and \
            `exp`. If the document has no `introspection_endpoint`, it is looked up in the metadata of the `issuer`.

            A token that is not active is an answer like any other, with exit status 0: `--jq .active -e` makes it exit \
            status 1. An answer without a boolean `active` is exit status 10.

            The client authenticates as at the token endpoint, or with one of \
            `introspection_endpoint_auth_methods_supported`. A stored token is not renewed first.

            A signed answer (RFC 9701) is checked with the keys of the issuer: `typ`, signature, `iss`, and `aud`, \
            which must name the client; what it says about the token is printed. An encrypted answer is refused.

            A resource server asks about tokens that it received: the document or the profile names its own client, \
            and `--access-token-file` the file with the token. The token in `OAP_ACCESS_TOKEN` is used only with `-n`. \
            Without `-n`, the command fails with exit status 2 if that variable holds another token than the document.
            """,
        options: [tokenType, signed] + members.map(\.option) + GeneralOption.tokenInput + OutputOption.allAndStrict
            + GeneralOption.server + [GeneralOption.dryRun],
        examples: [
            Example(
                "Whether a token is active, as an exit status.",
                command: "oap introspect --jq .active -e < token.json", output: "true"),
            Example(
                "A resource server asks about a token that it received. Its client is in variables.",
                command: "OAP_ACCESS_TOKEN=$(oap token work) oap introspect -n --jq .client_id -r"),
            Example("The scope of a stored token.", command: "oap introspect work --jq .scope -r"),
        ],
        seeAlso: [
            ManualReference("oap-userinfo", 1), ManualReference("oap-verify", 1), ManualReference("oap-revoke", 1),
        ], run: run)
}
