internal import CommandSpec
internal import OAuth
internal import Wire

/// `oap device`: client → flow, with the code that the user types on another device.
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

    /// Requests a device code, and prints the instructions for the user on standard error.
    ///
    /// - Parameter extra: parameters of the server's own (`--param`).
    /// - Returns: the flow document, for `ExchangeCommand.token`.
    /// - Throws: every failure of the request; exit 9 for a verification URI that is neither https nor loopback.
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
    /// Prints the URL and the user code. The code is printed even if the URL contains it, so that the user can compare
    /// both (RFC 8628 §3.3.1).
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

/// The options of `device` that differ from those of `listen`.
enum DeviceOption {
    static let qrCode = Option(
        "qr", section: ListenOption.browser, summary: "show the URL as a QR code",
        details: """
            Draws the URL as a QR code on standard error, for the camera of a phone: the URL that contains the code, \
            if the server sent one.
            """)
}

extension DeviceCommand {
    /// The command.
    static let command = Command(
        record: CommandRecord(
            "device", section: "Step by step", summary: "start a login on another device (device flow)",
            description: description,
            options: [ListenOption.open, ListenOption.ephemeral, DeviceOption.qrCode]
                + members.map(\.option) + [
                    GeneralOption.parameter, GeneralOption.nullInput, GeneralOption.profile,
                ] + OutputOption.all + [OutputOption.strict] + GeneralOption.transport,
            refused: GeneralOption.refused, examples: examples,
            seeAlso: [ManualReference("oap-exchange", 1), ManualReference("oap-authurl", 1)]),
        writesErrorDocuments: true, run: run)

    private static let description = """
        Asks the server for a device code (RFC 8628 section 3.1) and prints the flow document: the client's members \
        with `device_code`, `user_code`, `verification_uri`, `verification_uri_complete` if the server sent one, \
        `interval` and `expires_at`. `oap exchange` waits for the user and gets a token for the device code.

        Instructions for the user are printed on standard error first: the URL to open, on a phone or any other \
        machine, and the code to type there. A URL that contains the code is printed too, if the server sent one; the \
        code that its page shows must be the same. Control characters in them are escaped.

        Both URLs must be https, or on loopback; anything else fails with exit status 9. The request is safe to \
        repeat: a lost response fails with exit status 6.
        """

    private static let examples = [
        Example(
            "Log in on a machine without a browser, with one pipe.",
            command: "oap device --qr < client.json | oap exchange -o token.json")
    ]
}
