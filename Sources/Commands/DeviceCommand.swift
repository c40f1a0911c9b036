internal import CommandSpec
internal import OAuth
internal import System
internal import Wire

/// `oap device`: client → flow, with the code that the user types on another device.
enum DeviceCommand {
    static let qrCode = Option(
        "qr", section: ListenOption.browser, summary: "show the URL as a QR code",
        details: """
            Draws the URL to open as a QR code on standard error, for the camera of a phone. If the server sent a URL \
            that contains the user code, the command draws this URL instead.
            """)

    /// The members that its options set.
    static let members = MemberOption.of(
        "client_id", "client_secret", "token_endpoint_auth_method", "basic_encoding", "scope", "resource",
        "device_authorization_endpoint", "token_endpoint", "issuer", "jwks_uri", "id_token_signed_response_alg",
        "api_base")

    private static func run(_ session: Session) throws(Failure) -> Exit {
        let input = try session.inputs.read(members)
        let output = try session.output()
        return try output.finish(try flow(of: input, session: session))
    }

    /// Requests a device code, and shows the user what to do.
    ///
    /// - Parameter places: where the metadata of the issuer sends a login.
    /// - Returns: the flow document, for `ExchangeCommand.token`.
    /// - Throws: every failure of the request; exit 9 for a verification URI that is neither https nor loopback.
    static func flow(of input: Input, places: LoginPlaces? = nil, session: Session) throws(Failure) -> JSONObject {
        let extra = try session.arguments.pairs(GeneralOption.parameter)
        let engine = session.engine
        let input = try engine.run(
            input.withCredential().onward { (input) throws(Failure) in
                input.completed(needing: ["device_authorization_endpoint"], over: session.transport)
            })
        let (request, shape) = try lift(
            (try DeviceAuthorizationRequest(of: input.document, extra: extra), try AnswerShape(of: input.document)))
        let server = try AuthorizationServer(of: input, over: session.transport)
        let start = Clock.now
        let answer = try engine.run(server.answer(to: request.parameters, from: request.endpoint))
        let device: DeviceAuthorizationResponse
        do throws(OAuthError) {
            device = try DeviceAuthorizationResponse(answer, shape: shape)
        } catch {
            var error = error
            if ["unauthorized_client", "device_flow_disabled"].contains(error.code) {
                error.hint = "check the client's secret, and whether the server allows the client the device grant"
            }
            throw Failure(server.explained(error))
        }
        try session.diagnostics.warn(device.warnings)
        if let notice = try places?.notice(of: device) { session.diagnostics.tell(notice) }
        session.prompt.show(device)
        if session.prompt.opensBrowser {
            try session.prompt.openBrowser(
                at: device.verificationURIComplete ?? device.verificationURI, hint: "open the URL in any browser")
        }
        return device.flow(of: input.document.members, start: start)
    }

    /// The command.
    static let command = Command(
        "device", section: "Step by step", summary: "start a login on another device (device flow)",
        description: description,
        options: [ListenOption.open, ListenOption.ephemeral, qrCode] + members.map(\.option)
            + [GeneralOption.parameter] + GeneralOption.input + OutputOption.allAndStrict + GeneralOption.server
            + [GeneralOption.dryRun],
        examples: examples,
        seeAlso: [ManualReference("oap-exchange", 1), ManualReference("oap-authurl", 1)], run: run)

    private static let description = """
        Reads a client document, asks the server for a device code (RFC 8628 section 3.1), and prints a flow document. \
        The flow document has the members of the client document, and also `device_code`, `user_code`, \
        `verification_uri`, `interval` and `expires_at`. If the server sent a `verification_uri_complete`, the flow \
        document has this member too. `oap exchange` reads the flow document, waits until the user has logged in, and \
        gets a token.

        `oap device` first prints instructions for the user on standard error: the URL to open on any device, and the \
        user code to type there. If the server sent a URL that contains the user code, the command prints this URL \
        too. The page at this URL also shows the user code, and the user must compare it with the printed user code. \
        The command removes control characters from the URLs and from the user code.

        If a URL from the server is neither https nor on loopback, the command fails with exit status 9. If the \
        server's response is lost, the command fails with exit status 6. After a lost response, you can safely repeat \
        the command.
        """

    private static let examples = [
        Example(
            "Log in on a machine without a browser, with one pipe.",
            command: "oap device --qr < client.json | oap exchange -o token.json"),
        Example(
            "Log in with a code, and store the token as `tv`.",
            command: "oap device < client.json | oap exchange | oap store put tv"),
        Example(
            "Print only the user code, for a program that shows this code to the user.",
            command: "oap device --jq .user_code -r < client.json"),
    ]
}
