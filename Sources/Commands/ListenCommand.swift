internal import CommandSpec
internal import Loopback
internal import OAuth
internal import Wire

/// `oap listen`: flow → flow with `callback_url`, the browser's redirect.
enum ListenCommand {
    /// The members that its options set.
    static let members = MemberOption.of("redirect_uri")

    private static func run(_ session: Session) throws(Failure) -> Exit {
        let input = try session.inputs.read(members)
        let output = try session.output()
        return try output.finish(
            try flow(of: input, session: session) { (url, short) throws(Failure) in
                let tunnel = try ListenTarget.tunnel(input.document, session.arguments)
                session.prompt.show(url, short: short, redirectsHere: tunnel != nil)
                return try session.prompt.openBrowserIfAsked(at: url, isAwaited: true)
            }.flow)
    }

    /// Receives the redirect of a flow.
    ///
    /// - Parameters:
    ///   - isLogin: whether the rest of a login follows: the browser gets its page when the outcome is known, and the user
    ///     may paste the redirected URL.
    ///   - invite: is called when the server listens.
    /// - Returns: the flow document with the redirect, and the browser that waits for its page, if one does.
    /// - Throws: exit 2 or 3 for a flow whose redirect cannot arrive, exit 6 if none arrived, exit 9 if only those of
    ///   other logins did.
    static func flow(
        of input: Input, session: Session,
        hint: String = "if the flow document is in a file, run oap callback-parse with the redirected URL",
        isLogin: Bool = false, invite: ListenWait.Invitation
    ) throws(Failure) -> (flow: JSONObject, browser: WaitingBrowser?) {
        let request = try ExpectedRequest(input.document)
        var flow = input.document.members
        var wait = try ListenWait(for: request, session, hint: hint)
        if isLogin { wait.typed = TypedRedirect(for: input.document, session.diagnostics) }
        if let scheme = SchemeListener.scheme(of: request.redirectURI) {
            try ListenTarget.check(input.document, session.arguments)
            flow["callback_url"] = .string(
                try SchemeListener.redirect(wait, to: scheme, session: session, invite: invite))
            return (flow, nil)
        } else {
            wait.hint += """
                ; if the server showed an error, register this redirect_uri at the server, with its port; or use \
                --redirect-uri with a registered one
                """
            let target = try ListenTarget(input.document, session.arguments)
            let (redirect, server) = try redirect(wait, at: target, holdsPage: isLogin, session, invite)
            flow["callback_url"] = .string(redirect.url)
            flow["callback_body"] = redirect.body.map { .string($0) }
            guard isLogin else {
                server.stop()
                return (flow, nil)
            }
            return (flow, WaitingBrowser(server, session))
        }
    }

    /// Listens, shows the login URL, and waits.
    private static func redirect(
        _ wait: ListenWait, at target: ListenTarget, holdsPage: Bool, _ session: Session,
        _ invite: ListenWait.Invitation
    ) throws(Failure) -> (redirect: ListenArrival.Redirect, server: LoopbackServer) {
        let request = wait.request
        let users = try ListenUsers(of: target, session.environment)
        var redirect: ListenArrival.Redirect?
        var hasWarned = false
        var missed = MissedRedirects()
        let server: LoopbackServer
        do throws(LoopbackError) {
            server = try LoopbackServer(
                addresses: target.addresses, port: target.port, certificate: target.certificate
            ) { arrived in
                let arrival = ListenArrival(
                    arrived, target: target, users: users, mode: request.mode, state: request.state)
                if case .wrongUser(let peer) = arrival, !hasWarned {
                    hasWarned = true
                    warn(of: peer, session.diagnostics)
                }
                if case .wrongState(let stray) = arrival { missed.add(stray, session.diagnostics) }
                return answer(to: arrival, request, holdsPage: holdsPage, redirect: &redirect)
            }
        } catch {
            throw Failure(error)
        }
        let browser = try invite(request.authorizationURL, target.shortAddress)
        try wait.wait(
            for: browser, by: server, isDone: { server.isFinished }, hasBegun: { redirect != nil }, missed: { missed })
        if let url = wait.typed?.url { return (ListenArrival.Redirect(url: url, body: nil, isRefusal: false), server) }
        guard let redirect else { preconditionFailure("the server ended without the redirect") }
        return (redirect, server)
    }

