internal import CommandSpec
internal import Errands
internal import JOSE
internal import Loopback
internal import OAuth
internal import Wire

/// `oap authurl`: client → flow, with the authorization request.
enum AuthurlCommand {
    static let noPKCE = Option(
        "no-pkce", section: "Request", summary: "do not use PKCE",
        details: """
            Sends no `code_challenge`. Use this option only for a server that refuses PKCE. Without PKCE and without a \
            client secret, anyone who steals the code can exchange it for a token.
            """)
    static let challengeMethod = Option(
        "code-challenge-method", argument: "METHOD", choices: PKCE.Method.allCases.map(\.rawValue), standard: "S256",
        section: "Request", summary: "how the code challenge is made",
        details: """
            How `oap` makes the `code_challenge` from the `code_verifier`. `plain` is for a server that does not \
            support `S256`. With `plain`, everyone who sees the login URL also sees the `code_verifier`.
            """)
    static let push = Option(
        "par", otherwise: "if the server requires it", section: "Request",
        summary: "push the request to the server first",
        details: """
            Sends the authorization request directly to the server first, so that the login URL contains only a \
            reference to the request (RFC 9126). This is the default if `require_pushed_authorization_requests` is \
            `true` in the client document or, for `oap login`, in the server's metadata.
            """)

    static let remember = Option(
        "remember", section: "Request", summary: "store the flow for callback-parse -n",
        details: """
            Stores the flow document under its `state` for one hour. `oap callback-parse -n URL` finds the flow \
            document by the `state` in the URL, but only once. Use this option if another program receives the \
            redirect, such as the handler of a custom URL scheme.
            """)

    private static func run(_ session: Session) throws(Failure) -> Exit {
        let input = try session.inputs.read(MemberOption.identity + MemberOption.requestMembers)
        let output = try session.output()
        let isPushed = try pushes(input.document, session.arguments)
        guard isPushed || !session.transport.isDryRun else {
            throw .usage("without \(push.name), authurl sends no request that --dry-run could show")
        }
        let flow = try flow(of: input, session: session)
        try session.diagnostics.warn(AuthorizationRequest.obstacles(after: input.document))
        if session.arguments.has(remember) { try RememberedFlow.keep(flow, in: session.environment.folders) }
        let exit = try output.finish(flow)
        if let address = flow["authorization_url"]?.string.flatMap({ WebURL($0) }) {
            try session.prompt.openBrowserIfAsked(at: address)
        }
        return exit
    }

    /// Makes the authorization request of a client document, and pushes it if required.
    ///
    /// - Returns: the flow document.
    /// - Throws: exit 2, 3 or 9 for a document without a valid request; every failure of the push.
    static func flow(of input: Input, session: Session) throws(Failure) -> JSONObject {
        var input = input
        if try pushes(input.document, session.arguments) {
            let needed = ["authorization_endpoint", "pushed_authorization_request_endpoint"]
            input = try session.engine.run(input.completed(needing: needed, over: session.transport))
        }
        let document = input.document
        var redirectURI = try lift(try RedirectURI(of: document))
        if redirectURI.wantsFreePort { redirectURI = try withFreePort(redirectURI) }
        let choices = AuthorizationRequest.Choices(
            protection: try protection(session.arguments, document),
            extra: try session.arguments.pairs(GeneralOption.parameter))
        let entropy = try entropy()
        let request = try lift(
            try AuthorizationRequest(of: document, redirectURI: redirectURI, choices: choices, entropy: entropy))
        try session.diagnostics.warn(request.warnings)
        let url =
            try pushes(document, session.arguments)
            ? try session.engine.run(pushed(request, input: input, over: session.transport)) : request.url
        var flow = document.members
        flow.remove(Member.usedByCallback)
        flow.remove(Member.usedByExchange)
        flow["authorization_url"] = .string(url)
        for member in request.remembered.members { flow[member.name] = member.value }
        return flow
    }

    /// Whether the request is pushed.
    static func pushes(_ document: Document, _ arguments: Arguments) throws(Failure) -> Bool {
        try lift(try document.bool("require_pushed_authorization_requests")) == true || arguments.has(push)
    }

