internal import Loopback
internal import System
package import Wire
package import Shell
package import Tokens
package import Sessions

/// The step from a flow to its redirect, which a server on this machine or a handler of its URL scheme receives.
package enum RedirectFlow {
    /// The flow document with the redirect, and the browser that waits for its page, if one does. In a login that page
    /// comes when the outcome is known, and the user may paste the redirected URL. `invite` is called when the server
    /// listens. Exit 6 if no redirect arrived, exit 9 if only those of other logins did.
    package static func receive(
        of input: Input, by settings: ListenSettings, session: Session,
        hint: String = "if the flow document is in a file, run oap callback-parse with the redirected URL",
        isLogin: Bool = false, invite: ListenWait.Invitation
    ) throws(Failure) -> (flow: JSONObject, browser: WaitingBrowser?) {
        let request = try ExpectedRequest(input.document)
        var flow = input.document.members
        var wait = ListenWait(for: request, seconds: settings.timeout, session, hint: hint)
        if isLogin { wait.typed = TypedRedirect(for: input.document, session.diagnostics) }
        if let scheme = SchemeListener.scheme(of: request.redirectURI) {
            try ListenTarget.check(input.document, settings)
            flow["callback_url"] = .string(
                try SchemeListener.redirect(wait, to: scheme, session: session, invite: invite))
            return (flow, nil)
        } else {
            wait.hint += """
                ; if the login page did not load, check authorization_endpoint and the network of the browser; if the \
                server showed an error, register this redirect_uri at the server, with its port; or use \
                --redirect-uri with a registered one; some servers need --par
                """
            let target = try ListenTarget(input.document, settings)
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
        // Of a program that does not wait for the page, and when it counts, unless one comes whose user is known.
        var orphan: (redirect: ListenArrival.Redirect, due: MonotonicTime)?
        var hasWarned = false
        var missed = MissedRedirects()
        let server = try Failure.listening { () throws(LoopbackError) in
            try LoopbackServer(
                addresses: target.addresses, port: target.port, limits: LoopbackLimits(rescues: true),
                certificate: target.certificate,
                unheard: {
                    guard target.certificate != nil, redirect == nil else { return }
                    session.diagnostics.tellOnce(unheard)
                }
            ) { arrived in
                let arrival = ListenArrival(
                    arrived, target: target, users: users, mode: request.mode, state: request.state)
                if case .wrongUser(let peer, let sent) = arrival, !hasWarned {
                    hasWarned = true
                    if peer == .gone, users.areAlone { orphan = (sent, .now + .seconds(1)) }
                    warn(of: peer, isIgnored: orphan == nil, session.diagnostics)
                }
                if let misdirection = arrival.misdirection(of: arrived, target: target, state: request.state) {
                    missed.add(misdirection, session.diagnostics)
                }
                if case .wrongState(let stray) = arrival { missed.add(stray, session.diagnostics) }
                return answer(to: arrival, request, holdsPage: holdsPage, redirect: &redirect)
            }
        }
        let browser = try invite(request.authorizationURL, target.shortAddress)
        var isLate = false
        let isDone = {
            if redirect == nil, let sent = orphan, sent.due <= .now { (redirect, isLate) = (sent.redirect, true) }
            return isLate || server.isFinished
        }
        try wait.wait(
            for: browser, by: server, isDone: isDone, hasBegun: { redirect != nil },
            due: { redirect == nil ? orphan?.due : nil },
            missed: { missed })
        if let url = wait.typed?.url { return (ListenArrival.Redirect(url: url, body: nil, isRefusal: false), server) }
        guard let redirect else { preconditionFailure("the server ended without the redirect") }
        return (redirect, server)
    }

    /// What a browser does that does not trust a certificate: it tells its user alone.
    private static let unheard =
        "a browser connected and sent no request: if it warns of the certificate, have it trust the one of \(ListenOption.certificate.name)"

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
            response.headers.append(HTTPField("Allow", request.mode.channel == .formPost ? "POST" : "GET"))
            return response
        }
    }

    /// Warns about a redirect from a program of another user, once: it may send any number.
    private static func warn(of peer: LoopbackPeer, isIgnored: Bool, _ diagnostics: Diagnostics) {
        let program = if case .user(let id) = peer { "a program of user \(id)" } else { "a program that has ended" }
        let end = isIgnored ? "it is ignored" : "it counts unless another one comes"
        diagnostics.tell("warning: \(program) sent a response to this login; \(end)")
        guard isIgnored else { return }
        diagnostics.hint(
            "oap accepts no redirect from another user's browser; give the redirected URL to oap callback-parse")
    }
}
