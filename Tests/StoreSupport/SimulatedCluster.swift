import Errands
import System
import TestSupport
import TokenStore

/// The records of an engine in memory, as several machines see them.
package final class SimulatedCluster {
    /// What becomes of a write.
    package enum Fate: CaseIterable {
        case done
        /// It "timed out": it was done, is done later, or never.
        case applied, later, never
    }

    package let time: Script
    package private(set) var records: [String: SharedRecord] = [:]
    private var revision = 10
    /// Of the next writes; all others are done.
    package var fates: [Fate] = []
    /// Writes whose time comes later.
    package private(set) var pending: [() -> Void] = []
    /// `read`, `replace`, `remove` and `change`, in their order.
    package var log: [String] = []
    /// Is shown each record that is written, and what it replaces.
    package var check: (_ old: SharedRecord?, _ new: SharedRecord?) -> Void = { _, _ in }

    package init(_ time: Script) { self.time = time }

    /// Writes what no machine of the test wrote.
    package func set(_ name: TokenName, _ bytes: [UInt8]?) {
        revision += 1
        records[name.text] = bytes.map { SharedRecord(bytes: $0, revision: String(revision)) }
    }

    /// As a backup of long ago has it.
    package func goBack() {
        for (name, record) in records { records[name] = SharedRecord(bytes: record.bytes, revision: "1") }
    }

    package func applyPending(_ number: Int = 0) { pending.remove(at: number)() }

    fileprivate func replace(_ name: TokenName, _ bytes: [UInt8]?, over revision: String?) -> Bool {
        guard records[name.text]?.revision == revision else { return false }
        let old = records[name.text]
        set(name, bytes)
        check(old, records[name.text])
        return true
    }

    fileprivate func outcome(
        _ name: TokenName, _ bytes: [UInt8]?, over revision: String?
    ) -> SharedRecord.Replacement {
        switch fates.isEmpty ? .done : fates.removeFirst() {
        case .done:
            return replace(name, bytes, over: revision) ? .done(revision: String(self.revision)) : .lost
        case .applied: _ = replace(name, bytes, over: revision)
        case .later: pending.append { [unowned self] in _ = replace(name, bytes, over: revision) }
        case .never: break
        }
        return .unknown
    }
}

/// The way of a machine to the cluster, or of one of its processes.
package final class SimulatedRecords: SharedRecords {
    private let cluster: SimulatedCluster
    private let machine: SimulatedRecords?
    package var isCut = false
    /// Is done before each request arrives.
    package var before: (_ request: String) -> Void = { _ in }

    /// Is shown what each write has, before it arrives.
    package var writing: (_ bytes: [UInt8]) -> Void = { _ in }

    /// - Parameter machine: the way of the machine, which is cut off with all its processes.
    package init(_ cluster: SimulatedCluster, of machine: SimulatedRecords? = nil) {
        (self.cluster, self.machine) = (cluster, machine)
    }

    package let place = "the simulated store"

    package static let away = StoreError.away("the simulated store", reason: "it is away")

    private func ask<Value>(_ request: String, _ answer: @escaping () -> Value) -> Attempt<Value, StoreError> {
        .pause(until: cluster.time.now) { [self] in
            before(request)
            guard !isCut, machine?.isCut != true else {
                return .pause(until: cluster.time.now + .seconds(2)) { .done(.failure(Self.away)) }
            }
            cluster.log.append(request)
            let value = answer()
            // Others may come between the answer and its receipt.
            return .pause(until: cluster.time.now) { .done(.success(value)) }
        }
    }

    package func read(_ name: TokenName) -> Attempt<SharedRecord?, StoreError> {
        ask("read") { [cluster] in cluster.records[name.text] }
    }

    package func replace(
        _ name: TokenName, with bytes: [UInt8]?, over revision: String?
    ) -> Attempt<SharedRecord.Replacement, StoreError> {
        if let bytes { writing(bytes) }
        return ask(bytes == nil ? "remove" : "replace") { [cluster] in cluster.outcome(name, bytes, over: revision) }
    }

    package func change(
        of name: TokenName, since revision: String, until end: MonotonicTime
    ) -> Attempt<Void, StoreError> {
        ask("change") {}.onward { [self] (_) throws(StoreError) in watch(name, revision, until: end) }
    }

    private func watch(_ name: TokenName, _ revision: String, until end: MonotonicTime) -> Attempt<Void, StoreError> {
        guard cluster.records[name.text]?.revision == revision, end > cluster.time.now else {
            return .done(.success(()))
        }
        return .pause(until: min(end, cluster.time.now + .milliseconds(500))) { [self] in
            watch(name, revision, until: end)
        }
    }

    package func list() -> Attempt<[TokenName], StoreError> { .done(.success([])) }

    package func isOlder(_ revision: String, than other: String) -> Bool { Int(revision) ?? 0 < Int(other) ?? 0 }
}
