internal import Glibc

/// Standard output, on which somebody waits for the client document.
enum StandardOutput {
    /// Its descriptor.
    static let descriptor: Int32 = 1

    /// Writes all of a text.
    ///
    /// - Throws: with status 11, when it cannot be written.
    static func write(_ text: String) throws(Failure) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if written < 0, errno == EINTR { continue }
            guard written >= 0 else {
                throw Failure(.fileFailed, "cannot write to standard output: \(String(cString: strerror(errno)))")
            }
            rest = rest.dropFirst(written)
        }
    }

    /// Whether it leads to another program, whose end can be noticed: a file or a terminal has no end.
    static var hasReader: Bool {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return false }
        return [S_IFIFO, S_IFSOCK].contains(status.st_mode & S_IFMT)
    }

    /// Whether the other program still reads.
    static var isRead: Bool {
        guard hasReader else { return true }
        var event = pollfd(fd: descriptor, events: 0, revents: 0)
        return poll(&event, 1, 0) <= 0 || event.revents & Int16(POLLERR | POLLHUP) == 0
    }
}
