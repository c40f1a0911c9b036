import Errands
import Foundation
import JOSE
import System
import TestSupport
import Wire

@testable import TokenStore

/// A token document of the tests: the number of its refresh token, or of the one that was refused.
enum TokenText {
    static func token(_ number: Int) -> [UInt8] { Array("token \(number)".utf8) }
    static func refused(_ number: Int) -> [UInt8] { Array("refused \(number)".utf8) }
    /// The same refresh token, and something else that changed.
    static func changed(_ number: Int) -> [UInt8] { Array("token \(number) changed".utf8) }

    static func number(of bytes: [UInt8]) -> Int? {
        let words = String(decoding: bytes, as: UTF8.self).split(separator: " ")
        return words.count > 1 ? Int(words[1]) : nil
    }

    static func isRefused(_ bytes: [UInt8]) -> Bool { bytes.starts(with: "refused".utf8) }

    static func identity(_ bytes: [UInt8]) -> (hash: String, isRefused: Bool)? {
        number(of: bytes).map { (String($0), isRefused(bytes)) }
    }
}

/// A machine with a disk of its own; each of its stores is that of another process.
final class SimulatedMachine {
    let disk: TemporaryDirectory
    let records: SimulatedRecords
    let clock: MachineClock
    private let key: SymmetricKey
    /// What a person was told.
    var told: [String] = []

    init(
        _ cluster: SimulatedCluster, _ key: SymmetricKey, disk: TemporaryDirectory? = nil, clock: MachineClock? = nil
    ) throws {
        (records, self.key) = (SimulatedRecords(cluster), key)
        self.disk = try disk ?? TemporaryDirectory()
        self.clock = clock ?? cluster.time.clock()
    }

    var folder: String { disk.path("shared") }

    func process() -> SharedStore {
        SharedStore(
            over: records, key: key, place: "simulated", folder: folder, clock: clock, identity: TokenText.identity,
            tell: { [unowned self] in told.append($0) })
    }

    /// The files of answers that were not stored.
    var late: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).filter { $0.hasSuffix(".late") }
    }
}

extension SharedStore {
    /// Takes the lock, and waits for no other process.
    func held(_ name: TokenName) -> Attempt<ClaimedToken, StoreError> {
        Attempt.pause(until: clock.now()) { tryHold(name, waits: true) }.reading { (held) throws(StoreError) in
            guard let held = held as? ClaimedToken else { preconditionFailure("a shared token is claimed") }
            return held
        }
    }
}
