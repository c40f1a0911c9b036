package import Engine
internal import Errands
internal import JOSE
internal import Loopback
internal import System
package import Wire
package import Shell

/// An address on this machine that leads a browser to a URL, once: other users see the arguments of a browser, but not
/// where it is redirected.
package struct PrivateAddress {
    /// The address. Its path is random.
    package let url: WebURL
    private let server: LoopbackServer
    private let engine: Engine

    /// How long a browser may take to ask for it, in seconds.
    private static let patience = 60

    /// Listens on a free port.
    ///
    /// - Throws: exit 6 or 11 if that is not possible.
    package init(leadingTo target: WebURL, _ engine: Engine) throws(Failure) {
        self.engine = engine
        let path = "/" + Base64.encodeURL(try Failure.jose(try SecureRandom.bytes(16)))
        server = try Failure.listening { () throws(LoopbackError) in
            try LoopbackServer(addresses: [.ipv4]) { request in
                guard request.method == "GET", request.path == path else {
                    return ListenPage.nothingHere.response(status: 404)
                }
                return changing(ListenPage.redirect(to: target)) { $0.isLast = true }
            }
        }
        guard let url = WebURL("http://127.0.0.1:\(server.port)\(path)") else {
            preconditionFailure("an address with a port and a path is a URL")
        }
        self.url = url
    }

    /// Waits until the browser has asked for the address; exit 6 if it does not, or fails.
    package func wait(for browser: OpenedBrowser) throws(Failure) {
        let end = MonotonicTime.now + .seconds(Self.patience)
        var isClosed = false
        let window = DescriptorWatch(browser.watched.map { [Watched($0)] } ?? []) { _ in isClosed = true }
        for listener in [server, window] as [any Listener] { engine.add(listener) }
        defer { for listener in [server, window] as [any Listener] { engine.remove(listener) } }
        while !server.isFinished {
            engine.turn(until: end)
            if isClosed, !window.watched.isEmpty {
                window.watched = []
                if !server.isFinished, let failure = browser.cancellation() { throw failure }
            }
            guard end > .now || server.isFinished else {
                throw Failure(
                    .unavailable, .timeout,
                    "the browser has not opened the address that oap gave it within \(Self.patience) s")
            }
        }
    }
}
