internal import Calls
internal import Engine
internal import Errands
internal import Wire

/// Signs the proofs of requests on a second thread, while other requests are under way: a signature takes half as long as a
/// request to a server nearby.
final class ProofSigner {
    /// A request whose proof is being signed. The worker signs it before it counts the work as done.
    private final class Unsigned: @unchecked Sendable {
        let id: CallGroup.ID
        let attempt: CallGroup.Attempt
        private(set) var message: HTTPRequest

        init(_ id: CallGroup.ID, _ attempt: CallGroup.Attempt) {
            (self.id, self.attempt, message) = (id, attempt, attempt.message)
        }

        func sign() { message = attempt.signed }
    }

    private let engine: Engine
    private var worker: Worker?
    /// The requests that wait for their proofs, the oldest first.
    private var unsigned: ArraySlice<Unsigned> = []

    init(engine: Engine) { self.engine = engine }

    deinit { worker.map(engine.remove) }

    /// Whether requests wait for their proofs.
    var isBusy: Bool { !unsigned.isEmpty }

    /// Takes a request whose proof is to be signed. Returns false if the system has no second thread.
    func add(_ id: CallGroup.ID, _ attempt: CallGroup.Attempt) -> Bool {
        if worker == nil {
            worker = Worker()
            worker.map(engine.add)
        }
        guard let worker else { return false }
        let request = Unsigned(id, attempt)
        unsigned.append(request)
        worker.add { request.sign() }
        return true
    }

    /// The requests whose proofs are signed by now.
    func take() -> [(id: CallGroup.ID, message: HTTPRequest, attempt: CallGroup.Attempt)] {
        guard let count = worker?.takeDone(), count > 0 else { return [] }
        defer { unsigned.removeFirst(count) }
        return unsigned.prefix(count).map { ($0.id, $0.message, $0.attempt) }
    }
}
