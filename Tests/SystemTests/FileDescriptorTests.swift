import Foundation
import Synchronization
import System
import Testing

@Suite("A descriptor")
struct FileDescriptorTests {
    @Test("reads to the end as long as there are no more bytes than the limit")
    func limit() throws {
        for (limit, expected) in [(3, [1, 2, 3]), (2, nil)] as [(Int, [UInt8]?)] {
            var pipe = try System.Pipe()
            try pipe.writing?.writeAll([1, 2, 3])
            pipe.closeWriting()
            #expect(try pipe.reading?.readAll(limit: limit) == expected)
        }
    }

    @Test("waits to read and to write where somebody has made it non-blocking")
    func nonBlocking() throws {
        var pipe = try System.Pipe(blocks: false)
        guard let reading = pipe.reading else { preconditionFailure("a new pipe is closed") }
        let bytes = [UInt8](repeating: 0x78, count: 1 << 20)
        let hasEnded = DispatchSemaphore(value: 0)
        let read = Mutex<[UInt8]?>(nil)
        Thread.detachNewThread {
            read.withLock { $0 = try? reading.readAll() }
            hasEnded.signal()
        }
        #expect(hasEnded.wait(timeout: .now() + .milliseconds(50)) == .timedOut)
        try pipe.writing?.writeAll(bytes)
        pipe.closeWriting()
        #expect(hasEnded.wait(timeout: .now() + .seconds(20)) == .success)
        #expect(read.withLock { $0 } == bytes)
    }

    @Test("shows what comes next of a pipe, a file and a socket, and leaves it there")
    func peek() throws {
        var pipe = try System.Pipe()
        #expect(pipe.reading?.peek(patience: 0) == [])
        try pipe.writing?.writeAll([1, 2, 3])
        #expect(pipe.reading?.peek(patience: 1000) == [1, 2, 3])
        #expect(pipe.reading?.peek(patience: 1000) == [1, 2, 3])
        pipe.closeWriting()
        #expect(try pipe.reading?.readAll() == [1, 2, 3])
        #expect(pipe.reading?.peek(patience: 1000) == [])
        let file = try FileDescriptor.open("/proc/self/exe")
        defer { file.close() }
        let start = try file.read(upTo: 1)
        #expect(file.peek(patience: 0).starts(with: Array("ELF".utf8)))
        #expect(start + (try file.read(upTo: 3)) == [0x7F] + Array("ELF".utf8))
        var ends: [Int32] = [0, 0]
        #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        defer { for end in ends { FileDescriptor(end).close() } }
        try FileDescriptor(ends[0]).writeAll([7])
        #expect(FileDescriptor(ends[1]).peek(patience: 1000) == [7])
        #expect(try FileDescriptor(ends[1]).read(upTo: 9) == [7])
    }

    @Test("of a device or of nothing shows nothing, and an empty pipe is not waited for longer than was said")
    func peekNothing() throws {
        let device = try FileDescriptor.open("/dev/zero")
        defer { device.close() }
        #expect(device.peek(patience: 0) == [])
        #expect(FileDescriptor(9999).peek(patience: 0) == [])
        let pipe = try System.Pipe()
        let start = ContinuousClock.now
        #expect(pipe.reading?.peek(patience: 20) == [])
        #expect(ContinuousClock.now - start < .seconds(10))
        withExtendedLifetime(start) {}
    }

    @Test("that nothing is open under throws what the system says, in lower case")
    func closed() {
        #expect(throws: Errno(EBADF)) { try FileDescriptor(9999).writeAll([1]) }
        #expect(throws: Errno.noSuchFile) { try FileDescriptor.open("/nowhere/at all") }
        #expect(Errno.noSuchFile.description == "no such file or directory")
        #expect(Errno(EMULTIHOP).description == "multihop attempted")
        #expect(Errno(EBADRQC).description == "invalid request code")
        #expect(Errno(EDOTDOT).description == "RFS specific error")
    }
}

@Suite("A moment")
struct MonotonicTimeTests {
    @Test("is told from another in milliseconds, rounded up, and never less than none")
    func rounding() {
        let now = MonotonicTime.now
        #expect((now + .microseconds(1001)).milliseconds(since: now) == 2)
        #expect(now.milliseconds(since: now + .seconds(1)) == 0)
        #expect(MonotonicTime.now >= now)
    }
}
