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
        store = FlowStore(folder: home.path("state/flows"))
    }

    @Test("a remembered flow is taken out once")
    func once() throws {
        try store.keep(Array("flow".utf8), under: "abc", now: now)
        #expect(try home.permissions("state/flows/abc.json") == 0o600)
        #expect(try home.permissions("state/flows") == 0o700)
        #expect(try store.take("other", now: now) == nil)
        #expect(try store.take("abc", now: now) == Array("flow".utf8))
        #expect(try store.take("abc", now: now) == nil)
    }

    @Test("of many who ask for a remembered flow at once, one gets it")
    func race() async throws {
        for round in 0..<20 {
            try store.keep(Array("flow".utf8), under: "\(round)", now: now)
            let winners = await withTaskGroup(of: Bool.self) { group in
                for _ in 0..<8 { group.addTask { (try? store.take("\(round)", now: now)) != nil } }
                return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(winners == 1)
        }
    }

    @Test("after an hour a remembered flow is gone, from the disk too, and so is what a killed process left")
    func swept() throws {
        try store.keep(Array("old".utf8), under: "old", now: now)
        try home.write("half", to: "state/flows/.oap-abcdef")
        #expect(try store.take("old", now: now + FlowStore.lifetime + 2) == nil)
        #expect(try FileManager.default.contentsOfDirectory(atPath: home.path("state/flows")).isEmpty)
        try store.keep(Array("old".utf8), under: "old", now: now)
        try store.keep(Array("new".utf8), under: "new", now: now + FlowStore.lifetime + 2)
        #expect(try FileManager.default.contentsOfDirectory(atPath: home.path("state/flows")) == ["new.json"])
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
    func none() throws { #expect(try store.take("abc", now: now) == nil) }
}
