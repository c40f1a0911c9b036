internal import Errands
internal import System
internal import Wire

/// The state that the daemons of a server share: the handler and the connections.
final class Service {
    private let limits: LoopbackLimits
    private let refused: (String, String, Int) -> Void
    private let unheard: () -> Void
    private let answer: (LoopbackRequest) -> LoopbackResponse
    /// Makes the taker of a request; nil where the handler gets each request whole.
    private let take: LoopbackTake?
    /// Answers requests before their content is read.
    private let early: ((LoopbackRequest) -> LoopbackResponse?)?
    private let hangups: Hangups?
    private var connections: [ObjectIdentifier: Connection] = [:]
    private var hasClosed = false
    /// Whether the last response has been made, though perhaps not sent.
    private(set) var isEnding = false

    init(
        limits: LoopbackLimits, refused: @escaping (String, String, Int) -> Void, unheard: @escaping () -> Void,
        early: ((LoopbackRequest) -> LoopbackResponse?)? = nil,
        answer: @escaping (LoopbackRequest) -> LoopbackResponse, take: LoopbackTake? = nil
    ) {
        (self.limits, self.refused, self.unheard, self.answer) = (limits, refused, unheard, answer)
        (self.take, self.early) = (take, early)
        hangups = take == nil ? nil : Hangups()
    }

    /// Whether a connection was woken that the daemons have not run since.
    var hasWoken = false

    var watched: [Watched] { hangups.map { [Watched($0.descriptor)] } ?? [] }

    /// Tells the takers whose clients are gone.
    ///
    /// - Parameter ready: the descriptors that are ready.
    func noteHangups(_ ready: [Int32]) {
        guard let hangups, ready.contains(hangups.descriptor) else { return }
        while let socket = hangups.next() { connections.values.first { $0.socket == socket }?.hangUp() }
    }

    /// Gives a request whose head has come to a taker; false if the library may not continue with the connection.
    func begin(_ connection: Connection, method: String) -> Bool {
        guard take != nil || early != nil, connection.refusal == nil else { return true }
        let request = connection.request(method: method)
        if let response = early?(request) {
            return connection.begin(FixedAnswer(response), hasContent: request.hasContent)
        }
        guard let take else { return true }
        let waker = LoopbackWaker { [weak self, weak connection] in
            guard let self, let connection, connection.isAsleep else { return }
            connection.wake()
            hasWoken = true
        }
        return connection.begin(take(request, waker), hasContent: request.hasContent)
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
        hangups?.watch(connection.socket)
        return connection
    }

    /// A connection is about to be closed.
    func close(_ connection: Connection) {
        connection.release()
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
        if connection.isTaken { return connection.goOn() }
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
    func proceedAll() {
        for connection in connections.values {
            if connection.isWaiting { connection.proceed() }
            if connection.isAsleep { connection.hangUp() }
        }
    }

    /// When `advance` must be called next; nil for never.
    var nextMoment: MonotonicTime? {
        connections.values.lazy.filter { $0.isWaiting || !$0.isAnswering }.map(\.due).min()
    }
}
