import Errands
import Foundation
import JOSE
import StoreSupport
import System
import TestSupport
import Testing

@testable import TokenStore

/// Two machines over one token, of which a test makes every step.
final class SimulatedFleet {
    let time = Script()
    let cluster: SimulatedCluster
    let key: SymmetricKey
    let first, second: SimulatedMachine
    let name: TokenName

    /// The cluster has the token of number 1.
    init() throws {
        cluster = SimulatedCluster(time)
        key = try SymmetricKey()
        name = try TokenName("work")
        first = try SimulatedMachine(cluster, key, identity: TokenText.identity)
        // It was started at another time.
        second = try SimulatedMachine(
            cluster, key, identity: TokenText.identity, clock: time.clock(ahead: 5_000_000))
        let held = try run(first.process().held(name))
        try run(held.save(TokenText.token(1), over: nil))
        cluster.log = []
    }

    func run<Value>(_ errand: Attempt<Value, StoreError>) throws(StoreError) -> Value {
        try time.run(errand).get()
    }

    /// A process of a machine that holds the token and has read it.
    func holding(_ machine: SimulatedMachine) throws -> ClaimedToken {
        let held = try run(machine.process().held(name), orWaitingFor: 1000)
        _ = try run(held.load())
        return held
    }

    /// Another test that starts a program has a copy of each lock for a moment: until the program has begun.
    private func run<Value>(
        _ errand: @autoclosure () -> Attempt<Value, StoreError>, orWaitingFor attempts: Int
    ) throws -> Value {
        for _ in 1..<attempts {
            do { return try run(errand()) } catch StoreError.locked { usleep(1000) }
        }
        return try run(errand())
    }

    /// A process that has claimed the token.
    func claiming(_ machine: SimulatedMachine) throws -> ClaimedToken {
        let held = try holding(machine)
        try run(held.claim())
        return held
    }

    /// The record as it is now.
    var record: ClaimedRecord? {
        get throws {
            try cluster.records[name.text].map { try ClaimedRecord(parsing: $0.bytes, of: name, in: "test") }
        }
    }

    /// The bytes of the token in the record.
    var token: [UInt8]? {
        get throws { try record.map { try Seal(key: key, place: "simulated").opening(Array($0.token.utf8), name) } }
    }

    /// The claim of a machine that died.
    func leaveClaim() throws { _ = try claiming(first) }

    /// Lets the store lose an answer: the first machine received the token 2 and could not store it.
    func leaveLateAnswer() throws {
        let held = try claiming(first)
        first.records.isCut = true
        try run(held.save(TokenText.token(2), over: nil))
        first.records.isCut = false
    }
}
