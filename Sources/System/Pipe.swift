internal import Glibc

/// A pipe (pipe(2)). Both ends are close-on-exec, and are closed with the value.
package struct Pipe: ~Copyable {
    /// The end to read from; nil when it is closed.
    package private(set) var reading: FileDescriptor?
    /// The end to write to; nil when it is closed.
    package private(set) var writing: FileDescriptor?

    /// Opens a pipe; with `blocks`, reading an empty one and writing to a full one wait.
    package init(blocks: Bool = true) throws(Errno) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw .current }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            if !blocks { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
        }
        (reading, writing) = (FileDescriptor(ends[0]), FileDescriptor(ends[1]))
    }

    deinit {
        reading?.close()
        writing?.close()
    }

    /// Both ends, for a program to start; nil when one is closed.
    package var ends: (reading: FileDescriptor, writing: FileDescriptor)? {
        guard let reading, let writing else { return nil }
        return (reading, writing)
    }

    package mutating func closeReading() {
        reading?.close()
        reading = nil
    }

    package mutating func closeWriting() {
        writing?.close()
        writing = nil
    }

    package mutating func close() {
        closeWriting()
        closeReading()
    }
}
