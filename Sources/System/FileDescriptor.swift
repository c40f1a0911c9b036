internal import CProcess
internal import Glibc

/// A file descriptor. It must be closed explicitly; ``OpenFile`` closes it with the value.
///
/// Reading and writing continue after a signal (`EINTR`), and wait if the descriptor is non-blocking (`EAGAIN`), as one of a
/// parent process may be.
package struct FileDescriptor: Equatable, Sendable {
    package let number: Int32

    package init(_ number: Int32) { self.number = number }

    package static let standardInput = FileDescriptor(0)
    package static let standardOutput = FileDescriptor(1)
    package static let standardError = FileDescriptor(2)

    /// Opens a file, close-on-exec (open(2)).
    package static func open(
        _ path: String, _ flags: Int32 = O_RDONLY, mode: UInt32 = 0
    ) throws(Errno) -> FileDescriptor {
        let number = Glibc.open(path, flags | O_CLOEXEC, mode)
        guard number >= 0 else { throw .current }
        return FileDescriptor(number)
    }

    /// Duplicates it, as 3 or more (fcntl(2), `F_DUPFD_CLOEXEC`).
    package func duplicate() throws(Errno) -> FileDescriptor {
        let other = fcntl(number, F_DUPFD_CLOEXEC, 3)
        guard other >= 0 else { throw .current }
        return FileDescriptor(other)
    }

    /// Closes it (close(2)).
    package func close() { _ = Glibc.close(number) }

    /// Whether the descriptor can be read without waiting, or the other end is closed (poll(2)).
    package var isReadable: Bool {
        var event = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
        return poll(&event, 1, 0) > 0
    }

    /// Reads the next bytes (read(2)), and returns how many; 0 at the end.
    package func read(into buffer: UnsafeMutableRawBufferPointer) throws(Errno) -> Int {
        try repeating(POLLIN) { Glibc.read(number, buffer.baseAddress, buffer.count) }
    }

    /// Reads the bytes at an offset (pread(2)), and returns how many; 0 at the end.
    package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(Errno) -> Int {
        try repeating(POLLIN) { pread(number, buffer.baseAddress, buffer.count, offset) }
    }

    /// Reads at most this many bytes; none at the end.
    package func read(upTo count: Int) throws(Errno) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let read = try repeating(POLLIN) { Glibc.read(number, &bytes, count) }
        bytes.removeLast(count - read)
        return bytes
    }

    /// What could be read now of a regular file, a pipe or a socket, at most 64 KiB; it is left for the next reader.
    ///
    /// - Parameter patience: for how many milliseconds the first byte of a pipe or a socket is waited for.
    package func peek(patience: Int32) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: 65_536) { $1 = oap_peek(number, $0.baseAddress, $0.count, patience) }
    }

    /// Reads to the end; nil if there are more bytes than the limit.
    package func readAll(limit: Int = .max) throws(Errno) -> [UInt8]? {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = try repeating(POLLIN) { Glibc.read(number, &chunk, chunk.count) }
            if count == 0 { return bytes }
            guard count <= limit - bytes.count else { return nil }
            bytes.append(contentsOf: chunk[..<count])
        }
    }

    /// Writes some of the bytes (write(2)), and returns how many.
    package func write(_ bytes: UnsafeRawBufferPointer) throws(Errno) -> Int {
        try repeating(POLLOUT) { Glibc.write(number, bytes.baseAddress, bytes.count) }
    }

    package func writeAll(_ bytes: UnsafeRawBufferPointer) throws(Errno) {
        var rest = bytes
        while !rest.isEmpty { rest = UnsafeRawBufferPointer(rebasing: rest[try write(rest)...]) }
    }

    package func writeAll(_ bytes: [UInt8]) throws(Errno) {
        try bytes.span.bytes.withUnsafeBytes { (buffer) throws(Errno) in try writeAll(buffer) }
    }

    private func repeating(_ event: Int32, _ call: () -> Int) throws(Errno) -> Int {
        while true {
            let count = call()
            if count >= 0 { return count }
            switch Errno.current {
            case .interrupted: continue
            case .wouldBlock:
                var poll = pollfd(fd: number, events: Int16(event), revents: 0)
                _ = Glibc.poll(&poll, 1, -1)
            case let error: throw error
            }
        }
    }
}
