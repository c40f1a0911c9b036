internal import OAuth
internal import System
package import Wire
package import Shell
package import Tokens
package import Sessions

/// The step from a client to a flow that the user decides on another device: with a code to type there (RFC 8628 §3.1), or
/// asked by the server (OpenID Connect CIBA Core §7).
package enum DeviceFlow {
    /// Requests a device code, and shows the user what to do; or lets the server ask the user (OpenID Connect CIBA Core
    /// §7), and says so.
    ///
    /// - Parameters:
    ///   - code: which of the two.
    ///   - extra: the parameters of `--param`.
    ///   - known: where the metadata of the issuer sends a login that has said so; nil for a step of its own.
    /// - Returns: the flow document, for `TokenFlow`.
    /// - Throws: every failure of the request; exit 2 or 3 if it does not say who is asked; exit 9 for a verification URI
    ///   that is neither https nor loopback.
    package static func begin(
        of input: Input, by code: LoginWay.Code, extra: [(name: String, value: String)],
        places known: LoginPlaces?? = nil, session: Session
    ) throws(Failure) -> JSONObject {
        let input = try session.engine.run(
            input.withCredential().onward { (input) throws(Failure) in
                input.completed(needing: [code.start], over: session.transport)
            }
        )
        .withBinding()
        let places = if let known { known } else { try LoginPlaces.told(of: input.document, for: code, session) }
        guard code == .device else { return try asked(input, extra, session) }
        let request = try asFailure(DeviceAuthorizationRequest(of: input.document, extra: extra))
        let start = Clock.now
        let device = try answer(
            to: request.parameters, from: request.endpoint, of: input,
            refusals: ["unauthorized_client", "device_flow_disabled"], session
        ) { answer, shape throws(OAuthError) in
            try DeviceAuthorizationResponse(answer, shape: shape, usualLifetime: DevicePolling.usualLifetime)
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

    private static func asked(
        _ input: Input, _ extra: [(name: String, value: String)], _ session: Session
    ) throws(Failure) -> JSONObject {
        let request = try asFailure(BackchannelAuthenticationRequest(of: input.document, extra: extra))
        try session.diagnostics.warn(request.warnings)
        let start = Clock.now
        let response = try answer(
            to: request.parameters, from: request.endpoint, of: input, refusals: ["unauthorized_client"], session
        ) { answer, shape throws(OAuthError) in
            try BackchannelAuthenticationResponse(answer, shape: shape, usualLifetime: DevicePolling.usualLifetime)
        }
        try session.diagnostics.warn(response.warnings)
        session.prompt.show(response, message: request.parameters["binding_message"])
        return response.flow(of: input.document.members, start: start)
    }

    /// - Parameter refusals: the codes of errors that say that the client may not begin such a login.
    private static func answer<Response>(
        to parameters: Parameters, from endpoint: Endpoint, of input: Input, refusals: [String], _ session: Session,
        reading read: (EndpointResponse, AnswerShape) throws(OAuthError) -> Response
    ) throws(Failure) -> Response {
        let shape = try asFailure(AnswerShape(of: input.document))
        let server = try AuthorizationServer(of: input, over: session.transport)
        let answer = try session.engine.run(
            server.answer(from: endpoint) { moment throws(OAuthError) in
                try server.authentication.request(to: endpoint, parameters: parameters, at: moment)
            })
        do throws(OAuthError) { return try read(answer, shape) } catch {
            var error = error
            if let code = error.code, refusals.contains(code) {
                error.hint = "check the client's secret, and whether the server allows the client this grant"
            }
            throw Failure(server.withHint(for: error))
        }
    }
}
