import Errands
import Foundation
import JOSE
import StoreSupport
import System
import TestSupport
import Testing

@testable import TokenStore

/// Machines that renew one token under random faults: crashes, stops, cuts, lost, late and unknown outcomes. What must hold
/// is checked at each write and each request.
final class SimulatedWorld {
    /// A process of a machine, which may be stopped, and killed.
    final class Process {
        let machine: SimulatedMachine
        fileprivate var errand: Errand<Void>?
        fileprivate var stoppedUntil: MonotonicTime?
        /// Whether it was stopped since it looked at the clock.
        var wasStopped = false

        fileprivate init(on machine: SimulatedMachine) { self.machine = machine }
    }

    let time = Script()
    let cluster: SimulatedCluster
    let name: TokenName
    var random: SeededNumbers
    var issuer: SimulatedIssuer
    private let key: SymmetricKey
    private var machines: [SimulatedMachine] = []
    private var processes: [Process] = []
    private var heldUp: [() -> Void] = []
    private var faults: Int
    private var need = 2
    private var claims: Set<String> = []
    /// What happened, for the message of a failure.
    private(set) var story: [String] = []
    /// What must not be.
    private(set) var wrongs: [String] = []

    init(seed: UInt64, _ key: SymmetricKey, disks: [TemporaryDirectory]) throws {
        random = SeededNumbers(seed)
        cluster = SimulatedCluster(time)
        (name, self.key) = (try TokenName("t\(seed)"), key)
        issuer = SimulatedIssuer(SimulatedIssuer.Manner.allCases[Int(seed % 3)])
        faults = Int.random(in: 0...6, using: &random)
        let record = ClaimedRecord(
            token: String(
                decoding: try Seal(key: key, place: "simulated").sealing(TokenText.token(1), name), as: UTF8.self))
        cluster.set(name, record.bytes)
        // The rates of their clocks differ, by less than a tenth.
        machines = try disks.enumerated().map { number, disk in
            try SimulatedMachine(
                cluster, key, identity: TokenText.identity, disk: disk,
                clock: time.clock(ahead: number * 777_777, rate: 1000 + number * 40))
        }
        cluster.check = { [unowned self] old, new in check(old, new) }
        processes = machines.map(begun)
    }

    private func begun(on machine: SimulatedMachine) -> Process {
        let process = Process(on: machine)
        let renewal = SimulatedRenewal(world: self, process: process, store: machine.process(), need: need)
        process.errand = renewal.errand().then { [unowned self] result in
            story.append("\(number(machine)) ends: \(result)")
            if case .success(.loginNeeded) = result, let token, !TokenText.isRefused(token),
                (TokenText.number(of: token) ?? 0) >= need
            {
                wrongs.append("a login is asked for though the store has a good token")
            }
            return .done(())
        }
        return process
    }

    private func number(_ machine: SimulatedMachine) -> Int { machines.firstIndex { $0 === machine } ?? -1 }

    private func parsed(_ record: SharedRecord?) -> (record: ClaimedRecord, token: [UInt8])? {
        guard let record, let parsed = try? ClaimedRecord(parsing: record.bytes, of: name, in: "test"),
            let token = try? Seal(key: key, place: "simulated").opening(Array(parsed.token.utf8), name)
        else { return nil }
        return (parsed, token)
    }

    private var token: [UInt8]? { parsed(cluster.records[name.text])?.token }

    /// No older token goes over a newer one, a doubt goes only with its token, and nobody's claim but for a newer token.
    private func check(_ old: SharedRecord?, _ new: SharedRecord?) {
        guard let old = parsed(old), let new = parsed(new), let before = TokenText.number(of: old.token),
            let after = TokenText.number(of: new.token)
        else { return wrongs.append("a record cannot be read") }
        story.append(
            "\(String(decoding: old.token, as: UTF8.self)) \(old.record.again) \(old.record.claim?.nonce.prefix(4) ?? "-") → "
                + "\(String(decoding: new.token, as: UTF8.self)) \(new.record.again) \(new.record.claim?.nonce.prefix(4) ?? "-")"
        )
        if after < before { wrongs.append("an older token was stored over a newer one") }
        guard after == before, !TokenText.isRefused(new.token) else { return }
        if TokenText.isRefused(old.token) { wrongs.append("a refusal was undone") }
        if new.record.again < old.record.again { wrongs.append("a doubt was wiped out") }
        if let claim = old.record.claim, let other = new.record.claim, claim != other,
            new.record.again <= old.record.again
        {
            wrongs.append("a claim was taken over without a doubt")
        }
    }

