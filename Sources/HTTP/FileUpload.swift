internal import Glibc

/// The content of a request, read from a file descriptor while it is sent.
package struct FileUpload: Sendable {
    /// The open descriptor; it stays open.
    package let descriptor: Int32
    /// What to call it in messages.
    package let name: String
    /// Bytes from the start to the end of a regular file; nil for a pipe, which is sent in chunks.
    package let size: Int?
    private let start: off_t?

    /// Sends what is left to read on a descriptor, from where it stands now.
    package init(descriptor: Int32, name: String) {
        self.descriptor = descriptor
        self.name = name
        let position = lseek(descriptor, 0, SEEK_CUR)
        start = position >= 0 ? position : nil
        var status = stat()
        let isFile = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
        size = isFile && position >= 0 ? max(0, Int(status.st_size - position)) : nil
    }

    /// Whether it can be sent again.
    package var isReplayable: Bool { start != nil }

    /// Goes back to the start, plus an offset in bytes. False where that cannot be.
    func rewind(to offset: Int = 0) -> Bool {
        guard let start else { return false }
        return lseek(descriptor, start + off_t(offset), SEEK_SET) >= 0
    }

    /// Reads some bytes: how many, 0 at the end, -1 when it failed (then see `errno`).
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        while true {
            let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
            if count >= 0 { return count }
            switch errno {
            case EINTR: break
            case EAGAIN:
                // Whoever started us has made the descriptor non-blocking.
                var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
                _ = Glibc.poll(&poll, 1, -1)
            default: return count
            }
        }
    }
}
