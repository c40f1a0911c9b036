import Errands
import JOSE
import System
import TestSupport
import Wire

@testable import TokenStore

/// A cluster that a script plays: what it has, and what becomes of the requests to it.
protocol ScriptedCluster: AnyObject {
    var script: Script { get }
    /// What becomes of the next requests of a verb; all others are answered. The verbs are `read`, `write`, `remove`,
    /// `list`, `watch` and `login`.
    var fates: [String: [Fate]] { get set }
    /// The verbs of the requests, in their order.
    var log: [String] { get set }
    /// Is done before a request arrives.
    var before: (_ verb: String) -> Void { get set }
    /// The request of the last watch.
    var watch: ServerRequest? { get }
    /// The secrets that the redactor was told.
    var learnt: [String] { get set }

    /// What another machine writes.
    func set(_ name: TokenName, _ bytes: [UInt8]?)

    func bytes(of name: TokenName) -> [UInt8]?

    /// The way of one machine to the cluster.
    func records() throws -> any SharedRecords
}

extension ScriptedCluster {
    func run<Value>(_ errand: Attempt<Value, StoreError>) throws(StoreError) -> Value { try script.run(errand).get() }

    /// Notes a request, and carries it out if its fate is so.
    func take(_ verb: String, _ carryOut: () -> ServerRequest.Result) -> ServerRequest.Result {
        precondition(script.requests.count < 5000, "it asks without end")
        log.append(verb)
        before(verb)
        let fate = fates[verb]?.isEmpty == false ? fates[verb]?.removeFirst() : nil
        let answer = fate?.isDone == false ? nil : carryOut()
        guard let result = fate?.reply ?? answer else { preconditionFailure("what is not done has a reply") }
        return result
    }

    /// The store of a machine with a folder of its own.
    func store(
        _ disk: TemporaryDirectory, _ key: SymmetricKey, patience: Duration = .zero,
        tell: @escaping (String) -> Void = { _ in }
    ) throws -> SharedStore {
        SharedStore(
            over: try records(), key: key, place: "scripted", folder: disk.path("shared"), clock: script.clock,
            patience: patience, identity: TokenText.identity, tell: tell)
    }
}

extension Script {
    /// The clocks of a machine.
    var clock: MachineClock {
        MachineClock(boot: { 1_000_000 + self.passed }, start: { "started" }, now: { self.now })
    }
}

/// What becomes of a request.
struct Fate: Sendable {
    /// Whether the cluster carries it out.
    let isDone: Bool
    /// What is heard in place of the cluster's answer.
    let reply: ServerRequest.Result?

    /// There is no connection.
    static let away = Fate(failure(.network(stage: .connect, message: "connection refused", requestSent: false)))
    /// The connection breaks when the request is sent.
    static let lost = Fate(failure(cut))
    /// The connection breaks when the request is carried out.
    static let unheard = Fate(isDone: true, failure(cut))

    static let cut = HTTPError.network(stage: .read, message: "connection reset", requestSent: true)

    init(isDone: Bool = false, _ reply: ServerRequest.Result) { (self.isDone, self.reply) = (isDone, reply) }

    static func failure(_ error: HTTPError) -> ServerRequest.Result { .failure(error) }
}
