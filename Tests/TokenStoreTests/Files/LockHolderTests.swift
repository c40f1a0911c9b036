import Glibc
import TestSupport
import Testing

@testable import TokenStore

@Suite("Who holds a lock")
struct LockHolderTests {
    @Test("the process is named by its number and its program while it holds the lock")
    func holder() throws {
        let folder = try TemporaryDirectory()
        let path = folder.path("work.lock")
        #expect(StoreLock.holder(of: path) == nil)
        var lock: StoreLock? = try StoreLock(path)
        #expect(StoreLock.holder(of: path)?.hasPrefix("the process \(getpid()) (") == true)
        #expect(StoreLock.holder(of: "etcd, work") == nil)
        withExtendedLifetime(lock) {}
        lock = nil
        #expect(StoreLock.holder(of: path) == nil)
    }

    @Test("the next holder reads the note of the one before, and nothing of a longer one before that")
    func note() throws {
        let folder = try TemporaryDirectory(inMemory: true)
        let path = folder.path("work.lock")
        for note in ["a long note", "short", ""] {
            try StoreLock(path).note = Array(note.utf8)
            #expect(try StoreLock(path).note == Array(note.utf8))
        }
        try StoreLock(path).note = [UInt8](repeating: 1, count: StoreLock.noteLimit + 1)
        #expect(try StoreLock(path).note.count == StoreLock.noteLimit)
    }
}
