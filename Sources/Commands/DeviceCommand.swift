internal import OAuth
internal import Wire

/// `oap device`: client → flow, the code that a person types on another device.
enum DeviceCommand {
    /// The members that its options set.
    static let members = [
        MemberOption.clientID, .clientSecretFile, .authenticationMethod, .basicEncoding, .scope, .resource,
        .deviceAuthorizationEndpoint, .tokenEndpoint, .issuer, .keySetURI, .idTokenAlgorithm, .apiBase,
    ]

    /// Runs the command.
    static func run(_ session: Session) throws(Failure) -> Exit {
        let input = try session.input(members)
        let output = try session.output()
        return try output.write(try flow(of: input, extra: try session.extraParameters(), session: session))
    }

    /// Asks for a code, and tells the person on standard error what to do with it.
    ///
    /// - Parameter extra: parameters of the server's own (`--param`).
    /// - Returns: the flow document, for `ExchangeCommand.token`.
    /// - Throws: every failure of the request; exit 9 for a page that no browser is sent to.
    static func flow(
        of input: Input, extra: [(name: String, value: String)] = [], session: Session
    ) throws(Failure) -> JSONObject {
        let (request, shape) = try Failure.lifting(input.document) { () throws(OAuthError) in
            (
                try DeviceAuthorizationRequest(of: input.document, extra: extra),
                try AnswerShape(of: input.document)
            )
        }
        let server = try ServerRequest(of: input, session: session)
        let start = session.now
        let answer = try server.send(request.parameters, to: request.endpoint, stake: .repeatable)
        let device: DeviceAuthorizationResponse
        do throws(OAuthError) {
            device = try DeviceAuthorizationResponse(answer, shape: shape)
        } catch {
            throw Failure(explained(error), document: input.document)
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
