internal import Errands
internal import OAuth
internal import System
internal import Wire

/// The step from a client to a flow whose code the user types on another device (RFC 8628 §3.1).
enum DeviceFlow {
    /// Requests a device code, and shows the user what to do.
    ///
    /// - Parameters:
    ///   - extra: the parameters of `--param`.
    ///   - places: where the metadata of the issuer sends a login.
    /// - Returns: the flow document, for `TokenFlow`.
    /// - Throws: every failure of the request; exit 9 for a verification URI that is neither https nor loopback.
    static func begin(
        of input: Input, extra: [(name: String, value: String)], places: LoginPlaces? = nil, session: Session
    ) throws(Failure) -> JSONObject {
        let engine = session.engine
        let input = try engine.run(
            input.withCredential().onward { (input) throws(Failure) in
                input.completed(needing: ["device_authorization_endpoint"], over: session.transport)
            }
        )
        .withBinding()
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
}
