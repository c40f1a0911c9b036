internal import CommandSpec
internal import OAuth
internal import System
internal import Wire

/// `oap introspect`: asks the server what a token says (RFC 7662, RFC 9701).
enum IntrospectCommand {
    static let tokenType = Option(
        "token-type-hint", argument: "TYPE", choices: Introspection.TokenType.allCases.map(\.rawValue),
        standard: "access_token", section: "Request", summary: "which token to ask about",
        details: "Which token of the document the command asks about.")
    static let signed = Option(
        "signed", section: "Request", summary: "accept only a signed response",
        details: """
            Asks for a signed response (RFC 9701), and refuses an unsigned response. `--signed` is the default if the \
            document has `introspection_signed_response_alg`. If the document has only \
            `introspection_signing_alg_values_supported`, the command asks for a signed response, but also accepts an \
            unsigned response.
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
        input = try session.engine.run(input.completed(needing: ["introspection_endpoint"], over: session.transport))
        let introspection = try lift(try Introspection(of: input.document, isSigned: arguments.has(signed)))
        let server = try AuthorizationServer(of: input, over: session.transport, at: "introspection_endpoint")
        let (authentication, names, moment) = (server.authentication, server.names, try server.moment())
        let request = try lift(
            try introspection.request(for: token, of: type, by: authentication, names: names, at: moment))
        let response = try session.engine.run(server.answer(to: request, from: introspection.endpoint))
        let answer: JSONObject
        switch try server.explaining(try introspection.answer(response)) {
        case .members(let members, let warnings):
            try session.diagnostics.warn(warnings)
            answer = members
        case .signed(let signed):
            let (keys, secret) = try session.engine.run(
                input.keys(for: signed, fetches: introspection.needsKeys(for: signed), over: session.transport))
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
            "OAP_ACCESS_TOKEN holds another token, but is used only with -n",
            hint: "unset the variable; to ask about its token, use --access-token-file <(printenv OAP_ACCESS_TOKEN)")
        do throws(Failure) {
            let input = try session.engine.run(try input(session).withCredential(and: [type.rawValue]))
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
            return try managed.input(members, members: session.engine.run(managed.load()))
        }
        if hasFile, case .tokenFile = try session.inputs.source() {
            throw .usage("give --access-token-file or --token-file, not both")
        }
        do throws(Failure) {
            return try session.inputs.read(members)
        } catch {
            guard error.kind == .parse, error.hint == nil, case .standardInput = try session.inputs.source() else {
                throw error
            }
            var failure = error
            failure.hint = "pipe in a token document; to pipe in only the token: -p NAME --access-token-file /dev/stdin"
            throw failure
        }
    }

    /// The command.
    static let command = Command(
        "introspect", section: "Step by step", summary: "ask the server about a token",
        description: """
            Asks the `introspection_endpoint` of the server about a token (RFC 7662), and prints the response \
            unchanged. The response has the member `active`. For an active token, the server may add members such as \
            `scope`, `client_id`, `sub` and `exp`. If the document has no `introspection_endpoint`, `oap` finds this \
            URL in the metadata of the `issuer`.

            If the token is not active, `active` is `false`, but the exit status is 0. To get exit status 1 in this \
            case, use `--jq .active -e`. If the response has no boolean `active`, the exit status is 10.

            At the introspection endpoint, the client authenticates as at the token endpoint. If \
            `introspection_endpoint_auth_methods_supported` does not list the method of the client, `oap` uses \
            `client_secret_basic` or `client_secret_post`, whichever is listed. `oap` does not renew a stored token \
            before the request, even if the token has expired.

            The response may be a signed JWT (RFC 9701). `oap` checks the signature with the keys of the issuer, and \
            also checks `typ` and `iss`. The `aud` of the response must name the client. `oap` prints only the claim \
            `token_introspection`, which describes the token. `oap` refuses an encrypted response.

            A resource server uses this command to check a token that it received. In this case, the document or the \
            profile describes the client as which the resource server itself authenticates at the introspection \
            endpoint. `--access-token-file` names the file with the received token. With `-n`, the received token may \
            be in `OAP_ACCESS_TOKEN` instead. Without `-n`, the command never asks about the token in \
            `OAP_ACCESS_TOKEN`. But if the document has another token, the command fails with exit status 2, unless \
            `--access-token-file` is given.
            """,
        options: [tokenType, signed] + members.map(\.option) + GeneralOption.tokenInput + OutputOption.allAndStrict
            + GeneralOption.server + [GeneralOption.dryRun],
        refused: [
            GeneralOption.refusal(
                of: Introspection.TokenType.refresh.rawValue,
                hint: "\(tokenType.name) refresh_token asks about the refresh token of the document")
        ],
        examples: [
            Example(
                "Ask whether a token is active. For an inactive token, the exit status is 1.",
                command: "oap introspect --jq .active -e < token.json", output: "true"),
            Example(
                """
                Check a token that a resource server received. The resource server authenticates as the client in the \
                environment variables.
                """,
                command: "OAP_ACCESS_TOKEN=$(oap token work) oap introspect -n --jq .client_id -r"),
            Example("Print the scope of a stored token.", command: "oap introspect work --jq .scope -r"),
        ],
        seeAlso: [
            ManualReference("oap-userinfo", 1), ManualReference("oap-verify", 1), ManualReference("oap-revoke", 1),
        ], run: run)
}
