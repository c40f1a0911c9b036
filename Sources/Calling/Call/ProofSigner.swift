internal import Calls
internal import Engine
internal import Errands
internal import OAuth
internal import Wire

/// Signs the proofs of requests on a second thread, while other requests are under way: a signature takes half as long as a
/// request to a server nearby.
final class ProofSigner {
    /// A request whose proof is being signed. The worker sets the field before it counts the work as done.
    private final class Unsigned: @unchecked Sendable {
        let id: CallGroup.ID
        let attempt: CallGroup.Attempt
        var field: HTTPField?

        init(_ id: CallGroup.ID, _ attempt: CallGroup.Attempt) { (self.id, self.attempt) = (id, attempt) }
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
    func add(_ id: CallGroup.ID, _ attempt: CallGroup.Attempt, proof: DPoPBinding.UnsignedProof) -> Bool {
        if worker == nil {
            worker = Worker()
            worker.map(engine.add)
        }
        guard let worker else { return false }
        let request = Unsigned(id, attempt)
        unsigned.append(request)
        worker.add { request.field = proof.sign() }
        return true
    }

    /// The requests whose proofs are signed by now.
    func take() -> [(id: CallGroup.ID, message: HTTPRequest, attempt: CallGroup.Attempt)] {
        guard let count = worker?.takeDone(), count > 0 else { return [] }
        defer { unsigned.removeFirst(count) }
        return unsigned.prefix(count).map { request in
            (request.id, changing(request.attempt.message) { $0.carry(request.field) }, request.attempt)
        }
    }
}
