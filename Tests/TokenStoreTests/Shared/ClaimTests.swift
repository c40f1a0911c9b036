import StoreSupport
import System
import Testing

@testable import TokenStore

@Suite("The claim on a token that machines share")
struct ClaimTests {
    private let fleet: SimulatedFleet

    init() throws { fleet = try SimulatedFleet() }

    @Test("a claim for longer than this version asks for counts as one of twice that time, however long it says")
    func forged() throws {
        let name = try TokenName("work")
        func claim(_ seconds: String) throws -> ClaimedRecord.Claim? {
            let text = #"{"v":1,"token":"t","again":0,"claim":{"by":"b","nonce":"n","ttl":\#(seconds)}}"#
            return try ClaimedRecord(parsing: Array(text.utf8), of: name, in: "here").claim
        }
        #expect(try claim("1")?.patience == 2100 && claim("20")?.patience == 23_000)
        for long in ["40", "41", "3600", "3601", "9007199254740992"] {
            #expect(try claim(long)?.patience == 45_000)
        }
        for wrong in ["0", "-1", "\"20\"", "9223372036854775808"] {
            #expect(throws: StoreError.self) { try claim(wrong) }
        }
    }

    @Test("a fresh token costs one request to the store, a renewal three, in their order; no claim outlives it")
    func order() throws {
        #expect(try fleet.run(fleet.second.process().load(fleet.name))?.bytes == TokenText.token(1))
        #expect(fleet.cluster.log == ["read"])
        fleet.cluster.log = []
        let held = try fleet.claiming(fleet.second)
        let claim = try #require(fleet.record?.claim)
        #expect(claim.nonce.utf8.count == 22 && claim.seconds == 20 && held.claimed?.seconds == 10)
        try fleet.run(held.save(TokenText.token(2), over: nil))
        try fleet.run(held.release(isDoubtful: false))
        #expect(fleet.cluster.log == ["read", "replace", "replace"])
        #expect(try fleet.record?.claim == nil && fleet.record?.again == 0 && fleet.token == TokenText.token(2))
        #expect(fleet.second.late.isEmpty)
    }

    @Test("a request may begin only while the claim outlasts it by a margin, by the clock of when it was asked for")
    func tooLate() throws {
        let held = try fleet.holding(fleet.first)
        // The claim is asked for, and its answer is slow.
        fleet.first.records.before = { [time = fleet.time] _ in time.pass(seconds: 1) }
        try fleet.run(held.claim())
        let claimed = try #require(held.claimed)
        fleet.time.pass(to: fleet.time.now + .milliseconds(7999))
        #expect(claimed.mayBegin())
        fleet.time.pass(to: fleet.time.now + .milliseconds(1))
        #expect(!claimed.mayBegin())
    }

    @Test(
        "the claim of a machine that died counts for its time and a tenth, by the clock of who waits; then it is a doubt"
    )
    func takenOver() throws {
        try fleet.leaveClaim()
        let start = fleet.time.passed
        // Short processes add up.
        var held: ClaimedToken?
        for _ in 0..<3 where held == nil {
            do throws(StoreError) { held = try fleet.run(fleet.second.process().held(fleet.name)) } catch {
                guard case .locked = error else { throw error }
            }
        }
        let waited = fleet.time.passed - start
        #expect((23_000..<24_000).contains(waited), "\(waited)")
        let successor = try #require(held)
        _ = try fleet.run(successor.load())
        try fleet.run(successor.claim())
        #expect(try fleet.record?.again == 1)
        // Another claim is timed anew.
        #expect(throws: StoreError.self) { try fleet.run(fleet.first.process().held(fleet.name)) }
    }

    @Test("two machines that share a home time a claim each for itself, though they have one file for it")
    func sharedHome() throws {
        try fleet.leaveClaim()
        let other = try SimulatedMachine(
            fleet.cluster, fleet.key, identity: TokenText.identity, disk: fleet.second.disk,
            clock: fleet.time.clock(ahead: -900_000))
        let process = fleet.second.process()
        var waits = 0
        while case .failure = fleet.time.run(process.held(fleet.name)), waits < 5 {
            // Its clock was started later: what it writes is of no use to the other one.
            _ = fleet.time.run(other.process().held(fleet.name))
            waits += 1
        }
        #expect(waits == 1)
    }

