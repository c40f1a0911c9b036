import Foundation
import Synchronization

/// A program that runs as a thread of this process, which has descriptors and a directory of its own (unshare(2)): it finds
/// its streams at the numbers 0, 1 and 2, as in a process.
final class PlayedProgram: Sendable {
    /// `CLONE_FILES` and `CLONE_FS`.
    private static let (cloneFiles, cloneFolder) = (Int32(0x400), Int32(0x200))

    private let end = Mutex(Int32(-1))

    /// The exit status, once the thread has ended.
    var status: Int32 { end.withLock { $0 } }

    /// Starts the thread. When this returns, it has copies of the descriptors.
    ///
    /// - Parameters:
    ///   - streams: its descriptors 0, 1 and 2; nil is closed.
    ///   - end: is closed when it has ended.
    ///   - run: gives the exit status.
    init(
        _ streams: [FileDescriptor?], end closed: FileDescriptor, in directory: String?,
        run: @escaping @Sendable () -> Int32
    ) {
        let (numbers, last) = (streams.map { $0?.number }, closed.number)
        let copied = DispatchSemaphore(value: 0)
        let thread = Thread { [self] in
            guard HiddenCalls.unshare(Self.cloneFiles | Self.cloneFolder) == 0 else {
                preconditionFailure("unshare(2): errno \(errno)")
            }
            copied.signal()
            Self.place(numbers, last)
            if let directory { chdir(directory) }
            let status = run()
            end.withLock { $0 = status }
            Self.closeAll(from: 0)
        }
        thread.stackSize = 8 << 20
        thread.start()
        copied.wait()
    }

    /// Puts the streams at their numbers, and closes what other tests have open: a lock is held until its last copy is closed.
    private static func place(_ streams: [Int32?], _ end: Int32) {
        for (number, stream) in streams.enumerated() {
            if let stream { dup2(stream, Int32(number)) } else { close(Int32(number)) }
        }
        if end != 3 { dup2(end, 3) }
        closeAll(from: 4)
    }

    private static func closeAll(from first: UInt32) { _ = HiddenCalls.closeRange(first, .max, 0) }
}
