import Errands
import JOSE
import System
import TestSupport
import Testing
import Wire

@testable import TokenStore

/// What a shared store relies on, of each engine: whatever becomes of a request, a change is made once, over what was read.
@Suite("Records of each engine")
struct EngineTests {
    enum Kind: CaseIterable, Sendable {
        case etcd, kubernetes

        func cluster() throws -> any ScriptedCluster {
            switch self {
            case .etcd: ScriptedEtcd()
            case .kubernetes: try ScriptedKubernetes()
            }
        }
    }

    private let (name, other): (TokenName, TokenName)

    init() throws { (name, other) = (try TokenName("work"), try TokenName("work.2")) }

    @Test("a record is made where none is, replaced over what was read, and removed over it", arguments: Kind.allCases)
    func life(engine: Kind) throws {
        let cluster = try engine.cluster()
        let records = try cluster.records()
        #expect(try cluster.run(records.read(name)) == nil)
        #expect(try cluster.run(records.replace(name, with: [1], over: nil)).done != nil)
        let first = try #require(try cluster.run(records.read(name)))
        #expect(first.bytes == [1])
        let second = try #require(try cluster.run(records.replace(name, with: [], over: first.revision)).done)
        let kept = try #require(try cluster.run(records.read(name)))
        #expect(kept.bytes == [])
        #expect(kept.revision == second)
        #expect(try cluster.run(records.replace(name, with: nil, over: second)).done != nil)
        #expect(cluster.bytes(of: name) == nil)
        #expect(try cluster.run(records.read(name)) == nil)
    }

    /// What another machine does, and what this one does over what it read before that.
    enum Race: String, CaseIterable, Sendable {
        /// It makes the record that this one is about to make.
        case making
        /// It changes it before this one asks.
        case changing
        /// It changes it, this one reads that too, and goes on with what it read first.
        case changingUnminded
        /// This one has another record in mind by then.
        case changingElsewhere
        case removing
    }

    @Test(
        "what another machine has written is neither replaced nor removed by who has not read it",
        arguments: Kind.allCases, Race.allCases)
    func race(engine: Kind, race: Race) throws {
        for (bytes, isLast) in [([2], true), ([2], false), (nil, true), (nil, false)] as [([UInt8]?, Bool)] {
            let cluster = try engine.cluster()
            let records = try cluster.records()
            if race != .making { cluster.set(name, [1]) }
            cluster.set(other, [7])
            let revision = try cluster.run(records.read(name))?.revision
            let theirs: [UInt8]? = race == .removing ? nil : [3]
            if isLast {
                // It comes while the request is on its way.
                var isOpen = true
                cluster.before = { [name] verb in
                    guard ["write", "remove"].contains(verb), isOpen else { return }
                    isOpen = false
                    cluster.set(name, theirs)
                }
            } else {
                cluster.set(name, theirs)
            }
            if race == .changingUnminded { _ = try cluster.run(records.read(name)) }
            if race == .changingElsewhere { _ = try cluster.run(records.read(other)) }
            if race == .making, bytes == nil { continue }
            #expect(try cluster.run(records.replace(name, with: bytes, over: revision)) == .lost, "\(race) \(isLast)")
            #expect(cluster.bytes(of: name) == theirs)
            #expect(cluster.bytes(of: other) == [7])
        }
    }

    @Test("two records of one process are changed in turns, each over its own version", arguments: Kind.allCases)
    func names(engine: Kind) throws {
        let cluster = try engine.cluster()
        let records = try cluster.records()
        var revisions: [String: String] = [:]
        for number in UInt8(1)...3 {
            for (name, bytes) in [(name, [number]), (other, [number + 10])] as [(TokenName, [UInt8])] {
                let outcome = try cluster.run(records.replace(name, with: bytes, over: revisions[name.text]))
                revisions[name.text] = outcome.done
                #expect(cluster.bytes(of: name) == bytes)
            }
        }
        #expect(try cluster.run(records.list()) == [name, other])
        #expect(try cluster.run(records.replace(name, with: nil, over: revisions[name.text])).done != nil)
        #expect(try cluster.run(records.list()) == [other])
    }

    /// The failures after which nobody knows whether a change was made.
    static let unheard: [Fate] = [true, false].flatMap { isDone in
        [Fate(isDone: isDone, Fate.failure(Fate.cut))]
            + [408, 500, 503, 599].map { Fate(isDone: isDone, ScriptedKubernetes.status($0)) }
    }

