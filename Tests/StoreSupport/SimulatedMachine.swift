import Foundation
import JOSE
import System
import TestSupport
import TokenStore

/// A machine with a disk of its own; each of its stores is that of another process.
package final class SimulatedMachine {
    package let disk: TemporaryDirectory
    package let records: SimulatedRecords
    package let clock: MachineClock
    private let key: SymmetricKey
    private let identity: SharedStore.Identity
    /// What a person was told.
    package var told: [String] = []

    /// - Parameter identity: tells which refresh token a document of the test has.
    package init(
        _ cluster: SimulatedCluster, _ key: SymmetricKey, identity: @escaping SharedStore.Identity,
        disk: TemporaryDirectory? = nil, clock: MachineClock? = nil
    ) throws {
        (records, self.key, self.identity) = (SimulatedRecords(cluster), key, identity)
        self.disk = try disk ?? TemporaryDirectory()
        self.clock = clock ?? cluster.time.clock()
    }

    package var folder: String { disk.path("shared") }

    /// The store of a process.
    ///
    /// - Parameter own: the way of this process alone; nil for that of the machine.
    package func process(over own: SimulatedRecords? = nil) -> SharedStore {
        SharedStore(
            over: own ?? records, key: key, place: "simulated", folder: folder, clock: clock, identity: identity,
            tell: { [unowned self] in told.append($0) })
    }

    /// The files of answers that were not stored.
    package var late: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).filter { $0.hasSuffix(".late") }
    }
}
