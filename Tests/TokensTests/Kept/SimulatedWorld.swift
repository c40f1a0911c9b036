import CommandSpec
import Errands
import JOSE
import OAuth
import StoreSupport
import System
import TestSupport
import Wire

@testable import Calling
@testable import Commands
@testable import Login
@testable import Sessions
@testable import Shell
@testable import Tokens
@testable import TokenStore

/// Machines that renew one token, each process by ``TokenRenewal``, under random faults: crashes, stops, cuts, lost, late and
/// unknown outcomes. What must hold is checked at each write and each request.
final class SimulatedWorld {
    /// A process of a machine, which may be stopped, and killed.
    final class Process {
        let machine: SimulatedMachine
        let world: World
        fileprivate var errand: Errand<Void>?
        fileprivate var stoppedUntil: MonotonicTime?
        /// Whether it was stopped since it looked at the clock.
        var wasStopped = false
        /// How many of its requests were refused.
        var refusals = 0
        /// The claim that it asked for last, and whether that says that the token is sent again.
        fileprivate var claim: (nonce: String, isNamed: Bool)?

        fileprivate init(on machine: SimulatedMachine, in world: World) {
            (self.machine, self.world) = (machine, world)
        }
    }

    let time = Script()
    let cluster: SimulatedCluster
    let name: TokenName
    var random: SeededNumbers
    var issuer: SimulatedIssuer
    private let seal: Seal
    private let arguments: Arguments
    private var machines: [SimulatedMachine] = []
    private var processes: [Process] = []
    private var heldUp: [() -> Void] = []
    private var faults: Int
    /// How many processes of each machine want the token at once.
    private let crowd: Int
    private var need = 2
    /// The claims that were asked for, and those under which a request was sent.
    private var (asked, claims): (Set<String>, Set<String>) = ([], [])
    /// What happened, for the message of a failure.
    private(set) var story: [String] = []
    /// What must not be.
    private(set) var wrongs: [String] = []

    /// - Parameter arguments: those of a command that renews a token.
    init(seed: UInt64, _ arguments: Arguments, _ key: SymmetricKey, disks: [TemporaryDirectory]) throws {
        random = SeededNumbers(seed)
        cluster = SimulatedCluster(time)
        (name, self.arguments) = (try TokenName("t\(seed)"), arguments)
        seal = Seal(key: key, place: "simulated")
        issuer = SimulatedIssuer(SimulatedIssuer.Manner.allCases[Int(seed % 3)])
        faults = Int.random(in: 0...6, using: &random)
        crowd = Int.random(in: 0..<4, using: &random) == 0 ? 2 : 1
        let expired = JSON.object(NumberedToken.document(1, until: time.seconds - 10)).bytes
        let record = ClaimedRecord(token: String(decoding: try seal.sealing(expired, name), as: UTF8.self))
        cluster.set(name, record.bytes)
        // The rates of their clocks differ, by less than a tenth.
        machines = try disks.enumerated().map { number, disk in
            try SimulatedMachine(
                cluster, key, identity: SpentToken.identity, disk: disk,
                clock: time.clock(ahead: number * 777_777, rate: 1000 + number * 40))
        }
        cluster.check = { [unowned self] old, new in check(old, new) }
        processes = try (machines + (crowd > 1 ? machines : [])).map(begun)
    }

    /// A process of a machine that needs a good token.
    private func begun(on machine: SimulatedMachine) throws -> Process {
        // The clocks of the machines differ.
        let world = World.played(by: time, ahead: number(machine) * 30_000)
        let process = Process(on: machine, in: world)
        let records = SimulatedRecords(cluster, of: machine.records)
        records.writing = { [unowned self, unowned process] bytes in
            guard let record = try? ClaimedRecord(parsing: bytes, of: name, in: "test"), let claim = record.claim,
                asked.insert(claim.nonce).inserted
            else { return }
            process.claim = (claim.nonce, record.again > 0)
        }
        let session = try Session.played(arguments, at: machine.disk.path, in: world) { machine.told.append($0) }
        let token = try ManagedToken(
            named: name.text, in: machine.process(over: records), profile: nil, session.inputs, over: session.transport)
        // It is expired or about to, or an API has refused it.
        let reason = RenewalReason.refused("at-\(need - 1)")
        let isRefused = Int.random(in: 0..<4, using: &random) == 0
        let renewal = isRefused ? token.renewed(because: reason) : token.current(minimum: nil)
        let errand = renewal.then { [unowned self, unowned process] result in
            ended(process, result)
            return .done(())
        }
        process.errand = carried(errand, of: process)
        return process
    }

    private func ended(_ process: Process, _ result: Result<JSONObject, Failure>) {
        let machine = process.machine
        switch result {
        case .success(let document):
            story.append("\(number(machine)) has \(document["access_token"]?.string ?? "no token")")
        case .failure(let failure):
            story.append("\(number(machine)) fails: \(failure.message)")
            guard let kept = parsed(cluster.records[name.text]) else { return }
            if failure.exit == .loginNeeded, !SpentToken.isRefused(of: kept.token),
                NumberedToken.number(ofAccess: kept.token) ?? 0 >= need
            {
                wrongs.append("a login is asked for though the store has a good token")
            }
            // One that is overtaken twice gives up.
            let isRefusal = failure.code == "invalid_grant" || failure.kind == .refreshRefused
            if isRefusal, process.refusals < 2, let own = process.claim,
                let other = kept.record.claim, own.nonce != other.nonce
            {
                wrongs.append("a refusal counts though another machine has taken over the claim")
            }
        }
    }

