internal import Engine
internal import Errands
internal import OAuth
internal import System
package import Wire
package import Shell
internal import Sessions

/// The wait for the redirect of a flow.
package struct ListenWait {
    /// The request to which the redirect is the response.
    let request: ExpectedRequest
    /// What to do if no redirect comes.
    var hint: String
    /// Shows the login URL and its short address, and may open a browser.
    package typealias Invitation = (_ url: WebURL, _ short: String?) throws(Failure) -> OpenedBrowser?

    /// Takes the redirected URL from the user; nil if only a redirect will do.
    var typed: TypedRedirect?

    private let seconds: Double
    private let output: [Int32]
    private let engine: Engine
    /// How long a redirect may take that was sent just before the window closed.
    private static let grace = Duration.milliseconds(200)

    init(for request: ExpectedRequest, seconds: Double, _ session: Session, hint: String) {
        (self.request, self.hint) = (request, hint)
        self.seconds = seconds
        (output, engine) = (session.form.watchedOutput, session.engine)
    }

    /// Waits until the redirect is there, or the user has typed it.
    ///
    /// - Parameters:
    ///   - isDone: whether it has received all of it.
    ///   - due: when it may have.
    ///   - hasBegun: whether a redirect has come, which the listener is not done with yet.
    /// - Throws: exit 6 after the time limit, or after the end of the browser; exit 9 after the time limit if only
    ///   responses to other logins came.
    func wait(
        for browser: OpenedBrowser?, by listener: any Listener, isDone: () -> Bool, hasBegun: () -> Bool,
        due: () -> MonotonicTime? = { nil }, missed: () -> MissedRedirects = { MissedRedirects() }
    ) throws(Failure) {
        let end = MonotonicTime.now + .seconds(seconds)
        var (isClosed, isTyped) = (false, false)
        let window = DescriptorWatch(browser?.watched.map { [Watched($0)] } ?? []) { _ in isClosed = true }
        let terminal = DescriptorWatch(typed.map { [Watched($0.descriptor)] } ?? []) { _ in isTyped = true }
        let listeners: [any Listener] = [listener, DescriptorWatch.ofReader(output), window, terminal]
        for listener in listeners { engine.add(listener) }
        defer { for listener in listeners { engine.remove(listener) } }
        var closing: (failure: Failure, end: MonotonicTime)?
        while !isDone() {
            engine.turn(until: min(end, closing?.end ?? end, due() ?? end))
            if isTyped {
                isTyped = false
                if typed?.read() != true { terminal.watched = [] }
                if typed?.url != nil { return }
            }
            if isClosed, !window.watched.isEmpty {
                window.watched = []
                closing = browser?.cancellation().map { ($0, .now + Self.grace) }
            }
            if let (failure, end) = closing, end <= .now, !isDone() {
                guard hasBegun() else { throw failure }
                closing = nil
            }
            guard end > .now || isDone() else {
                let span = seconds == seconds.rounded() ? "\(Int(seconds))" : "\(seconds)"
                throw missed().failure("came to \(request.redirectURI) within \(span) s", hint: hint)
            }
        }
    }
}

/// The members of a flow that describe its request.
struct ExpectedRequest {
    let authorizationURL: WebURL
    /// The redirect URI, as it is in the flow.
    let redirectURI: String
    let state: String
    let mode: ResponseMode

    init(_ document: Document) throws(Failure) {
        for name in ["authorization_url", "state", "redirect_uri"] where document.members[name] == nil {
            throw Failure(
                .badInput, .metadataMissing, "\(name) is missing",
                hint: "pass the flow document that oap authurl printed")
        }
        authorizationURL = try asFailure(Endpoint("authorization_url", in: document)).url
        redirectURI = try asFailure(document.required("redirect_uri"))
        mode = try asFailure(ResponseMode(of: document))
        state = try asFailure(document.required("state"))
    }
}
