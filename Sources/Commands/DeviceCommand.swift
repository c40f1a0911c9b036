internal import CommandSpec
internal import OAuth
internal import Wire

/// `oap device`: client → flow, the code that a person types on another device.
enum DeviceCommand {
    /// The members that its options set.
    static let members = MemberOption.of(
        "client_id", "client_secret", "token_endpoint_auth_method", "basic_encoding", "scope", "resource",
        "device_authorization_endpoint", "token_endpoint", "issuer", "jwks_uri", "id_token_signed_response_alg",
        "api_base")

    /// Runs the command.
    static func run(_ session: Session) throws(Failure) -> Exit {
        let input = try session.input(members)
        let output = try session.output()
        return try output.finish(try flow(of: input, extra: try session.extraParameters(), session: session))
    }

    /// Asks for a code, and tells the person on standard error what to do with it.
    ///
    /// - Parameter extra: parameters of the server's own (`--param`).
    /// - Returns: the flow document, for `ExchangeCommand.token`.
    /// - Throws: every failure of the request; exit 9 for a page that no browser is sent to.
    static func flow(
        of input: Input, extra: [(name: String, value: String)] = [], session: Session
    ) throws(Failure) -> JSONObject {
        let (request, shape) = try lift(
            (
                try DeviceAuthorizationRequest(of: input.document, extra: extra),
                try AnswerShape(of: input.document)
            ))
        let server = try AuthorizationServer(of: input, session: session)
        let start = session.now
        let answer = try server.send(request.parameters, to: request.endpoint)
        let device: DeviceAuthorizationResponse
        do throws(OAuthError) {
            device = try DeviceAuthorizationResponse(answer, shape: shape)
        } catch {
            throw Failure(explained(error))
        }
        try session.diagnostics.warn(device.warnings)
        try session.invite(to: device)
        return device.flow(of: input.document.members, start: start)
    }

    private static func explained(_ error: OAuthError) -> OAuthError {
        var error = error
        if ["unauthorized_client", "device_flow_disabled"].contains(error.code) {
            error.hint = "check the client's secret, and whether the server allows it the device grant"
        }
        return error
    }
}

extension Session {
    /// Tells the person where to go and what to type there. The code is shown beside the URL that has it too, for the
    /// person to compare (RFC 8628 §3.3.1).
    fileprivate func invite(to device: DeviceAuthorizationResponse) throws(Failure) {
        diagnostics.tell("to log in, open this URL on any device:")
        diagnostics.print(device.verificationURI.text)
        let time = device.expiresIn < 120 ? "\(device.expiresIn) s" : "\(device.expiresIn / 60) min"
        diagnostics.tell("and enter this code within \(time):")
        diagnostics.print(device.userCode)
        if let complete = device.verificationURIComplete {
            diagnostics.tell("or open this URL, and compare the code that it shows:")
            diagnostics.print(complete.text)
        }
        let url = device.verificationURIComplete ?? device.verificationURI
        drawQRCode(of: url)
        try openBrowser(at: url, isRedirected: false)
    }
}

/// The options of `device` that mean something else than in `listen`.
enum DeviceOption {
    static let qrCode = Option(
        "qr", section: ListenOption.browser, summary: "show the URL as a QR code",
        details: """
            Draws the URL as a QR code on standard error, for the camera of a telephone; the one that has the code in \
            it, where there is one.
            """)
}

extension DeviceCommand {
    /// The command.
    static let command = Command(
        record: CommandRecord(
            "device", section: "Pipeline", summary: "get a code to log in with on another device",
            description: description,
            options: [ListenOption.open, ListenOption.ephemeral, DeviceOption.qrCode]
                + members.map(\.option) + [
                    GeneralOption.parameter, GeneralOption.nullInput, GeneralOption.profile,
                ] + OutputOption.all + [OutputOption.strict] + GeneralOption.transport,
            refused: GeneralOption.refused, examples: examples,
            seeAlso: [ManualReference("oap-exchange", 1), ManualReference("oap-authurl", 1)]),
        writesErrorDocuments: true, run: run)

    private static let description = """
        Asks the server for a device code (RFC 8628 section 3.1) and prints the flow document: the client's members with \
        `device_code`, `user_code`, `verification_uri`, `verification_uri_complete` where the server made one, \
        `interval` and `expires_at`. `oap exchange` waits for the person and trades the device code for a token.

        What a person must do is printed on standard error, before anything else: the URL to open, on a telephone or any \
        other machine, and the code to type there. Where the server made a URL that has the code in it, it is printed \
        too; the code that its page shows must be the same. Control characters in them are left out.

        Both URLs must be https, or lead to this machine; anything else is exit status 9. Asking again does no harm: an \
        answer that was lost is exit status 6.
        """

    private static let examples = [
        Example(
            "A person logs in where there is no browser, in one pipe.",
            command: "oap device --qr < client.json | oap exchange -o token.json")
    ]
}
