internal import CommandSpec
internal import OAuth
internal import System
internal import Wire

/// `oap device`: client → flow, with the code that the user types on another device.
enum DeviceCommand {
    static let qrCode = Option(
        "qr", section: ListenOption.browser, wording: ListenOption.qrCode, summary: "show the URL as a QR code",
        details: Manual.device["--qr"])

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
        description: Manual.device.description,
        options: [ListenOption.open, ListenOption.ephemeral, qrCode] + members.map(\.option)
            + [GeneralOption.parameter] + GeneralOption.input + OutputOption.allAndStrict + GeneralOption.server
            + [GeneralOption.dryRun],
        examples: Manual.device.examples,
        seeAlso: [ManualReference("oap-exchange", 1), ManualReference("oap-authurl", 1)], run: run)
}