    @Test(
        "a claim whose outcome is unknown is had if the record has its nonce, and is not if it came later or never",
        arguments: [SimulatedCluster.Fate.applied, .later, .never])
    func unknownClaim(fate: SimulatedCluster.Fate) throws {
        let held = try fleet.holding(fleet.first)
        fleet.cluster.fates = [fate]
        let result = fleet.time.run(held.claim())
        switch fate {
        case .applied:
            _ = try result.get()
            #expect(held.claimed?.mayBegin() == true)
        default:
            guard case .failure(.changed) = result else { throw try #require(nil as StoreError?) }
            #expect(held.claimed == nil)
            // The next attempt has a nonce of its own: the late one does not hold any more.
            _ = try fleet.run(held.load())
            try fleet.run(held.claim())
            let nonce = try fleet.record?.claim?.nonce
            if fate == .later { fleet.cluster.applyPending() }
            #expect(try fleet.record?.claim?.nonce == nonce && fleet.record?.again == 0)
        }
        try fleet.run(held.save(TokenText.token(2), over: nil))
        #expect(try fleet.token == TokenText.token(2) && fleet.record?.claim == nil)
    }

    @Test("a claim that came later is not taken for one's own: it is waited out, and is a doubt then")
    func lateClaim() throws {
        let held = try fleet.holding(fleet.first)
        fleet.cluster.fates = [.later]
        _ = fleet.time.run(held.claim())
        _ = try fleet.run(held.load())
        fleet.cluster.applyPending()
        let start = fleet.time.passed
        #expect(throws: StoreError.self) { try fleet.run(held.claim()) }
        #expect(fleet.time.passed - start >= 23_000)
        _ = try fleet.run(held.load())
        try fleet.run(held.claim())
        #expect(try fleet.record?.again == 1)
    }

    @Test(
        "who takes a claim over and loses the answer too leaves two doubts, also where the claim had to be looked for",
        arguments: [SimulatedCluster.Fate.done, .applied])
    func twoDoubts(fate: SimulatedCluster.Fate) throws {
        try fleet.leaveClaim()
        while case .failure = fleet.time.run(fleet.second.process().held(fleet.name)) {}
        let successor = try fleet.holding(fleet.second)
        fleet.cluster.fates = [fate]
        try fleet.run(successor.claim())
        try fleet.run(successor.release(isDoubtful: true))
        #expect(try fleet.record?.again == 2 && fleet.record?.claim == nil)
    }

    @Test("a second claim of one process that is not had leaves it without the first one")
    func secondClaim() throws {
        let held = try fleet.claiming(fleet.first)
        fleet.cluster.fates = [.never]
        #expect(throws: held.changed) { try fleet.run(held.claim()) }
        #expect(held.claimed == nil)
    }

    @Test("a claim is made on what was read last")
    func readAgain() throws {
        let held = try fleet.holding(fleet.first)
        try fleet.run(fleet.holding(fleet.second).save(TokenText.changed(1), over: nil))
        _ = try fleet.run(held.load())
        try fleet.run(held.claim())
        #expect(held.claimed != nil)
        #expect(try fleet.token == TokenText.changed(1))
    }

    @Test("a live claim that was read after the last wait is not taken over")
    func liveClaim() throws {
        let held = try fleet.holding(fleet.first)
        let other = try fleet.claiming(fleet.second)
        _ = try fleet.run(held.load())
        let nonce = try fleet.record?.claim?.nonce
        fleet.first.records.before = { [fleet] request in
            guard request == "change" else { return }
            #expect(try! fleet.record?.claim?.nonce == nonce)
            fleet.first.records.before = { _ in }
            try! fleet.run(other.save(TokenText.token(2), over: nil))
        }
        #expect(throws: StoreError.self) { try fleet.run(held.claim()) }
        #expect(held.claimed == nil)
        #expect(try fleet.run(held.load())?.bytes == TokenText.token(2) && fleet.record?.claim == nil)
    }

    @Test("who waits too long for the others is told for how long")
    func busy() throws {
        let held = try fleet.holding(fleet.first)
        fleet.first.records.before = { [fleet] request in
            // One claim after the other.
            fleet.time.pass(seconds: 2)
            if request == "change", var record = try! fleet.record, let claim = try? ClaimedRecord.Claim(seconds: 20) {
                record.claim = claim
                fleet.cluster.set(fleet.name, record.bytes)
            }
        }
        try fleet.leaveLateClaim(of: fleet.second)
        guard case .failure(.locked(_, let seconds)) = fleet.time.run(held.claim()) else {
            throw try #require(nil as StoreError?)
        }
        #expect(seconds == 39)
    }

    @Test(
        "a doubt is kept by claims and by errors, and grows with each answer that is lost",
        arguments: [true, false])
    func doubt(isDoubtful: Bool) throws {
        for number in 1...3 {
            try fleet.run(fleet.claiming(fleet.first).release(isDoubtful: isDoubtful))
            #expect(try fleet.record?.again == (isDoubtful ? number : 0) && fleet.record?.claim == nil)
        }
        try fleet.run(fleet.claiming(fleet.second).release(isDoubtful: false))
        #expect(try fleet.record?.again == (isDoubtful ? 3 : 0))
        // The same refresh token: the doubt stays.
        try fleet.run(fleet.claiming(fleet.second).save(TokenText.changed(1), over: nil))
        #expect(try fleet.record?.again == (isDoubtful ? 3 : 0) && fleet.token == TokenText.changed(1))
    }

    @Test("a new token takes the doubt away, and so does a refusal", arguments: [true, false])
    func noDoubt(isRefused: Bool) throws {
        try fleet.run(fleet.claiming(fleet.first).release(isDoubtful: true))
        let held = try fleet.claiming(fleet.second)
        let bytes = isRefused ? TokenText.refused(1) : TokenText.token(2)
        try fleet.run(held.save(bytes, over: nil))
        #expect(try fleet.record?.again == 0 && fleet.token == bytes && fleet.record?.claim == nil)
    }

    @Test("a claim that could not be given up says the same until its time is over")
    func unreleased() throws {
        let held = try fleet.claiming(fleet.first)
        fleet.first.records.isCut = true
        try fleet.run(held.release(isDoubtful: true))
        #expect(try fleet.record?.claim != nil && fleet.record?.again == 0)
        #expect(held.claimed == nil)
    }

    @Test("the store away before the claim changes nothing")
    func away() throws {
        let held = try fleet.holding(fleet.first)
        fleet.first.records.isCut = true
        #expect(throws: SimulatedRecords.away) { try fleet.run(held.claim()) }
        #expect(held.claimed == nil)
        #expect(try fleet.record?.claim == nil && fleet.token == TokenText.token(1))
    }
}

extension SimulatedFleet {
    /// A claim that is there before anybody looks.
    fileprivate func leaveLateClaim(of machine: SimulatedMachine) throws { _ = try claiming(machine) }
}