    private static func protection(
        _ arguments: Arguments, _ document: Document
    ) throws(Failure) -> AuthorizationRequest.Protection {
        if arguments.has(noPKCE) { return .none }
        if let method = arguments.value(challengeMethod).flatMap(PKCE.Method.init(rawValue:)) { return .pkce(method) }
        return try lift(try AuthorizationRequest.Protection(of: document))
    }

    private static func entropy() throws(Failure) -> AuthorizationRequest.Entropy {
        do throws(JOSEError) {
            return AuthorizationRequest.Entropy(
                state: try SecureRandom.bytes(32), nonce: try SecureRandom.bytes(32),
                verifier: try SecureRandom.bytes(32))
        } catch {
            throw Failure(error)
        }
    }

    /// Pushes the request (RFC 9126 §2.1) and makes the URL that refers to it.
    private static func pushed(
        _ request: AuthorizationRequest, input: Input, over transport: Transport
    ) -> Attempt<String, Failure> {
        input.withCredential().onward { (input) throws(Failure) in
            let push = try lift(try PushedAuthorizationRequest(request, of: input.document))
            let server = try AuthorizationServer(of: input, over: transport)
            return server.answer(to: push.parameters, from: push.endpoint).reading { (response) throws(Failure) in
                let pushed = try server.explaining(try PushedAuthorizationResponse(response))
                try transport.diagnostics.warn(pushed.warnings)
                return request.url(pushedAs: pushed.requestURI)
            }
        }
    }

    /// A redirect URI with a port that is free on its loopback addresses at this moment (RFC 8252 §7.3).
    static func withFreePort(_ redirectURI: RedirectURI) throws(Failure) -> RedirectURI {
        do throws(LoopbackError) {
            let port = try LoopbackServer.freePort(on: ListenTarget.addresses(of: redirectURI.url))
            return redirectURI.replacingPort(with: port)
        } catch {
            throw Failure(error)
        }
    }

    /// The command.
    static let command = Command(
        "authurl", section: "Step by step", summary: "make the login URL (authorization request)",
        description: description,
        options: MemberOption.identity.map(\.option) + MemberOption.requestMembers.map(\.option) + [
            GeneralOption.parameter, noPKCE, challengeMethod, push, remember, ListenOption.open, ListenOption.ephemeral,
        ] + GeneralOption.input + OutputOption.allAndStrict + GeneralOption.server + [GeneralOption.dryRun],
        examples: examples,
        seeAlso: [ManualReference("oap-listen", 1), ManualReference("oap-callback-parse", 1)],
        run: run)

    private static let description = """
        Makes the authorization request of a client (RFC 6749 section 4.1.1) and prints the flow document. The flow \
        document has the members of the client document, and in addition `authorization_url`, `state`, `redirect_uri` \
        and `code_verifier`. If the scope includes `openid`, the flow document also has a `nonce`. The user opens the \
        `authorization_url`. `oap listen`, `oap callback-parse` and `oap exchange` use `state`, `redirect_uri`, \
        `code_verifier` and `nonce`.

        To exchange the code, `oap exchange` needs a `token_endpoint` or an `issuer` in the document. With an \
        `issuer`, `oap exchange` can find the endpoint in the server's metadata. If the scope includes `openid`, `oap \
        exchange` always needs the `issuer`. If the document lacks a member that `oap exchange` needs, a warning names \
        the member.

        The `authorization_url` always has a `state`. By default, the `authorization_url` also has a PKCE \
        `code_challenge` with the method S256 (RFC 7636). To change or omit the `code_challenge`, use `--no-pkce`, \
        `--code-challenge-method`, or the member `pkce` of the document.

        `oap authurl` sends a request only with `--par`, or if `require_pushed_authorization_requests` in the document \
        is `true`. If `oap authurl` sends no request, it does not look up missing endpoints. To find missing \
        endpoints, use `oap discover`.
        """

    private static let examples = [
        Example(
            "Print only the login URL, for the user to open.",
            command: "oap authurl --scope 'openid email' --jq .authorization_url -r < client.json"),
        Example(
            "Send the request directly to the server. The login URL then contains a reference to the request.",
            command: """
                oap authurl --par < client.json |
                    jq '.authorization_url | contains("request_uri=")'
                """, output: "true"),
        Example(
            "Make a URL for a new login, with `ada` as the suggested user.",
            command: "oap authurl --prompt login --login-hint ada < client.json > flow.json"),
    ]
}
