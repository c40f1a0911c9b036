import JOSE
import OAuth
import StoreSupport
import TestSupport
import Testing
import Wire

@testable import Calling
@testable import Commands
@testable import Login
@testable import Sessions
@testable import Shell
@testable import Tokens
@testable import TokenStore

@Suite("Renewals whose claim another machine takes over")
struct OvertakenRenewalTests {
    private let script = Script()
    private let cluster: SimulatedCluster
    private let seal: Seal
    private let name: TokenName
    private let token: ManagedToken
    private let machine: SimulatedMachine

    /// The cluster has the token 1, which has expired.
    init() throws {
        let key = try SymmetricKey()
        (cluster, seal, name) = (SimulatedCluster(script), Seal(key: key, place: "simulated"), try TokenName("work"))
        machine = try SimulatedMachine(cluster, key, identity: SpentToken.identity)
        let arguments = try CommandTable.program().parse(["token", "work"])
        let session = try Session.played(arguments, at: machine.disk.path, in: .played(by: script)) { _ in }
        token = try ManagedToken(
            named: name.text, in: machine.process(), profile: nil, session.inputs, over: session.transport)
        cluster.set(name, try record(1, until: script.seconds - 10).bytes)
    }

    private func record(_ number: Int, until end: Int) throws -> ClaimedRecord {
        let bytes = JSON.object(NumberedToken.document(number, until: end)).bytes
        return ClaimedRecord(token: String(decoding: try seal.sealing(bytes, name), as: UTF8.self))
    }

    /// Another machine takes over the claim, and its request uses the token up; it stores what it gets seconds later.
    private func overtake(thenStores number: Int) throws {
        var record = try record(1, until: script.seconds - 10)
        (record.again, record.claim) = (1, try ClaimedRecord.Claim(seconds: ClaimedRecord.Claim.usual))
        cluster.set(name, record.bytes)
        let (end, new) = (script.passed + 5000, try self.record(number, until: script.seconds + 3600).bytes)
        script.meanwhile = { [unowned script, cluster, name] in
            guard script.passed >= end else { return }
            script.meanwhile = {}
            cluster.set(name, new)
        }
    }

    @Test("one that is refused meanwhile waits for what the other machine gets")
    func refused() throws {
        script.answer = { [self] _ in
            #expect(throws: Never.self) { try overtake(thenStores: 2) }
            return Script.json(#"{"error":"invalid_grant"}"#, status: 400)
        }
        let result = script.run(token.renewed(because: .due(minimum: nil, seen: "at-1")))
        #expect(try result.get()["access_token"]?.string == "at-2")
        #expect(script.requests.count == 1)
    }

    @Test("one that is refused leaves the hash of the token that was sent, by which a late answer is known")
    func hashed() throws {
        script.answer = { _ in Script.json(#"{"error":"invalid_grant"}"#, status: 400) }
        let sent = try #require(script.run(token.load()).get()["refresh_token"]?.string)
        #expect(throws: Failure.self) { try script.run(token.renewed(because: .due(minimum: nil, seen: "at-1"))).get() }
        let kept = try script.run(token.load()).get()
        #expect(kept["refresh_token"] == nil)
        #expect(kept[SpentToken.member]?.string == SpentToken.hash(sent))
    }

    @Test("one whose claim was granted so late that a request would outlast it sends none")
    func late() throws {
        machine.records.before = { [script] request in if request == "replace" { script.pass(seconds: 10) } }
        let before = try script.run(token.load()).get()
        #expect(throws: Failure.self) { try script.run(token.renewed(because: .due(minimum: nil, seen: "at-1"))).get() }
        #expect(script.requests.isEmpty)
        #expect(try script.run(token.load()).get() == before)
    }

    @Test("a token that is still good is used at once, though a machine that may be dead has the claim")
    func claimed() throws {
        var record = try record(1, until: script.seconds + 30)
        record.claim = try ClaimedRecord.Claim(seconds: ClaimedRecord.Claim.usual)
        cluster.set(name, record.bytes)
        let kept = try script.run(token.current(minimum: 60)).get()
        #expect(kept["access_token"]?.string == "at-1")
        #expect(script.passed < 2000)
    }
}
