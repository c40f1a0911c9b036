import Foundation
import TestSupport
import Testing
import TokenStore

@Suite("Remembered flows")
struct FlowStoreTests {
    private let home: TemporaryDirectory
    private let store: FlowStore
    private let now = Int(Date().timeIntervalSince1970)

    init() throws {
        home = try TemporaryDirectory()
        store = FlowStore(folder: home.path("state/flows"), key: nil)
    }

    @Test("a remembered flow is taken out once")
    func once() throws {
        try store.keep(Array("flow".utf8), under: "abc", now: now)
        #expect(try home.permissions("state/flows/abc.json") == 0o600)
        #expect(try home.permissions("state/flows") == 0o700)
        #expect(try store.take("other", now: now) == .unknown)
        #expect(try store.take("abc", now: now) == .taken(Array("flow".utf8)))
        for later in [now, now + 3_500] { #expect(try store.take("abc", now: later) == .used) }
        #expect(try files() == ["abc.used"])
        #expect(try home.permissions("state/flows/abc.used") == 0o600)
        #expect(try home.read("state/flows/abc.used").isEmpty)
        #expect(try store.take("abc", now: now + 3_602) == .unknown)
        #expect(try files() == [])
    }

    @Test("of many who ask for a remembered flow at once, one gets it")
    func race() async throws {
        for round in 0..<20 {
            try store.keep(Array("flow".utf8), under: "\(round)", now: now)
            let taken = FlowStore.Outcome.taken(Array("flow".utf8))
            let winners = await withTaskGroup(of: Bool.self) { group in
                for _ in 0..<8 { group.addTask { (try? store.take("\(round)", now: now)) == taken } }
                return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(winners == 1)
        }
    }

    @Test("after an hour a remembered flow has expired, which is known for another hour; its content is gone")
    func expired() throws {
        try store.keep(Array("old".utf8), under: "old", now: now)
        try home.write("half", to: "state/flows/.oap-abcdef")
        for name in ["old.json", ".oap-abcdef"] { try age(name, by: 3_601) }
        for later in [now, now + 3_500] { #expect(try store.take("old", now: later) == .expired) }
        #expect(try files() == ["old.expired"])
        #expect(try home.read("state/flows/old.expired").isEmpty)
        try age("old.expired", by: 3_601)
        #expect(try store.take("old", now: now) == .unknown)
        #expect(try files() == [])
    }

    @Test("storing a flow ends the older ones")
    func sweptByKeeping() throws {
        try store.keep(Array("old".utf8), under: "old", now: now)
        try age("old.json", by: 3_601)
        try store.keep(Array("new".utf8), under: "new", now: now)
        #expect(try files() == ["new.json", "old.expired"])
    }

    @Test("a flow of which only the mark was made, by a process that was killed then, is used")
    func killed() throws {
        try store.keep(Array("flow".utf8), under: "abc", now: now)
        try home.write("", to: "state/flows/abc.used")
        #expect(try store.take("abc", now: now) == .used)
    }

    @Test("the pipe of a login that has waited for more than an hour stays, and goes when nobody waits any more")
    func oldInbox() throws {
        let inbox = try RedirectInbox(folder: home.path("state/flows"), key: "abc")
        try age("abc.inbox", by: 3_601)
        try store.keep(Array("new".utf8), under: "new", now: now)
        #expect(try files() == ["abc.inbox", "new.json"])
        #expect(try RedirectInbox.leave("app:/cb", folder: home.path("state/flows"), key: "abc"))
        try FileManager.default.moveItem(
            atPath: home.path("state/flows/abc.inbox"), toPath: home.path("state/flows/old.inbox"))
        _ = consume inbox
        try age("old.inbox", by: 3_601)
        #expect(try store.take("other", now: now) == .unknown)
        #expect(try files() == ["new.json"])
    }

    @Test("only flows that wait are forgotten: what is known of others stays, and the pipe of a login")
    func forgotten() throws {
        let inbox = try RedirectInbox(folder: home.path("state/flows"), key: "a")
        for key in ["a", "b", "c"] { try store.keep(Array("flow".utf8), under: key, now: now) }
        #expect(try store.take("b", now: now) == .taken(Array("flow".utf8)))
        try store.forget()
        #expect(try files() == ["a.inbox", "b.used"])
        #expect(try store.take("b", now: now) == .used && store.take("c", now: now) == .unknown)
        _ = consume inbox
    }

    private func files() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: home.path("state/flows")).sorted()
    }

    private func age(_ name: String, by seconds: Int) throws {
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: Double(now - seconds))],
            ofItemAtPath: home.path("state/flows/\(name)"))
    }

    @Test("a flow in a file that others can read is not believed")
    func openFile() throws {
        try store.keep(Array("flow".utf8), under: "abc", now: now)
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o644], ofItemAtPath: home.path("state/flows/abc.json"))
        #expect(throws: StoreError.self) { try store.take("abc", now: now) }
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: home.path("state/flows"))
        #expect(throws: StoreError.self) { try store.take("abc", now: now) }
        #expect(throws: StoreError.self) { try store.keep([], under: "abc", now: now) }
    }

    @Test("where no flow was ever kept, none is found")
    func none() throws { #expect(try store.take("abc", now: now) == .unknown) }
}
