package import Errands
package import System

/// A small HTTP/1.1 server on addresses of this machine. It has no thread: it listens from `init` on and answers in the
/// turns of the engine that it is added to. The handler is called there, one request at a time.
package final class LoopbackServer {
    /// The port, the same for all addresses.
    package let port: Int
    private var daemons: [Daemon] = []
    private let limits: LoopbackLimits
    private let service: Service
    /// Whether there is something to do, though no descriptor is readable.
    private var isDue = false

    /// Binds all the addresses to one port and listens.
    ///
    /// - Parameters:
    ///   - addresses: where to listen. One that this machine does not have is ignored if there are others.
    ///   - port: 0 for a free one.
    ///   - certificate: for TLS; nil for plain http.
    ///   - unheard: told of a connection that is closed before a request line came.
    ///   - refused: told the method, the path and the status of a request that is refused without the handler.
    ///   - early: answers a request by its head, before its content is read; nil for one that the handler gets.
    package init(
        addresses: [LoopbackAddress], port: Int = 0, limits: LoopbackLimits = LoopbackLimits(),
        certificate: LoopbackCertificate? = nil,
        unheard: @escaping () -> Void = {},
        refused: @escaping (_ method: String, _ path: String, _ status: Int) -> Void = { _, _, _ in },
        early: ((LoopbackRequest) -> LoopbackResponse?)? = nil,
        answer: @escaping (LoopbackRequest) -> LoopbackResponse
    ) throws(LoopbackError) {
        if let reason = LoopbackLibrary.loadFailure { throw .library(reason) }
        self.limits = limits
        service = Service(limits: limits, refused: refused, unheard: unheard, early: early, answer: answer)
        let sockets = try ListeningSockets(addresses, port: port)
        self.port = sockets.port
        try start(sockets, certificate)
    }

    /// Listens, and gives each request to a taker as it comes.
    ///
    /// - Parameter sockets: where it listens.
    package init(
        on sockets: consuming ListeningSockets, limits: LoopbackLimits, take: @escaping LoopbackTake
    ) throws(LoopbackError) {
        if let reason = LoopbackLibrary.loadFailure { throw .library(reason) }
        self.limits = limits
        service = Service(
            limits: limits, refused: { _, _, _ in }, unheard: {}, answer: { _ in LoopbackResponse(status: 500) },
            take: take)
        port = sockets.port
        try start(sockets, nil)
    }

    /// Takes no further connections; those that are open stay so.
    package func closePort() { for daemon in daemons { daemon.closePort() } }

    /// Listens on a port in addition, 0 for a free one, for the same handler, and returns the port.
    package func listen(
        addresses: [LoopbackAddress], port: Int, certificate: LoopbackCertificate
    ) throws(LoopbackError) -> Int {
        let sockets = try ListeningSockets(addresses, port: port)
        let number = sockets.port
        try start(sockets, certificate)
        return number
    }

    private func start(
        _ sockets: consuming ListeningSockets, _ certificate: LoopbackCertificate?
    ) throws(LoopbackError) {
        if certificate?.asksClients == true, let reason = LoopbackClientCertificate.loadFailure {
            throw .system("libgnutls cannot be loaded (Debian: libgnutls30): \(reason)")
        }
        while let socket = sockets.take() {
            daemons.append(try Daemon(socket, limits: limits, certificate: certificate, service: service))
        }
    }

    /// A port that is free on all the addresses at this moment.
    package static func freePort(on addresses: [LoopbackAddress]) throws(LoopbackError) -> Int {
        try ListeningSockets(addresses, port: 0).port
    }

    /// Whether the last response has been sent, or at least one is held back.
    package var isFinished: Bool { service.hasEnded || service.isHolding }

    /// Answers the request whose response is held back under a number, if its connection is still open. It is sent in the
    /// next turn.
    package func answerHeld(_ number: Int, with response: LoopbackResponse) {
        service.answerHeld(number, with: response)
        isDue = true
    }

    /// Closes the port and all connections.
    package func stop() { daemons = [] }
}

/// Answers requests beside other work.
extension LoopbackServer: Listener {
    package var due: MonotonicTime? {
        if isDue || service.hasWoken { return .now }
        let due = daemons.compactMap(\.timeout).min().map { MonotonicTime.now + .milliseconds($0) }
        return [due, service.nextMoment].compactMap(\.self).min()
    }

    package var watched: [Watched] { daemons.map { Watched($0.descriptor) } + service.watched }

    /// Does what can be done without waiting. A connection that goes on, and one that was closed where all were in use, are
    /// for the next round: no descriptor becomes readable for them.
    package func serve(_ ready: [Int32]) {
        isDue = false
        service.noteHangups(ready)
        service.hasWoken = false
        for daemon in daemons { daemon.run() }
        let hasClosed = service.takeClosed()
        if service.isEnding { for daemon in daemons { daemon.closePort() } }
        let hasMoved = service.advance(to: .now)
        isDue = hasClosed || hasMoved
    }
}
