internal import Glibc
package import System

/// Writes a result to standard output or the file of `-o`, through a buffer.
package final class ByteSink {
    private let descriptor: FileDescriptor
    private let name: String
    private var buffer = ByteQueue()
    private var capacity = usualCapacity
    private static let usualCapacity = 65_536
    /// Of a pipe that is writable so many bytes can be written without waiting (pipe(7), `PIPE_BUF`).
    private static let piece = 4096
    /// Whether a write may wait for a reader.
    private lazy var hasReader = (try? FileStatus(descriptor))?.isFile != true
    /// How many bytes of the buffer were written.
    package private(set) var written = 0

    package static var standardOutput: ByteSink { ByteSink(descriptor: 1, name: "standard output") }

    static var isStandardOutputOpen: Bool {
        let flags = fcntl(1, F_GETFL)
        return flags >= 0 && flags & O_ACCMODE != O_RDONLY
    }

    package init(descriptor: Int32, name: String) {
        self.descriptor = FileDescriptor(descriptor)
        self.name = name
    }

    /// Writes a whole text to standard output.
    ///
    /// - Throws: exit 11.
    package static func print(_ text: String) throws(Failure) {
        let sink = standardOutput
        try sink.write(Array(text.utf8))
        try sink.flush()
    }

    /// Makes the buffer larger until it is flushed: nothing is written before it is full.
    package func hold(_ size: Int) { capacity = size }

    package var backlog: Int { buffer.count }

    /// The descriptor to wait for, if anything waits.
    package var waiting: Int32? { backlog > 0 ? descriptor.number : nil }

    /// Buffers bytes, and writes them when the buffer is full.
    ///
    /// - Throws: exit 11.
    package func write(_ bytes: [UInt8]) throws(Failure) {
        buffer.append(bytes)
        if buffer.count >= capacity { try flush() }
    }

    /// Writes the buffer, unless it is held.
    ///
    /// - Throws: as `flush()`.
    package func flushUnlessHeld() throws(Failure) { if capacity == Self.usualCapacity { try flush() } }

    /// Writes the buffer, and ends its hold.
    ///
    /// - Throws: exit 11. A closed standard output does not return: see `Signals.dieOfBrokenPipe()`.
    package func flush() throws(Failure) {
        capacity = Self.usualCapacity
        while backlog > 0 { try writeSome(.max) }
    }

    /// Writes of the buffer what the reader takes without waiting; a file takes everything.
    ///
    /// - Throws: as `flush()`.
    package func offer() throws(Failure) {
        while backlog > 0, !hasReader || isWritable { try writeSome(hasReader ? Self.piece : .max) }
    }

    private func writeSome(_ limit: Int) throws(Failure) {
        do throws(Errno) {
            let count = try buffer.withFirst(limit) { (bytes) throws(Errno) in try descriptor.write(bytes) }
            buffer.removeFirst(count)
            written += count
        } catch {
            buffer = ByteQueue()
            throw failure(error)
        }
    }

    private var isWritable: Bool {
        var event = pollfd(fd: descriptor.number, events: Int16(POLLOUT), revents: 0)
        return poll(&event, 1, 0) > 0
    }

    /// Writes bytes without the buffer.
    package func pass(_ bytes: UnsafeRawBufferPointer) throws(Errno) { try descriptor.writeAll(bytes) }

    /// The failure of a write. A closed standard output does not return.
    package func failure(_ error: Errno) -> Failure {
        if error == .brokenPipe, descriptor == .standardOutput { Signals.dieOfBrokenPipe() }
        return .file("cannot write \(name): \(error)")
    }
}
