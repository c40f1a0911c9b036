internal import OAuth
internal import Wire

/// The steps of a login: the user, the redirect or what is pasted, and the exchange.
enum LoginFlow {
    /// The token of a login.
    ///
    /// - Throws: every failure of the steps of a login.
    static func token(of input: Input, _ way: LoginWay, _ session: Session) throws(Failure) -> JSONObject {
        let flow =
            switch way.code {
            case .device: try DeviceCommand.flow(of: input, session: session)
            case .redirect: try received(input.with(try AuthurlCommand.flow(of: input, session: session)), way, session)
            case .paste: try pasted(input.with(try AuthurlCommand.flow(of: input, session: session)), way, session)
            }
        return try ExchangeCommand.token(
            of: input.with(flow), by: way.code == .device ? .deviceCode : .authorizationCode, session: session)
    }

    /// The flow with the code from the browser's redirect.
    private static func received(_ input: Input, _ way: LoginWay, _ session: Session) throws(Failure) -> JSONObject {
        let port = input.document.members["redirect_uri"]?.string.flatMap { WebURL($0)?.port }
        let tunnel = port.map { "ssh -L \($0):127.0.0.1:\($0)" }
        let forward = tunnel.map { ", forward the port with \($0)" } ?? ""
        let ways = "log in with --paste or --device"
        let hint = "open the URL in any browser; if its redirect does not reach this machine\(forward), or \(ways)"
        let redirected = try ListenCommand.flow(
            of: input, session: session, hint: "if the redirect cannot reach this machine, \(ways)"
        ) { (url, short) throws(Failure) in
            session.prompt.show(url, short: short)
            if way.opensBrowser { return try session.prompt.openBrowser(at: url, hint: hint) }
            if way.isHeadless, let tunnel {
                session.diagnostics.tell("on the machine with the browser, forward the port before:")
                session.diagnostics.print("\(tunnel) \(HostName.own ?? "HOST")")
                session.diagnostics.hint("where that is not possible, \(ways)")
            } else {
                session.diagnostics.hint(hint)
            }
            return nil
        }
        return try CallbackParseCommand.flow(of: input.with(redirected), session.diagnostics)
    }

    /// The flow with the code that the user pastes. Asks again after text that is not the response: it may be a
    /// mistake.
    private static func pasted(_ input: Input, _ way: LoginWay, _ session: Session) throws(Failure) -> JSONObject {
        let terminal = try TypingTerminal()
        if let url = input.document.members["authorization_url"]?.string.flatMap({ WebURL($0) }) {
            session.prompt.show(url)
            if way.opensBrowser { try session.prompt.openBrowser(at: url, hint: "open the URL in any browser") }
        }
        session.diagnostics.tell("then paste the URL to which the browser was redirected, even if it shows no page:")
        while let line = try terminal.line() {
            let response: AuthorizationResponse
            do throws(OAuthError) {
                response = try AuthorizationResponse(try Callback(pasted: line), for: input.document)
            } catch {
                guard error.kind != .authorization, error.origin != .caller else { throw Failure(error) }
                session.diagnostics.tell(Failure(error))
                session.diagnostics.tell("paste it again, or end with Ctrl-C:")
                continue
            }
            try session.diagnostics.warn(response.warnings)
            return response.document(from: input.document.members)
        }
        throw Failure(.loginNeeded, .reauthRequired, "nothing was pasted")
    }
}
