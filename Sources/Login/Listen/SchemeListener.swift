internal import Errands
internal import JOSE
package import OAuth
internal import System
package import TokenStore
internal import Wire
package import Shell
internal import Sessions

/// Receives redirects to a private-use scheme (RFC 8252 §7.1): the handler of the scheme hands them over
/// (oap-scheme-handler(1)).
package enum SchemeListener {
    /// The scheme of a redirect URI for which no server can listen; nil for http and https.
    package static func scheme(of redirectURI: String) -> String? {
        guard let scheme = WebURL(redirectURI)?.scheme, scheme != "http", scheme != "https" else { return nil }
        return scheme
    }

    /// Checks that a handler can hand the redirect over.
    ///
    /// - Throws: exit 3 for a response that is posted.
    package static func check(_ document: Document) throws(Failure) {
        let mode = try asFailure(ResponseMode(of: document))
        guard mode.channel != .formPost else {
            throw Failure(document.invalid("response_mode", "is \(mode.rawValue), which needs an https redirect URI"))
        }
    }

    /// The redirected URL; exit 6 if none came. `invite` is called when it can be handed over.
    static func redirect(
        _ wait: ListenWait, to scheme: String, session: Session, invite: ListenWait.Invitation
    ) throws(Failure) -> String {
        let state = wait.request.state
        let listener = try Failure.storing { () throws(StoreError) in
            InboxListener(
                try RedirectInbox(folder: try session.environment.folders.flows(), key: RememberedFlow.key(state)),
                for: wait.request)
        }
        Signals.removeAtDeath(listener.path, .inbox)
        defer { Signals.removeAtDeath(nil, .inbox) }
        let browser = try invite(wait.request.authorizationURL, nil)
        session.diagnostics.hint(
            """
            the redirect comes through the handler of the scheme \(scheme); if there is none yet: oap scheme-handler \
            \(scheme) --install
            """)
        let isThere = { listener.redirect != nil }
        try wait.wait(for: browser, by: listener, isDone: isThere, hasBegun: isThere)
        guard let redirect = listener.redirect ?? wait.typed?.url else {
            preconditionFailure("the wait ended without the redirect")
        }
        return redirect
    }

    /// Whether a text has the state of a request, and is the URL of its redirect: another page with this state does not
    /// end the wait.
    fileprivate static func isAwaited(_ text: String, _ request: ExpectedRequest) -> Bool {
        guard let url = WebURL(text), let expected = WebURL(request.redirectURI), url.scheme == expected.scheme,
            url.host == expected.host, url.path == expected.path || url.path == "/" && expected.path.isEmpty,
            let state = try? Callback(pasted: text).namedState()
        else { return false }
        return constantTimeEqual(state, request.state)
    }

    /// Hands a redirect over to the process that waits for it.
    ///
    /// - Throws: exit 8 if none waits, exit 9 for a redirect without a state, exit 11.
    package static func handOver(_ url: String, _ folders: UserFolders) throws(Failure) {
        let url = String(url.split(whereSeparator: \.isWhitespace).first ?? "")
        let state = try asFailure(Callback(pasted: url).namedState())
        let isTaken = try Failure.storing { () throws(StoreError) in
            try RedirectInbox.leave(url, folder: try folders.flows(), key: RememberedFlow.key(state))
        }
        guard isTaken else {
            throw Failure(
                .loginNeeded, .flowExpired, "no oap login and no oap listen waits for this redirect",
                hint: "begin the login again")
        }
    }
}

/// Takes the redirect of a flow out of its inbox.
private final class InboxListener: Listener {
    private var inbox: RedirectInbox
    private let request: ExpectedRequest
    /// The redirected URL, once it is there.
    package private(set) var redirect: String?

    init(_ inbox: consuming RedirectInbox, for request: ExpectedRequest) {
        self.inbox = inbox
        self.request = request
    }

    var path: String { inbox.path }

    var watched: [Watched] { [Watched(inbox.descriptor)] }

    var due: MonotonicTime? { nil }

    func serve(_ ready: [Int32]) {
        redirect = redirect ?? inbox.read().first { SchemeListener.isAwaited($0, request) }
    }
}