    @Test(
        "a change whose outcome is unknown is sent once, said to be so, and known by reading",
        arguments: Kind.allCases, unheard)
    func unknown(engine: Kind, fate: Fate) throws {
        for (bytes, verb) in [([2], "write"), (nil, "remove")] as [([UInt8]?, String)] {
            let cluster = try engine.cluster()
            let records = try cluster.records()
            cluster.set(name, [1])
            let revision = try cluster.run(records.read(name))?.revision
            (cluster.fates[verb], cluster.log) = ([fate], [])
            #expect(try cluster.run(records.replace(name, with: bytes, over: revision)) == .unknown)
            #expect(cluster.log == [verb])
            #expect(cluster.bytes(of: name) == (fate.isDone ? bytes : [1]))
            // It goes on with what is there.
            let now = try cluster.run(records.read(name))
            #expect(now?.bytes == cluster.bytes(of: name))
            #expect(try cluster.run(records.replace(name, with: [3], over: now?.revision)).done != nil)
            #expect(cluster.bytes(of: name) == [3])
        }
    }

    @Test("a change that was not sent is sent again", arguments: Kind.allCases)
    func unsent(engine: Kind) throws {
        let cluster = try engine.cluster()
        let records = try cluster.records()
        cluster.fates["write"] = [.away]
        #expect(try cluster.run(records.replace(name, with: [1], over: nil)).done != nil)
        #expect(cluster.log.filter { $0 == "write" }.count == 2)
        cluster.fates["write"] = Array(repeating: .away, count: 9)
        let revision = try cluster.run(records.read(name))?.revision
        #expect(throws: StoreError.self) { try cluster.run(records.replace(name, with: [2], over: revision)) }
        #expect(cluster.bytes(of: name) == [1])
    }

    @Test("an engine that is away is asked again, for as long as that may take", arguments: Kind.allCases)
    func patience(engine: Kind) throws {
        let (cluster, disk) = (try engine.cluster(), try TemporaryDirectory())
        var told: [String] = []
        let store = try cluster.store(disk, SymmetricKey(), patience: .seconds(10)) { told.append($0) }
        for verb in ["read", "list"] {
            cluster.fates[verb] = Array(repeating: .away, count: 12)
            if verb == "read" {
                #expect(try cluster.run(store.load(name)) == nil)
            } else {
                #expect(try cluster.run(store.list()) == [])
            }
            #expect(cluster.log.count { $0 == verb } == 13)
        }
        #expect(told.count == 2)
        #expect(told.first?.hasSuffix("connection refused; oap asks again for up to 10 s") == true)
        let start = cluster.script.now
        cluster.before = { [unowned cluster] in cluster.fates[$0] = [.away] }
        let away = #expect(throws: StoreError.self) { try cluster.run(store.load(name)) }
        #expect(away?.isAway == true)
        #expect((10_000...11_000).contains(cluster.script.now.milliseconds(since: start)))
        let hasty = try cluster.store(disk, SymmetricKey())
        let again = cluster.script.now
        #expect(throws: StoreError.self) { try cluster.run(hasty.load(name)) }
        #expect(cluster.script.now.milliseconds(since: again) < 1000)
    }

    @Test("a question that fails is asked again, with more time in the end, and then fails", arguments: Kind.allCases)
    func reading(engine: Kind) throws {
        let fates = [(Fate.away, "connection refused"), (.lost, "connection reset"), (Self.unheard[7], "said")]
        for (fate, reason) in fates {
            let cluster = try engine.cluster()
            let records = try cluster.records()
            cluster.set(name, [1])
            for count in 0...4 {
                (cluster.fates["read"], cluster.log) = (Array(repeating: fate, count: count), [])
                guard count < (engine == .etcd ? 4 : 3) else {
                    let error = #expect(throws: StoreError.self) { try cluster.run(records.read(name)) }
                    #expect(error?.message == "\(records.place): \(reason)")
                    continue
                }
                #expect(try cluster.run(records.read(name))?.bytes == [1])
                #expect(cluster.log.count == count + 1)
            }
        }
    }
}

extension SharedRecord.Replacement {
    /// The new revision of a change that was made.
    var done: String? { if case .done(let revision) = self { revision } else { nil } }
}

extension StoreError {
    /// Whether it may pass.
    fileprivate var isAway: Bool { if case .away = self { true } else { false } }
}