    /// A second request with a token is a named retry, or its sender was stopped after its look at the clock.
    func noteSent(_ token: Int, isNamed: Bool, nonce: String, wasStopped: Bool) {
        story.append("sends \(token)\(isNamed ? ", named" : "")\(wasStopped ? ", stopped" : "")")
        if issuer.send(token) > 0, !isNamed, !wasStopped { wrongs.append("the token \(token) was sent again") }
        if !claims.insert(nonce).inserted { wrongs.append("two requests were sent under one claim") }
    }

    private func spend(_ chance: Int) -> Bool {
        guard faults > 0, Int.random(in: 0..<chance, using: &random) == 0 else { return false }
        faults -= 1
        return true
    }

    func reply() -> SimulatedRenewal.Reply {
        guard spend(3) else { return .answered }
        let replies: [SimulatedRenewal.Reply] = [.refusedForNow, .requestLost, .answerLost, .heldUp]
        let reply = replies.randomElement(using: &random) ?? .answered
        story.append("network: \(reply)")
        return reply
    }

    func holdUp(_ request: @escaping () -> Void) { heldUp.append(request) }

    /// Lets everything happen, until nothing is left to be done.
    func run() {
        for _ in 0..<3000 {
            guard wrongs.isEmpty else { return }
            fault()
            let ready = processes.filter { isReady($0) }
            if let process = ready.randomElement(using: &random) {
                step(process)
            } else if let next = processes.compactMap(due).min() {
                time.pass(to: next)
            } else if issuer.current == need, need < 4, Bool.random(using: &random) {
                // The new token expires as well.
                need += 1
                processes = machines.map(begun)
            } else {
                return
            }
            processes.removeAll { $0.errand == nil }
        }
        wrongs.append("it has no end")
    }

    private func isReady(_ process: Process) -> Bool { due(process).map { $0 <= time.now } ?? false }

    /// When a process goes on; nil for one that has ended.
    private func due(_ process: Process) -> MonotonicTime? {
        guard case .pause(let end, _)? = process.errand else { return nil }
        return max(end, process.stoppedUntil ?? end)
    }

    private func step(_ process: Process) {
        guard case .pause(_, let go)? = process.errand else { return }
        process.stoppedUntil = nil
        process.errand = nil
        let next = go()
        if case .done = next { return }
        process.errand = next
    }

    private func fault() {
        let unknown: [SimulatedCluster.Fate] = [.applied, .later, .never]
        if spend(40) { cluster.fates = [unknown.randomElement(using: &random) ?? .never] }
        if !cluster.pending.isEmpty, Int.random(in: 0..<8, using: &random) == 0 { cluster.applyPending() }
        if !heldUp.isEmpty, Int.random(in: 0..<20, using: &random) == 0 { heldUp.removeFirst()() }
        for machine in machines where machine.records.isCut && Int.random(in: 0..<20, using: &random) == 0 {
            machine.records.isCut = false
        }
        guard let process = processes.randomElement(using: &random), spend(40) else { return }
        let machine = process.machine
        switch Int.random(in: 0..<3, using: &random) {
        case 0:
            story.append("\(number(machine)) crashes")
            // Its lock is free then.
            process.errand = nil
            processes.removeAll { $0 === process }
            processes.append(begun(on: machine))
        case 1:
            story.append("\(number(machine)) is stopped")
            process.wasStopped = true
            process.stoppedUntil = time.now + .seconds(Int.random(in: 1...60, using: &random))
        default:
            story.append("\(number(machine)) is cut off")
            machine.records.isCut = true
        }
    }

    /// What holds in the end, when every machine has reached the store once more.
    func finish() throws {
        // They name this world.
        heldUp = []
        guard wrongs.isEmpty else { return }
        for machine in machines {
            machine.records.isCut = false
            _ = time.run(machine.process().load(name))
        }
        if machines.contains(where: { $0.late.contains { $0.hasPrefix("\(name.text).") } }) {
            wrongs.append("an answer lies on a disk")
        }
        guard let (record, token) = parsed(cluster.records[name.text]) else { return wrongs.append("nothing is left") }
        let isShown = record.again > 0 || record.claim != nil || TokenText.isRefused(token)
        if let number = TokenText.number(of: token), !issuer.takes(number), !isShown {
            wrongs.append("a token was lost unseen")
        }
    }
}

/// Random numbers that a seed brings again (SplitMix64).
struct SeededNumbers: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }
}