    private func number(_ machine: SimulatedMachine) -> Int { machines.firstIndex { $0 === machine } ?? -1 }

    private func parsed(_ record: SharedRecord?) -> (record: ClaimedRecord, token: JSONObject)? {
        guard let record, let parsed = try? ClaimedRecord(parsing: record.bytes, of: name, in: "test"),
            let token = try? seal.opening(Array(parsed.token.utf8), name),
            let document = (try? JSON(parsing: token))?.object
        else { return nil }
        return (parsed, document)
    }

    /// No older token goes over a newer one, a doubt goes only with its token, and nobody's claim but for a newer token.
    private func check(_ old: SharedRecord?, _ new: SharedRecord?) {
        guard let old = parsed(old), let new = parsed(new), let before = NumberedToken.number(of: old.token),
            let after = NumberedToken.number(of: new.token)
        else { return wrongs.append("a record cannot be read") }
        func text(_ kept: (record: ClaimedRecord, token: JSONObject), _ number: Int) -> String {
            let (claim, isRefused) = (kept.record.claim, SpentToken.isRefused(of: kept.token))
            let nonce = claim.map { " \($0.nonce.prefix(4))" } ?? ""
            return "\(isRefused ? "refused" : "token") \(number), again \(kept.record.again)\(nonce)"
        }
        story.append("\(text(old, before)) → \(text(new, after))")
        if after < before { wrongs.append("an older token was stored over a newer one") }
        guard after == before, !SpentToken.isRefused(of: new.token) else { return }
        if SpentToken.isRefused(of: old.token) { wrongs.append("a refusal was undone") }
        if new.record.again < old.record.again { wrongs.append("a doubt was wiped out") }
        if let claim = old.record.claim, let other = new.record.claim, claim != other,
            new.record.again <= old.record.again
        {
            wrongs.append("a claim was taken over without a doubt")
        }
    }

    /// A second request with a token is a named retry, or its sender was stopped after its look at the clock.
    func noteSent(_ token: Int, by process: Process) {
        let (isNamed, wasStopped) = (process.claim?.isNamed ?? false, process.wasStopped)
        let manner = "\(isNamed ? ", named" : "")\(wasStopped ? ", stopped" : "")"
        story.append("\(number(process.machine)) sends \(token)\(manner)")
        if issuer.send(token) > 0, !isNamed, !wasStopped { wrongs.append("the token \(token) was sent again") }
        guard let claim = process.claim else { return wrongs.append("a request was sent without a claim") }
        if !claims.insert(claim.nonce).inserted { wrongs.append("two requests were sent under one claim") }
    }

    func spend(_ chance: Int) -> Bool {
        guard faults > 0, Int.random(in: 0..<chance, using: &random) == 0 else { return false }
        faults -= 1
        return true
    }

    func reply() -> Reply {
        guard spend(3) else { return .answered }
        let reply = Reply.allCases.dropFirst().randomElement(using: &random) ?? .answered
        story.append("network: \(reply)")
        return reply
    }

    func holdUp(_ token: Int) { heldUp.append { [unowned self] in _ = issuer.take(token) } }

    /// Lets everything happen, until nothing is left to be done.
    func run() throws {
        for _ in 0..<3000 {
            guard wrongs.isEmpty else { return }
            try fault()
            let ready = processes.filter { isReady($0) }
            if let process = ready.randomElement(using: &random) {
                step(process)
            } else if let next = processes.compactMap(due).min() {
                time.pass(to: next)
            } else if issuer.current >= need, need < 4, Bool.random(using: &random) {
                // The new token expires as well, or will soon.
                need = issuer.current + 1
                time.pass(seconds: Double(NumberedToken.lifetime + (Bool.random(using: &random) ? 100 : -20)))
                processes = try (machines + (crowd > 1 ? machines : [])).map(begun)
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
        let next = carried(go(), of: process)
        if case .done = next { return }
        process.errand = next
    }

    private func fault() throws {
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
            processes.append(try begun(on: machine))
        case 1:
            stop(process)
        default:
            story.append("\(number(machine)) is cut off")
            machine.records.isCut = true
        }
    }

    func stop(_ process: Process) {
        story.append("\(number(process.machine)) is stopped")
        process.wasStopped = true
        // Often until about when another machine has taken over its claim.
        let seconds = Bool.random(using: &random) ? 1...60 : 20...30
        process.stoppedUntil = time.now + .seconds(Int.random(in: seconds, using: &random))
    }

    /// What holds in the end, when every machine has reached the store once more.
    func finish() throws {
        guard wrongs.isEmpty else { return }
        for machine in machines {
            machine.records.isCut = false
            _ = time.run(machine.process().load(name))
        }
        if machines.contains(where: { $0.late.contains { $0.hasPrefix("\(name.text).") } }) {
            wrongs.append("an answer lies on a disk")
        }
        guard let (record, token) = parsed(cluster.records[name.text]) else { return wrongs.append("nothing is left") }
        let isShown = record.again > 0 || record.claim != nil || SpentToken.isRefused(of: token)
        if let number = NumberedToken.number(of: token), !issuer.takes(number), !isShown {
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
