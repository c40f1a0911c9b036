import Errands
import System
import TestSupport
import Testing
import Wire

@testable import TokenStore

@Suite("Watches of a record")
struct WatchTests {
    private let (name, other): (TokenName, TokenName)

    init() throws { (name, other) = (try TokenName("work"), try TokenName("other")) }

    /// For how many milliseconds a record is watched since it was read, and what it says then.
    private func watch(
        _ cluster: any ScriptedCluster, for time: Duration = .seconds(10), _ prepare: () -> Void = {}
    ) throws -> Int {
        let records = try cluster.records()
        if cluster.bytes(of: name) == nil { cluster.set(name, [1]) }
        let revision = try #require(try cluster.run(records.read(name))).revision
        prepare()
        cluster.log = []
        let start = cluster.script.passed
        try cluster.run(records.change(of: name, since: revision, until: cluster.script.now + time))
        #expect(cluster.log == ["watch"])
        return cluster.script.passed - start
    }

    @Test("a watch ends with a change, of before it or meanwhile, or at its end", arguments: EngineTests.Kind.allCases)
    func change(engine: EngineTests.Kind) throws {
        let cluster = try engine.cluster()
        #expect(try watch(cluster) == 10_000)
        #expect(try watch(cluster) { cluster.set(name, [2]) } == 0)
        #expect(try watch(cluster) { cluster.set(other, [2]) } == 10_000)
        cluster.script.meanwhile = { [name, unowned cluster] in cluster.set(name, [3]) }
        #expect(try watch(cluster) == 0)
    }

    @Test(
        "who may not watch, or whose watch ends at once, reads the record after a pause, and not after its end",
        arguments: EngineTests.Kind.allCases,
        [
            Fate.away, .lost, Fate(ScriptedKubernetes.status(401)), Fate(ScriptedKubernetes.status(403)),
            Fate(Script.json("<html>\n</html>\n", status: 503)), Fate(Script.json("")),
        ])
    func refused(engine: EngineTests.Kind, fate: Fate) throws {
        let cluster = try engine.cluster()
        cluster.fates["watch"] = [fate, fate]
        let passed = try watch(cluster)
        #expect(engine == .etcd ? passed == 1000 : (500...1500).contains(passed))
        #expect(try watch(cluster, for: .milliseconds(400)) == 400)
    }

    @Test("a watch is given the time that is left, and not none", arguments: EngineTests.Kind.allCases)
    func time(engine: EngineTests.Kind) throws {
        let cluster = try engine.cluster()
        for (time, limit) in [(Duration.seconds(10), 10), (.milliseconds(1200), 1.2), (.zero, 0.05)] {
            _ = try watch(cluster, for: time)
            #expect(cluster.watch?.maximumTime == limit)
        }
    }

    @Test("the API of Kubernetes ends a watch when its time is over, in whole seconds")
    func seconds() throws {
        let cluster = try ScriptedKubernetes()
        for (time, seconds) in [(0, 1), (1, 1), (1000, 1), (1001, 2), (10_000, 10)] {
            _ = try watch(cluster, for: .milliseconds(time))
            #expect(cluster.watch?.message.url.hasSuffix("&timeoutSeconds=\(seconds)") == true, "\(time)")
        }
    }

    /// What the content of a watch so far says.
    enum News: Sendable { case none, over, change }

    @Test(
        "the watch of a Secret goes on over its own version and bookmarks, and ends with another one or an error",
        arguments: [
            ("", .none), (event("ADDED", "V"), .none), (event("ADDED", "V") + event("BOOKMARK", "9"), .none),
            (event("MODIFIED", "V"), .none), (event("ADDED", "9"), .change), (event("MODIFIED", "9"), .change),
            (event("ADDED", "V") + event("DELETED", "V"), .change), (event("ERROR", "9"), .over), ("<html>\n", .over),
            (String(event("MODIFIED", "9").dropLast()), .none), (event("ADDED", "V") + "{}\n", .over),
        ] as [(String, News)])
    func secret(text: String, news: News) throws {
        let cluster = try ScriptedKubernetes()
        let content = text.replacing(#""V""#, with: #""\#(cluster.version + 1)""#)
        cluster.fates["watch"] = [Fate(Script.json(content))]
        let passed = try watch(cluster)
        #expect((passed == 0) == (news == .change))
        #expect(cluster.watch?.isEnough?(Array(content.utf8)) == (news != .none))
    }

    private static func event(_ type: String, _ version: String) -> String {
        #"{"type":"\#(type)","object":{"metadata":{"resourceVersion":"\#(version)"}}}"# + "\n"
    }

    @Test(
        "the watch of a key ends with the first line after the one that says it began",
        arguments: [
            ("", .none), (#"{"result":{"created":true}}"#, .none), (#"{"result":{"created":true}}"# + "\n", .none),
            (#"{"result":{"created":true}}"# + "\n{}", .none), (#"{"result":{"created":true}}"# + "\n{}\n", .change),
            (#"{"result":{"created":true,"canceled":true}}"# + "\n", .over),
            (#"{"result":{"canceled":true}}"# + "\n{}\n", .over),
        ] as [(String, News)])
    func key(text: String, news: News) throws {
        let cluster = ScriptedEtcd()
        cluster.fates["watch"] = [Fate(Script.json(text))]
        let passed = try watch(cluster)
        #expect((passed == 0) == (news == .change))
        #expect(cluster.watch?.isEnough?(Array(text.utf8)) == (news != .none))
    }
}