    /// The page for the browser; the first redirect is kept and ends the wait.
    private static func answer(
        to arrival: ListenArrival, _ request: ExpectedRequest, holdsPage: Bool, redirect: inout ListenArrival.Redirect?
    ) -> LoopbackResponse {
        switch arrival {
        case .redirect(let first):
            guard redirect == nil else { return ListenPage.expired.response(status: 400) }
            redirect = first
            var response = (first.isRefusal ? ListenPage.refused : .received).response(status: 200)
            (response.isLast, response.heldAs) = (!holdsPage, holdsPage ? WaitingBrowser.number : nil)
            return response
        case .shortAddress: return ListenPage.redirect(to: request.authorizationURL)
        case .wrongState: return ListenPage.expired.response(status: 400)
        case .wrongHost, .wrongContent, .wrongUser: return ListenPage.nothingHere.response(status: 400)
        case .prefetch: return ListenPage.nothingHere.response(status: 403)
        case .wrongPath: return ListenPage.nothingHere.response(status: 404)
        case .wrongMethod:
            var response = ListenPage.nothingHere.response(status: 405)
            response.headers.append(HTTPField("Allow", request.mode == .formPost ? "POST" : "GET"))
            return response
        }
    }

    /// Warns about a redirect from a program of another user, once: it may send any number.
    private static func warn(of peer: LoopbackPeer, _ diagnostics: Diagnostics) {
        let program = if case .user(let id) = peer { "a program of user \(id)" } else { "a program that has ended" }
        diagnostics.tell("warning: \(program) sent a response to this login; it is ignored")
        diagnostics.hint(
            "oap accepts no redirect from another user's browser; give the redirected URL to oap callback-parse")
    }

    /// The command.
    static let command = Command(
        "listen", section: "Step by step", summary: "wait for the browser's redirect on this machine",
        description: description,
        options: ListenOption.all + members.map(\.option) + OutputOption.allAndStrict,
        examples: examples,
        seeAlso: [
            ManualReference("oap-authurl", 1), ManualReference("oap-callback-parse", 1),
            ManualReference("oap-scheme-handler", 1),
        ],
        run: run)

    private static let description = """
        Waits on this machine for the redirect of a login (RFC 8252 section 7.3). Prints the flow document with the \
        redirected URL as `callback_url`. If the browser posts the response as a form, the form becomes \
        `callback_body`. `oap callback-parse` checks `callback_url` and `callback_body`. The command listens on the \
        loopback address and the port of the `redirect_uri`. For `localhost`, the command listens on both `127.0.0.1` \
        and `[::1]`. The command begins to listen before it shows the login URL. If the port is in use, the command \
        fails with exit status 6.

        The command prints the login URL on standard error. A browser on this machine can also open a short address, \
        such as `http://127.0.0.1:PORT/`, which redirects to the login URL. The command waits for the redirect: a \
        request to the path of the `redirect_uri`, with the `state` of this login. The redirect contains a code, or an \
        error of the server. All other requests get an error page, and the command continues to wait. At the end, the \
        browser shows a page with the result. If no redirect arrives within `--timeout` seconds, the command fails \
        with exit status 6. If only redirects with another `state`, or without one, arrive in this time, the exit \
        status is 9, and the error is `state_mismatch` or `state_missing`. If the private window of `--ephemeral` is \
        closed, or if the browser of `--open` fails, the command fails at once with exit status 6 and the error \
        `cancelled`.

        On a loopback address, the command accepts a redirect only from a program that runs as the same user, as the \
        user who called `sudo`, or as root. Without this check, any user of this machine could see the login URL in \
        the arguments of the browser, and send a forged redirect with the `state` of this URL. If a program of another \
        user sends a redirect, the command responds with HTTP status 400, prints a warning, and continues to wait. If \
        the system does not know the user of the program, the command accepts the redirect. For example, if `oap \
        listen` runs in a container and the browser does not, the system does not know the user of the browser. If the \
        address of `--bind` is not a loopback address, the command accepts a redirect from a program of any user.

        A redirect URI can have a private-use scheme, such as `com.example.app:/callback`. In this case, the command \
        does not listen on a port: the desktop passes the redirected URL to the handler of the scheme. `oap \
        scheme-handler` makes `oap` the handler of a scheme.

        If the browser runs on another machine, it cannot load the page to which it is redirected. Copy the URL of \
        this page, and run `curl 'URL'` on the machine of `oap listen`. If the flow document is in a file, you can \
        also pass the URL to `oap callback-parse`.
        """

    private static let examples = [
        Example(
            "Log in with one pipe.",
            command: """
                oap authurl < client.json | oap listen --open |
                    oap callback-parse | oap exchange -o token.json
                """),
        Example(
            "Keep the flow document in a file, and wait one minute for the redirect.",
            command: """
                oap authurl < client.json > flow.json
                oap listen --open --timeout 60 < flow.json |
                    oap callback-parse > code.json
                """),
        Example(
            "Write only the redirected URL to a file.",
            command: "oap authurl < client.json | oap listen --open --jq .callback_url -r > redirect.txt"),
    ]
}
