import Errands
import JOSE
import System
import TestSupport
import Testing
import Wire

@testable import TokenStore

/// A machine over an engine, beside other machines, and what becomes of its claim when nobody knows what became of a request.
@Suite("Claims on a token in a cluster")
struct ClusterClaimTests {
    typealias Kind = EngineTests.Kind

    /// A process that has read the token of number 1.
    struct Scene {
        let cluster: any ScriptedCluster
        let name: TokenName
        let store: SharedStore
        let held: ClaimedToken
        let disk: TemporaryDirectory

        init(_ engine: Kind) throws {
            (cluster, name) = (try engine.cluster(), try TokenName("work"))
            disk = try TemporaryDirectory(inMemory: true)
            store = try cluster.store(disk, try SymmetricKey())
            let sealed = try store.seal.sealing(TokenText.token(1), name)
            cluster.set(name, ClaimedRecord(token: String(decoding: sealed, as: UTF8.self)).bytes)
            held = try cluster.run(store.held(name))
            _ = try cluster.run(held.load())
            cluster.log = []
        }

        var record: ClaimedRecord {
            get throws {
                try ClaimedRecord(parsing: try #require(cluster.bytes(of: name)), of: name, in: "test")
            }
        }

        /// The bytes of the token in the record.
        var token: [UInt8] { get throws { try store.seal.opening(Array(record.token.utf8), name) } }

        /// Another machine claims the token.
        @discardableResult
        func claimElsewhere() throws -> ClaimedRecord {
            var record = try record
            record.claim = try ClaimedRecord.Claim(seconds: 20)
            cluster.set(name, record.bytes)
            return record
        }

        func count(_ verb: String) -> Int { cluster.log.count { $0 == verb } }

        /// How many milliseconds an errand takes, and how it ends.
        func timed<Value>(_ errand: Attempt<Value, StoreError>) -> (passed: Int, Result<Value, StoreError>) {
            let start = cluster.script.passed
            let result = cluster.script.run(errand)
            return (cluster.script.passed - start, result)
        }
    }

    @Test(
        "a claim whose outcome is unknown is sent once, looked for, and had if it is there",
        arguments: Kind.allCases, EngineTests.unheard)
    func claim(engine: Kind, fate: Fate) throws {
        let scene = try Scene(engine)
        scene.cluster.fates["write"] = [fate]
        let (passed, result) = scene.timed(scene.held.claim())
        #expect(scene.count("write") == 1)
        #expect(passed == 0)
        #expect((scene.held.claimed != nil) == fate.isDone)
        #expect(((try? result.get()) != nil) == fate.isDone)
        #expect(try (scene.record.claim != nil) == fate.isDone)
        if !fate.isDone { try scene.cluster.run(scene.held.claim()) }
        try scene.cluster.run(scene.held.save(TokenText.token(2), over: nil))
        // Its own claim is no doubt.
        #expect(try scene.token == TokenText.token(2))
        #expect(try scene.record == ClaimedRecord(token: scene.record.token))
    }

    @Test(
        "a claim that another machine makes meanwhile stays, and is waited for with few questions",
        arguments: Kind.allCases, [true, false])
    func overtaken(engine: Kind, isUnknown: Bool) throws {
        let scene = try Scene(engine)
        if isUnknown { scene.cluster.fates["write"] = [.lost] }
        var other: ClaimedRecord?
        scene.cluster.before = { verb in
            if other == nil, verb == (isUnknown ? "read" : "write") { other = try? scene.claimElsewhere() }
        }
        let (passed, result) = scene.timed(scene.held.claim())
        #expect(throws: scene.held.changed) { try result.get() }
        #expect(scene.held.claimed == nil)
        #expect(try scene.record == other)
        #expect(scene.count("write") == 1)
        #expect(passed == 23_000)
        #expect(scene.count("watch") == 4)
        #expect(scene.count("read") <= 7)
    }

