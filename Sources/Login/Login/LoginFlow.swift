internal import OAuth
internal import System
package import Wire
package import Shell
package import Tokens
package import Sessions

/// The steps of a login: the user, the redirect or what is pasted, and the exchange.
package enum LoginFlow {
    /// `places` is where the metadata of the issuer sends it. `hold` holds signals back from the token request on,
    /// until the caller has stored the token.
    package static func token(
        of input: Input, _ way: LoginWay, _ settings: LoginSettings, _ places: LoginPlaces?,
        holding hold: SignalHold, _ session: Session
    ) throws(Failure) -> JSONObject {
        let extra = settings.authorization.extra
        if let grant = way.grant {
            return try TokenFlow.token(of: input, by: grant, extra: extra, holding: hold, session: session)
        }
        let exchanged = { (flow: JSONObject, kind: Grant.Kind) throws(Failure) in
            try TokenFlow.token(of: input.with(flow), by: kind, holding: hold, session: session)
        }
        if way.code == .device || way.code == .backchannel {
            let flow = try DeviceFlow.begin(of: input, by: way.code, extra: extra, places: places, session: session)
            return try exchanged(flow, way.code == .device ? .deviceCode : .ciba)
        }
        let begun = input.with(
            try AuthorizationFlow.begin(of: input, by: settings.authorization, session: session))
        guard way.code == .redirect else { return try exchanged(try pasted(begun, way, session), .authorizationCode) }
        let (redirected, browser) = try received(begun, way, settings.listen, session)
        let steps = { () throws(Failure) in
            try exchanged(try CodeFlow.take(of: input.with(redirected), session), .authorizationCode)
        }
        guard let browser else { return try steps() }
        return try browser.answer(after: steps)
    }

    private static func received(
        _ input: Input, _ way: LoginWay, _ settings: ListenSettings, _ session: Session
    ) throws(Failure) -> (flow: JSONObject, browser: WaitingBrowser?) {
        let tunnel = ListenTarget.tunnel(input.document, settings)
        let forward = tunnel.map { "forward the port with \($0), or " } ?? ""
        let ways = "log in with --paste or --device"
        let paste = Terminal.isTerminal(0) ? "paste the URL of the last page here, or " : ""
        let hint = "open the URL in any browser; if the redirect does not reach this machine, \(paste)\(forward)\(ways)"
        return try RedirectFlow.receive(
            of: input, by: settings, session: session, hint: "if the redirect cannot reach this machine, \(ways)",
            isLogin: true
        ) { (url, short) throws(Failure) in
            let line =
                way.isHeadless
                ? try tunnel.map { (tunnel) throws(Failure) in
                    "\(tunnel) \(try host(in: session.environment))"
                } : nil
            session.prompt.show(url, short: short, redirectsHere: tunnel != nil, over: line)
            if way.opensBrowser {
                let elsewhere = "for a browser elsewhere: oap login --no-open, or --device"
                return try session.prompt.openBrowser(at: url, hint: hint, isAwaited: true, elsewhere: elsewhere)
            }
            session.diagnostics.hint(line == nil ? hint : "if you cannot forward the port, \(ways)")
            return nil
        }
    }

    /// How ssh(1) on another machine reaches this one, with an option for its port: where `SSH_CONNECTION` says how the user
    /// came here, the address and the port of that; else the name of this machine.
    private static func host(in environment: Environment) throws(Failure) -> String {
        let parts = try environment.value("SSH_CONNECTION")?.split(separator: " ").map(String.init) ?? []
        // An IP address, and nothing that a shell takes for more.
        let isOfAddress = { (byte: UInt8) in byte.isASCIILetterOrDigit || ".:%-".utf8.contains(byte) }
        guard parts.count == 4, parts[2].utf8.first != UInt8(ascii: "-"), parts[2].utf8.allSatisfy(isOfAddress),
            let port = Int(parts[3]), (1...65_535).contains(port)
        else { return HostName.own ?? "HOST" }
        return port == 22 ? parts[2] : "-p \(port) \(parts[2])"
    }

    /// The flow with the code that the user pastes. Asks again after text that is not the response: it may be a
    /// mistake.
    private static func pasted(_ input: Input, _ way: LoginWay, _ session: Session) throws(Failure) -> JSONObject {
        let terminal = try TypingTerminal()
        if let url = input.document.members["authorization_url"]?.string.flatMap({ WebURL($0) }) {
            session.prompt.show(url)
            if way.opensBrowser { try session.prompt.openBrowser(at: url, hint: "open the URL in any browser") }
        }
        let showsCode = input.document.members["redirect_uri"]?.string?.hasPrefix("urn:") == true
        session.diagnostics.tell(
            showsCode
                ? "then paste the code that the server shows:"
                : "then paste the URL to which the browser was redirected, even if it shows no page:")
        var wrapped = WrappedText()
        while let line = try terminal.line() {
            let callback: Callback
            do throws(OAuthError) {
                callback = try wrapped.read(line) { text throws(OAuthError) in
                    let callback = try Self.callback(text, for: input.document)
                    try AuthorizationResponse.look(at: callback, for: input.document)
                    return callback
                }
            } catch {
                guard error.kind != .authorization, error.origin != .caller else { throw Failure(error) }
                if line.contains(where: { "=#?".contains($0) }) {
                    session.diagnostics.tell(Failure(error))
                } else {
                    session.diagnostics.tell("that is not the redirected URL: \(error.message)")
                }
                let wanted = showsCode ? "code" : "redirected URL"
                session.diagnostics.tell("paste the \(wanted) again, or end with Ctrl-C:")
                continue
            }
            return try CodeFlow.take(of: input, redirect: callback, session)
        }
        throw Failure(.loginNeeded, .loginNeeded, "nothing was pasted")
    }

    /// What the user pasted: for a redirect URI that is a URN the code alone, as the server shows it. PKCE binds it to
    /// this login.
    private static func callback(_ line: String, for document: Document) throws(OAuthError) -> Callback {
        let members = document.members
        guard let state = members["state"]?.string, members["code_verifier"] != nil,
            members["redirect_uri"]?.string?.hasPrefix("urn:") == true,
            !line.isEmpty, !line.contains(where: { "=&?#".contains($0) || $0.isWhitespace })
        else { return try Callback(pasted: line) }
        return try Callback(pasted: "\(line)#\(state)")
    }
}
