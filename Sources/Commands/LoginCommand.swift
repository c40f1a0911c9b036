internal import CommandSpec
internal import OAuth
internal import TokenStore
internal import Wire

/// `oap login`: a person logs in, and the token is kept under a name.
enum LoginCommand {
    /// The members that its options set.
    static let members = MemberOption.identity + [.deviceAuthorizationEndpoint] + MemberOption.requestMembers

    /// Runs the command.
    static func run(_ session: Session) throws(Failure) -> Exit {
        let way = try LoginWay(session.arguments)
        let client = try LoginClient(session)
        let store = try session.store()
        try checkStore(store, client.name)
        let token: JSONObject
        do throws(Failure) {
            let input = try session.input(members, members: [:], profile: client.members)
            token = try Self.token(of: input, way: way, session: session)
        } catch {
            throw client.explained(error)
        }
        try Failure.storing { () throws(StoreError) in
            let held = try store.lock(client.name)
            try store.write(JSON.object(token).bytes + [0x0A], as: client.name)
            _ = consume held
        }
        try client.save()
        let person = LoginIdentity(of: token, session: session)
        session.diagnostics.tell(
            "logged in" + (person.map { " as \($0.name)" } ?? "") + "; the token is kept as \(client.name.text)")
        return .done
    }

    /// What would keep the token from being kept is better known before a person has logged in.
    private static func checkStore(_ store: any TokenStoring, _ name: TokenName) throws(Failure) {
        try Failure.storing { () throws(StoreError) in
            let held = try store.lock(name)
            _ = try store.read(name)
            try store.checkRoom(for: 65_536, as: name)
            _ = consume held
        }
    }

    private static func token(of input: Input, way: LoginWay, session: Session) throws(Failure) -> JSONObject {
        guard way.code != .device else {
            let flow = try DeviceCommand.flow(of: input, extra: try session.extraParameters(), session: session)
            return try ExchangeCommand.token(of: input.with(flow), session: session)
        }
        let begun = input.with(try AuthurlCommand.flow(of: input, session: session))
        let flow = way.code == .paste ? try pasted(begun, way, session) : try received(begun, way, session)
        return try ExchangeCommand.token(of: input.with(flow), session: session)
    }

    /// The flow with the code that the browser brings.
    private static func received(_ input: Input, _ way: LoginWay, _ session: Session) throws(Failure) -> JSONObject {
        let port = input.document.members["redirect_uri"]?.string.flatMap { WebURL($0)?.port }
        let forward = port.map { ", forward the port with ssh -L \($0):127.0.0.1:\($0)" } ?? ""
        let hint = """
            open the URL in any browser; where its redirect does not reach this machine\(forward), or log in with \
            --paste or --device
            """
        let redirected = try ListenCommand.flow(of: input, session: session) { (url) throws(Failure) in
            session.show(url)
            if way.opensBrowser {
                try session.showBrowser(at: url, hint: hint)
            } else {
                Diagnostics.print("oap: hint: \(hint)")
            }
        }
        return try CallbackParseCommand.flow(of: input.with(redirected), session: session)
    }

    /// The flow with the code that the person pastes. What cannot be the answer may be a slip of the hand: it is asked for
    /// again.
    private static func pasted(_ input: Input, _ way: LoginWay, _ session: Session) throws(Failure) -> JSONObject {
        let terminal = try TypingTerminal()
        if let url = input.document.members["authorization_url"]?.string.flatMap({ WebURL($0) }) {
            session.show(url)
            if way.opensBrowser { try session.showBrowser(at: url, hint: "open the URL in any browser") }
        }
        session.diagnostics.tell("then paste the URL to which the browser was redirected, even if it shows no page:")
        while let line = try terminal.line() {
            do throws(Failure) {
                let callback = try Failure.lifting { () throws(OAuthError) in try Callback(pasted: line) }
                return try CallbackParseCommand.flow(of: input, redirect: callback, session: session)
            } catch {
                guard error.exit == .insecure || error.exit == .badAnswer || error.exit == .badInput else {
                    throw error
                }
                session.diagnostics.tell(error)
                session.diagnostics.tell("paste it again, or end with Ctrl-C:")
            }
        }
        throw Failure(.loginNeeded, "reauth_required", "nothing was pasted")
    }
}
