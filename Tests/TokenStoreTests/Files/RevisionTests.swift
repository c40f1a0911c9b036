import Foundation
import TestSupport
import Testing

@testable import TokenStore

@Suite("Versions of a stored token")
struct RevisionTests {
    @Test("a token is not written over another version than the one that was read, which stays")
    func changed() throws {
        let home = try TemporaryDirectory()
        let path = home.path("tokens/work.json")
        let (store, name) = (FileStore(folder: home.path("tokens")), try TokenName("work"))
        try store.write([1], as: name)
        let held = try store.hold(name)
        let read = try held.token()
        // Another machine shares the folder, and knows nothing of the lock.
        let other = try home.write("2", to: "other")
        chmod(other, 0o600)
        #expect(rename(other, path) == 0)
        #expect(throws: StoreError.changed(path: path)) { try held.write([3], over: read) }
        #expect(try held.read() == Array("2".utf8))
        try held.write([3], over: try held.token())
        #expect(try held.read() == [3])
    }

    @Test("the room for a new version is asked for, and nothing lies in the folder but what was there")
    func room() throws {
        let home = try TemporaryDirectory()
        let path = try home.write("1", to: "work.json")
        try PrivateFile.checkRoom(for: 1 << 16, at: path)
        #expect(throws: StoreError.self) { try PrivateFile.checkRoom(for: .max, at: path) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: home.path) == ["work.json"])
        #expect(try home.read("work.json") == "1")
    }
}
