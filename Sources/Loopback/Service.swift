internal import System
internal import Wire

/// The state that the daemons of a server share: the handler and the connections.
final class Service {
    private let limits: LoopbackLimits
    private let refused: (String, String, Int) -> Void
    private let unheard: () -> Void
    private let answer: (LoopbackRequest) -> LoopbackResponse
    private var connections: [ObjectIdentifier: Connection] = [:]
    private var hasClosed = false
    /// Whether the last response has been made, though perhaps not sent.
    private(set) var isEnding = false

    init(
        limits: LoopbackLimits, refused: @escaping (String, String, Int) -> Void, unheard: @escaping () -> Void,
        answer: @escaping (LoopbackRequest) -> LoopbackResponse
    ) {
        (self.limits, self.refused, self.unheard, self.answer) = (limits, refused, unheard, answer)
    }

    /// The connections whose responses are held back, by their numbers.
    private var held: [Int: Connection] = [:]

    var isHolding: Bool { !held.isEmpty }

    func answerHeld(_ number: Int, with response: LoopbackResponse) {
        if response.isLast { isEnding = true }
        held.removeValue(forKey: number)?.answerHeld(with: response)
    }

    /// Whether the last response and all others in progress have been sent.
    var hasEnded: Bool { isEnding && !connections.values.contains(where: \.isAnswering) }

    func open(_ handle: OpaquePointer) -> Connection {
        let connection = Connection(handle, limits: limits)
        connections[ObjectIdentifier(connection)] = connection
        return connection
    }

    /// A connection is about to be closed.
    func close(_ connection: Connection) {
        connection.drain()
        hasClosed = true
        if connection.isSilent { unheard() }
        held = held.filter { $0.value !== connection }
        connections[ObjectIdentifier(connection)] = nil
    }

    /// Whether a connection has been closed since the last call. With all connections in use the library stops
    /// listening, and starts again only in the run after one is closed; no descriptor becomes readable for that run.
    func takeClosed() -> Bool {
        defer { hasClosed = false }
        return hasClosed
    }

    /// Saves the requests of clients that are gone, before the library closes their connections unread.
    func rescue() {
        guard limits.rescues else { return }
        for connection in connections.values { connection.rescue() }
    }

    /// Answers a complete request; false if the library may not continue with the connection.
    func serve(_ connection: Connection, method: String) -> Bool {
        var response: LoopbackResponse
        if let status = connection.refusal {
            refused(method, connection.path, status)
            response = LoopbackResponse(status: status)
            response.closes = true
        } else {
            response = answer(connection.request(method: method))
        }
        if response.isLast { isEnding = true }
        if let number = response.heldAs { held[number] = connection }
        return connection.answer(response)
    }

    /// Resumes delayed connections, and closes connections whose request did not arrive in time. Returns whether the
    /// daemons must run because of it, though no descriptor is readable.
    func advance(to now: MonotonicTime) -> Bool {
        var hasMoved = false
        for connection in connections.values where connection.due <= now {
            if connection.isWaiting {
                connection.proceed()
                hasMoved = true
            } else if !connection.isAnswering {
                connection.shutDown()
            }
        }
        return hasMoved
    }

    /// Resumes all connections, as the library requires before it is stopped.
    func proceedAll() { for connection in connections.values where connection.isWaiting { connection.proceed() } }

    /// When `advance` must be called next; nil for never.
    var nextMoment: MonotonicTime? {
        connections.values.lazy.filter { $0.isWaiting || !$0.isAnswering }.map(\.due).min()
    }
}
