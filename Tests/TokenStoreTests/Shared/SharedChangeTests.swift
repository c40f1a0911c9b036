import StoreSupport
import System
import TestSupport
import Testing

@testable import TokenStore

@Suite("Changes of a token that machines share, beside its renewal")
struct SharedChangeTests {
    private let fleet: SimulatedFleet

    init() throws { fleet = try SimulatedFleet() }

    @Test("a change leaves the claim of another machine alone, and that machine's new token is stored over the change")
    func besideClaim() throws {
        let held = try fleet.holding(fleet.second)
        let other = try fleet.claiming(fleet.first)
        let nonce = try fleet.record?.claim?.nonce
        try fleet.run(held.save(TokenText.changed(1), over: nil))
        #expect(try fleet.record?.claim?.nonce == nonce && fleet.token == TokenText.changed(1))
        try fleet.run(other.save(TokenText.token(2), over: nil))
        #expect(try fleet.token == TokenText.token(2) && fleet.record?.claim == nil && fleet.first.late.isEmpty)
    }

    @Test("a change of what was read is not stored over a newer token, nor a token that was deleted made again")
    func afterRenewal() throws {
        let held = try fleet.holding(fleet.second)
        try fleet.run(fleet.claiming(fleet.first).save(TokenText.token(2), over: nil))
        #expect(throws: StoreError.self) { try fleet.run(held.save(TokenText.changed(1), over: nil)) }
        #expect(try fleet.token == TokenText.token(2))
        _ = try fleet.run(held.load())
        try fleet.run(held.save(TokenText.changed(2), over: nil))
        #expect(try fleet.run(fleet.holding(fleet.first).remove()))
        #expect(throws: StoreError.self) { try fleet.run(held.save(TokenText.changed(2), over: nil)) }
        #expect(try fleet.record == nil)
    }

    @Test("a process that stored a change may store another one")
    func twice() throws {
        let held = try fleet.holding(fleet.first)
        for bytes in [TokenText.changed(1), TokenText.token(1)] {
            try fleet.run(held.save(bytes, over: nil))
            #expect(try fleet.token == bytes)
        }
    }

    @Test("a login replaces whatever is stored, with its claim, whose holder drops its answer then")
    func login() throws {
        let held = try fleet.holding(fleet.second)
        let other = try fleet.claiming(fleet.first)
        try fleet.run(held.save(TokenText.token(50), over: nil))
        #expect(try fleet.token == TokenText.token(50) && fleet.record?.claim == nil)
        #expect(throws: StoreError.self) { try fleet.run(other.save(TokenText.token(2), over: nil)) }
        #expect(try fleet.token == TokenText.token(50) && fleet.first.late.isEmpty)
    }

    @Test(
        "a write whose outcome is unknown is repeated until it is done, and not a second time",
        arguments: [SimulatedCluster.Fate.applied, .later, .never])
    func unknown(fate: SimulatedCluster.Fate) throws {
        let held = try fleet.holding(fleet.first)
        let revision = try #require(fleet.run(held.load())?.revision)
        fleet.cluster.fates = [fate]
        let writes = fate == .applied ? 1 : 2
        fleet.cluster.log = []
        try fleet.run(held.save(TokenText.token(2), over: revision))
        #expect(try fleet.token == TokenText.token(2))
        #expect(fleet.cluster.log.count { $0 == "replace" } == writes)
        fleet.cluster.fates = [fate]
        #expect(try fleet.run(held.remove()))
        #expect(try fleet.record == nil)
    }

    @Test("a record that is none of ours is not read and not overwritten, and can be deleted")
    func corrupt() throws {
        // A later version may have more than this one would write back, though the token opens.
        let token = try #require(try fleet.record).token
        let later = #"{"v":2,"token":"\#(token)","again":0}"#
        for text in ["<html>", "{}", later, #"{"v":1,"again":0,"token":"a","claim":1}"#] {
            fleet.cluster.set(fleet.name, Array(text.utf8))
            let held = try fleet.run(fleet.first.process().held(fleet.name))
            #expect(throws: StoreError.self) { try fleet.run(held.load()) }
            #expect(throws: StoreError.self) { try fleet.run(held.save(TokenText.token(2), over: nil)) }
            #expect(fleet.cluster.records[fleet.name.text]?.bytes == Array(text.utf8))
            #expect(try fleet.run(held.remove()))
        }
    }

    @Test("a store whose revision went back is not used, and the message names the file that says so")
    func restored() throws {
        fleet.cluster.goBack()
        guard case .failure(.shared(_, _, let hint)) = fleet.time.run(fleet.first.process().load(fleet.name)) else {
            throw try #require(nil as StoreError?)
        }
        #expect(hint?.contains("\(fleet.first.folder)/work.seen") == true)
        // The other machine has seen nothing yet.
        #expect(try fleet.run(fleet.second.process().load(fleet.name))?.bytes == TokenText.token(1))
    }

    @Test("an answer that another process of the machine has overtaken is not taken for a store that went back")
    func overtaken() throws {
        let other = try fleet.claiming(fleet.first)
        var load = fleet.first.process().load(fleet.name)
        fleet.cluster.log = []
        while fleet.cluster.log.isEmpty, case .pause(_, let ask) = load { load = ask() }
        // The question has arrived, its answer is under way.
        try fleet.run(other.save(TokenText.token(2), over: nil))
        #expect(try fleet.run(load)?.bytes == TokenText.token(1))
    }

    @Test("a late process of the machine sees from the file that another one has stored something")
    func revision() throws {
        let store = fleet.first.process()
        let before = store.revision(of: fleet.name)
        try fleet.run(fleet.claiming(fleet.first).save(TokenText.token(2), over: nil))
        #expect(store.revision(of: fleet.name) != before)
    }
}
