package import Errands
internal import Glibc
package import System

/// A small HTTP/1.1 server on addresses of this machine. It has no thread: it listens from `init` on and answers in
/// `run`. The handler is called on the thread of `run`, one request at a time.
package final class LoopbackServer {
    package enum Ending: Equatable, Sendable {
        case timedOut
        /// The last response has been sent, or at least one is held back.
        case finished
        /// This descriptor has become readable, or its other end was closed.
        case watched(Int32)
    }

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
    ///   - refused: told the method, the path and the status of a request that is refused without the handler.
    ///   - answer: the handler.
    package init(
        addresses: [LoopbackAddress], port: Int = 0, limits: LoopbackLimits = LoopbackLimits(),
        certificate: LoopbackCertificate? = nil,
        refused: @escaping (_ method: String, _ path: String, _ status: Int) -> Void = { _, _, _ in },
        answer: @escaping (LoopbackRequest) -> LoopbackResponse
    ) throws(LoopbackError) {
        if let reason = LoopbackLibrary.loadFailure { throw .library(reason) }
        self.limits = limits
        service = Service(limits: limits, refused: refused, answer: answer)
        let sockets = try ListeningSockets(addresses, port: port)
        self.port = sockets.port
        try start(sockets, certificate)
    }

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

    /// Serves until the last response has been sent, the time limit is reached, or a watched descriptor becomes
    /// readable or its other end is closed; it is not read. Signals do not end it; a signal handler can write to a
    /// watched pipe.
    package func run(for limit: Duration? = nil, watching descriptors: [Int32] = []) -> Ending {
        let end = limit.map { MonotonicTime.now + $0 }
        while true {
            advance()
            if isFinished { return .finished }
            let now = MonotonicTime.now
            if let end, end <= now { return .timedOut }
            let wait = [end, due].compactMap { $0?.milliseconds(since: now) }.min() ?? -1
            if let watched = poll(descriptors, for: wait) { return .watched(watched) }
        }
    }

    /// Does what can be done without waiting. A connection that goes on, and one that was closed where all were in use, are
    /// for the next round: no descriptor becomes readable for them.
    private func advance() {
        isDue = false
        for daemon in daemons { daemon.run() }
        let hasClosed = service.takeClosed()
        if service.isEnding { for daemon in daemons { daemon.closePort() } }
        let hasMoved = service.advance(to: .now)
        isDue = hasClosed || hasMoved
    }

    /// Whether the last response has been sent, or at least one is held back.
    package var isFinished: Bool { service.hasEnded || service.isHolding }

    /// Answers the request whose response is held back under a number, if its connection is still open. `run` or
    /// the engine sends the response.
    package func answerHeld(_ number: Int, with response: LoopbackResponse) {
        service.answerHeld(number, with: response)
        isDue = true
    }

    /// Closes the port and all connections.
    package func stop() { daemons = [] }

    /// Waits for the next event, and returns the watched descriptor that became ready.
    private func poll(_ watched: [Int32], for milliseconds: Int64) -> Int32? {
        var events = (watched + daemons.map(\.descriptor)).map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        guard Glibc.poll(&events, nfds_t(events.count), Int32(clamping: milliseconds)) > 0 else { return nil }
        return events.prefix(watched.count).first { $0.revents != 0 }?.fd
    }
}

/// Answers requests beside other work.
extension LoopbackServer: Listener {
    package var due: MonotonicTime? {
        if isDue { return .now }
        let due = daemons.compactMap(\.timeout).min().map { MonotonicTime.now + .milliseconds($0) }
        return [due, service.nextMoment].compactMap(\.self).min()
    }

    package var watched: [Watched] { daemons.map { Watched($0.descriptor) } }

    package func serve(_ ready: [Int32]) { advance() }
}