    @Test(
        "who waits for the claim of another machine goes on when the watch says that it is over",
        arguments: Kind.allCases)
    func watched(engine: Kind) throws {
        let scene = try Scene(engine)
        let other = try scene.claimElsewhere()
        _ = try scene.cluster.run(scene.held.load())
        scene.cluster.log = []
        scene.cluster.script.meanwhile = {
            if scene.count("watch") > 0 { scene.cluster.set(scene.name, ClaimedRecord(token: other.token).bytes) }
        }
        let (passed, result) = scene.timed(scene.held.claim())
        #expect(throws: scene.held.changed) { try result.get() }
        #expect(passed < 1000)
        #expect(scene.count("watch") == 1)
        try scene.cluster.run(scene.held.claim())
        #expect(scene.held.claimed != nil)
    }

    @Test(
        "a new token whose write is unknown is stored once, and again only where it was not done",
        arguments: Kind.allCases, EngineTests.unheard)
    func save(engine: Kind, fate: Fate) throws {
        let scene = try Scene(engine)
        try scene.cluster.run(scene.held.claim())
        (scene.cluster.fates["write"], scene.cluster.log) = ([fate], [])
        try scene.cluster.run(scene.held.save(TokenText.token(2), over: nil))
        #expect(scene.count("write") == (fate.isDone ? 1 : 2))
        #expect(try scene.token == TokenText.token(2))
        #expect(try scene.record.claim == nil)
        #expect(try LateAnswers(of: scene.name, in: scene.store.folder).all().isEmpty)
    }

    @Test(
        "a mark whose write is unknown is written again over its own claim alone",
        arguments: Kind.allCases, [Fate.lost, .unheard, .away])
    func mark(engine: Kind, fate: Fate) throws {
        for isOvertaken in [true, false] {
            let scene = try Scene(engine)
            try scene.cluster.run(scene.held.claim())
            (scene.cluster.fates["write"], scene.cluster.log) = ([fate], [])
            var other: ClaimedRecord?
            scene.cluster.before = { verb in
                if isOvertaken, other == nil, scene.count("write") == 1, verb == "read" {
                    other = try? scene.claimElsewhere()
                }
            }
            let result = scene.cluster.script.run(scene.held.save(TokenText.refused(1), over: nil))
            if let other {
                #expect(try scene.record == other)
                #expect(scene.count("write") == 1)
                if !fate.isDone { #expect(throws: scene.held.changed) { try result.get() } }
            } else {
                #expect(throws: Never.self) { try result.get() }
                #expect(try scene.token == TokenText.refused(1))
                #expect(scene.count("write") == (fate.isDone ? 1 : 2))
            }
        }
    }

    @Test("a release whose outcome is unknown is not repeated", arguments: Kind.allCases, [Fate.lost, .unheard])
    func release(engine: Kind, fate: Fate) throws {
        let scene = try Scene(engine)
        try scene.cluster.run(scene.held.claim())
        (scene.cluster.fates["write"], scene.cluster.log) = ([fate], [])
        let (passed, result) = scene.timed(scene.held.release(isDoubtful: true))
        #expect(throws: Never.self) { try result.get() }
        #expect(passed == 0)
        #expect(scene.cluster.log == ["write"])
        #expect(try (scene.record.claim == nil) == fate.isDone)
        #expect(try scene.record.again == (fate.isDone ? 1 : 0))
    }

    @Test("a cluster that puts a claim off for an hour ends it at once")
    func putOff() throws {
        let scene = try Scene(.kubernetes)
        let later = ScriptedKubernetes.status(429, "later", [HTTPField("Retry-After", "3600")])
        scene.cluster.fates["write"] = [Fate(later)]
        let (passed, result) = scene.timed(scene.held.claim())
        #expect(throws: StoreError.self) { try result.get() }
        #expect(passed == 0)
        #expect(scene.held.claimed == nil)
        #expect(try scene.record.claim == nil)
    }
}
