internal import CommandSpec
internal import Loopback
internal import OAuth
internal import System
internal import Wire

/// The wait for the redirect of a flow.
struct ListenWait {
    /// The request to which the redirect is the response.
    let request: ExpectedRequest
    /// What to do if no redirect comes.
    var hint: String
    /// Shows the login URL and its short address, and may open a browser.
    typealias Invitation = (_ url: WebURL, _ short: String?) throws(Failure) -> OpenedBrowser?

    /// Takes the redirected URL from the user; nil if only a redirect will do.
    var typed: TypedRedirect?

    private let seconds: Double
    private let output: [Int32]

    /// Reads the time limit.
    ///
    /// - Throws: exit 2 for a bad one.
    init(for request: ExpectedRequest, _ session: Session, hint: String) throws(Failure) {
        (self.request, self.hint) = (request, hint)
        seconds = try session.arguments.seconds(ListenOption.timeout) ?? 300
        output = session.form.watchedOutput
    }

    /// Waits.
    ///
    /// - Parameters:
    ///   - browser: the browser that was opened.
    ///   - hasBegun: whether a redirect has come, of which `run` is not done yet.
    ///   - missed: the redirects that were ignored.
    ///   - run: goes on until it is done with the redirect, for a time, or until a watched descriptor is ready.
    /// - Throws: exit 6 after the time limit, or after the end of the browser; exit 9 after the time limit if only
    ///   responses to other logins came.
    func wait(
        for browser: OpenedBrowser?, hasBegun: () -> Bool, missed: () -> MissedRedirects = { MissedRedirects() },
        run: (_ limit: Duration, _ watched: [Int32]) -> LoopbackServer.Ending
    ) throws(Failure) {
        let end = MonotonicTime.now + .seconds(seconds)
        var watched = output + [browser?.watched, typed?.descriptor].compactMap(\.self)
        while true {
            switch run(.milliseconds(end.milliseconds(since: .now)), watched) {
            case .finished: return
            case .watched(let ended) where ended == browser?.watched:
                watched.removeAll { $0 == ended }
                guard let failure = browser?.cancellation() else { continue }
                // The redirect may have been sent just before the window closed.
                if run(.milliseconds(200), []) == .finished { return }
                guard hasBegun() else { throw failure }
            case .watched(let ready) where ready == typed?.descriptor:
                switch typed?.read() {
                case .taken: return
                case .refused: continue
                case .ended, nil: watched.removeAll { $0 == ready }
                }
            case .watched: Signals.dieOfBrokenPipe()
            case .timedOut:
                let span = seconds == seconds.rounded() ? "\(Int(seconds))" : "\(seconds)"
                throw missed().failure("came to \(request.redirectURI) within \(span) s", hint: hint)
            }
        }
    }
}

/// The members of a flow that describe its request.
struct ExpectedRequest {
    /// Where the user logs in.
    let authorizationURL: WebURL
    /// The redirect URI, as it is in the flow.
    let redirectURI: String
    /// The `state` that was sent.
    let state: String
    /// The response mode.
    let mode: ResponseMode

    /// Reads the members.
    ///
    /// - Throws: exit 3 for a member that is missing or invalid.
    init(_ document: Document) throws(Failure) {
        for name in ["authorization_url", "state", "redirect_uri"] where document.members[name] == nil {
            throw Failure(
                .badInput, .metadataMissing, "\(name) is missing",
                hint: "pass the flow document that oap authurl printed")
        }
        authorizationURL = try lift(try Endpoint("authorization_url", in: document)).url
        redirectURI = try lift(try document.required("redirect_uri"))
        mode = try lift(try ResponseMode(of: document))
        state = try lift(try document.required("state"))
    }
}
