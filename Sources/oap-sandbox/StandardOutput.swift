internal import Glibc
internal import System

/// Standard output, for the client document.
enum StandardOutput {
    static let descriptor: Int32 = 1

    static func write(_ text: String) throws(Failure) {
        try Failure.system(
            "cannot write to standard output", try FileDescriptor.standardOutput.writeAll(Array(text.utf8)))
    }

    /// Whether it is a pipe or socket, whose reader can end; a file or a terminal has none.
    static var hasReader: Bool {
        guard let status = try? FileStatus(.standardOutput) else { return false }
        return status.isPipe || status.isSocket
    }

    /// Whether the reader is still there.
    static var isRead: Bool {
        guard hasReader else { return true }
        var event = pollfd(fd: descriptor, events: 0, revents: 0)
        return poll(&event, 1, 0) <= 0 || event.revents & Int16(POLLERR | POLLHUP) == 0
    }
}

/// Messages for the user, on standard error.
enum Diagnostics {
    static func tell(_ message: String) {
        try? FileDescriptor.standardError.writeAll(Array("oap-sandbox: \(message)\n".utf8))
    }
}
