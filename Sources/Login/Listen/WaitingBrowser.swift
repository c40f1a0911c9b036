internal import Loopback
internal import System
internal import Shell
internal import Sessions

/// The browser that brought the redirect, and waits for the page that says how the login ended.
package struct WaitingBrowser {
    private let server: LoopbackServer
    private let session: Session
    /// The number of its response at the server.
    static let number = 0

    /// A browser whose response a server holds back.
    init(_ server: LoopbackServer, _ session: Session) { (self.server, self.session) = (server, session) }

    /// Does the rest of a login, and answers the browser. Other requests are answered meanwhile.
    ///
    /// - Throws: what the steps throw.
    func answer<Value>(after steps: () throws(Failure) -> Value) throws(Failure) -> Value {
        session.engine.add(server)
        defer {
            session.engine.remove(server)
            server.stop()
        }
        do throws(Failure) {
            let value = try steps()
            send(.signedIn)
            return value
        } catch {
            // Who has just refused knows better than the server's words how that went.
            let isDenied = error.kind == .authorization && error.code == "access_denied"
            let reason = isDenied ? "the access was not allowed" : error.text(session.diagnostics.redactor)
            send(.refused, reason: reason)
            throw error
        }
    }

    private func send(_ page: ListenPage, reason: String? = nil) {
        var response = page.response(status: 200, reason: reason)
        response.isLast = true
        server.answerHeld(Self.number, with: response)
        let end = MonotonicTime.now + .seconds(2)
        while !server.isFinished, end > .now { session.engine.turn(until: end) }
    }
}
