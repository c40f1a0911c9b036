import Foundation
import Synchronization
import TestSupport
import Testing
import TokenStore

@Suite("The mark of a login")
struct LoginMarkTests {
    private let folder: TemporaryDirectory
    private let name: TokenName

    init() throws {
        folder = try TemporaryDirectory()
        name = try TokenName("work")
    }

    @Test("a login is seen while it lasts, and nobody is marked by a question")
    func held() throws {
        #expect(!LoginMark.isHeld(name, in: folder.path))
        #expect(!folder.contains("work.lock"))
        do {
            let mark = try LoginMark(name, in: folder.path)
            let isSecond = mark.isSecond
            #expect(!isSecond)
            #expect(LoginMark.isHeld(name, in: folder.path))
            #expect(LoginMark.isHeld(name, in: folder.path))
            #expect(!LoginMark.isHeld(try TokenName("other"), in: folder.path))
            withExtendedLifetime(mark) {}
        }
        #expect(!LoginMark.isHeld(name, in: folder.path))
    }

    @Test("a second login has a mark of its own, which a third one sees when the first has ended")
    func third() throws {
        let first = Optional(try LoginMark(name, in: folder.path))
        let second = try LoginMark(name, in: folder.path)
        var isSecond = second.isSecond
        #expect(isSecond)
        _ = consume first
        #expect(LoginMark.isHeld(name, in: folder.path))
        let third = try LoginMark(name, in: folder.path)
        isSecond = third.isSecond
        #expect(isSecond)
        withExtendedLifetime(second) {}
    }

    @Test("a login that begins while somebody asks for logins is not taken for the second")
    func asked() throws {
        let (folder, name) = (folder, name)
        // It is there from the first question on.
        _ = try LoginMark(name, in: folder.path)
        let isOver = Mutex(false)
        let asking = Mutex(0)
        var seconds = 0
        try withThreads(2) {
            while !isOver.withLock({ $0 }) {
                _ = LoginMark.isHeld(name, in: folder.path)
                asking.withLock { $0 += 1 }
            }
        } while: {
            while asking.withLock({ $0 }) < 100 { sched_yield() }
            for _ in 0..<2000 {
                // A program that another suite starts has the last mark until it is executed.
                while LoginMark.isHeld(name, in: folder.path) { sched_yield() }
                let mark = try LoginMark(name, in: folder.path)
                if mark.isSecond { seconds += 1 }
            }
            isOver.withLock { $0 = true }
        }
        #expect(seconds == 0)
    }

    /// Runs a function on threads of its own, while another one runs here, and waits for all.
    private func withThreads(
        _ count: Int, _ body: @escaping @Sendable () -> Void, while other: () throws -> Void
    ) throws {
        let group = DispatchGroup()
        for _ in 0..<count {
            group.enter()
            Thread.detachNewThread {
                body()
                group.leave()
            }
        }
        try other()
        group.wait()
    }

    @Test("a registration keeps off another one, and is no login")
    func registration() throws {
        let lock = try Script().run(LoginMark.lock(name, in: folder.path)).get()
        #expect(!LoginMark.isKnown(name, in: folder.path))
        #expect(!LoginMark.isHeld(name, in: folder.path))
        #expect(throws: StoreError.self) { try StoreLock(folder.path("+work.lock")) }
        withExtendedLifetime(lock) {}
        let mark = try LoginMark(name, in: folder.path)
        #expect(LoginMark.isKnown(name, in: folder.path))
        withExtendedLifetime(mark) {}
    }
}
