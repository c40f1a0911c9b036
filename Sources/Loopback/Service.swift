internal import System
internal import Wire

/// What the daemons of a server share: the function that answers, and the connections.
final class Service {
    private let limits: LoopbackLimits
    private let answer: (LoopbackRequest) -> LoopbackResponse
    private var connections: [ObjectIdentifier: Connection] = [:]
    /// Whether a connection has been closed since this was last asked.
    private var hasClosed = false
    /// Whether the last answer has been given, and perhaps not sent yet.
    private(set) var isEnding = false

    init(limits: LoopbackLimits, answer: @escaping (LoopbackRequest) -> LoopbackResponse) {
        self.limits = limits
        self.answer = answer
    }

    /// Whether the last answer has been sent, and every other that was begun.
    var hasEnded: Bool { isEnding && !connections.values.contains(where: \.isAnswering) }

    /// A connection is made.
    func open(_ handle: OpaquePointer) -> Connection {
        let connection = Connection(handle, limits: limits)
        connections[ObjectIdentifier(connection)] = connection
        return connection
    }

    /// A connection is about to be closed.
    func close(_ connection: Connection) {
        connection.drain()
        hasClosed = true
        connections[ObjectIdentifier(connection)] = nil
    }

    /// Whether a connection has been closed since this was last asked. With all connections in use the library listens
    /// no more, and begins again in the run after the one that closes some; no descriptor tells that there is one to do.
    func takeClosed() -> Bool {
        defer { hasClosed = false }
        return hasClosed
    }

    /// Answers a request that is there as a whole.
    ///
    /// - Returns: whether the library may go on with the connection.
    func serve(_ connection: Connection, method: String) -> Bool {
        let response: LoopbackResponse
        switch connection.request(method: method) {
        case .success(let request): response = answer(request)
        case .failure(let refusal):
            var refused = LoopbackResponse(status: refusal.status)
            refused.closes = true
            response = refused
        }
        if response.isLast { isEnding = true }
        return connection.answer(response)
    }

    /// Goes on with what has waited long enough, and gives up connections on which no request came in time.
    ///
    /// - Returns: whether the daemons have something to do because of it, which their descriptors do not tell.
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

    /// Ends all waiting, which the library asks for before it is stopped.
    func proceedAll() {
        for connection in connections.values where connection.isWaiting { connection.proceed() }
    }

    /// When `advance` has something to do; nil for never.
    var nextMoment: MonotonicTime? {
        connections.values.lazy.filter { $0.isWaiting || !$0.isAnswering }.map(\.due).min()
    }
}
