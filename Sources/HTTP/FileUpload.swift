internal import Glibc
internal import Wire

/// The content of a request, read from a descriptor while it is sent. A regular file is read again where it must be sent
/// again; what comes from a pipe is kept for that, up to a limit.
package final class FileUpload: ContentSource {
    package let name: String
    package let size: Int?
    private let descriptor: Int32
    /// The offset of a regular file at the start; nil for what cannot be read twice.
    private let start: off_t?
    /// The next byte to read, counted from the start.
    private var offset = 0
    /// What was read from a pipe; nil once that was more than is kept.
    private var kept: [UInt8]? = []
    private let limit: Int

    /// Sends what is left to read on a descriptor, from its present offset. The descriptor stays open.
    ///
    /// - Parameter limit: the most bytes of a pipe that are kept.
    package init(descriptor: Int32, name: String, keeping limit: Int = 16 << 20) {
        self.descriptor = descriptor
        self.limit = limit
        self.name = name
        let position = lseek(descriptor, 0, SEEK_CUR)
        var status = stat()
        let isFile = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
        start = position >= 0 ? position : nil
        size = isFile && position >= 0 ? max(0, Int(status.st_size - position)) : nil
    }

    package var isReplayable: Bool { start != nil || kept != nil }

    package func seek(to offset: Int) -> Bool {
        guard start != nil || offset == self.offset || kept.map({ offset <= $0.count }) == true else { return false }
        self.offset = offset
        return true
    }

    package func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        if let start {
            let position = start + off_t(offset)
            return advanced(by: retrying { pread(descriptor, buffer.baseAddress, buffer.count, position) })
        }
        if let kept, offset < kept.count {
            let count = min(buffer.count, kept.count - offset)
            buffer.copyBytes(from: kept[offset..<offset + count])
            return advanced(by: count)
        }
        let count = retrying { Glibc.read(descriptor, buffer.baseAddress, buffer.count) }
        if count > 0 { keep(buffer[..<count]) }
        return advanced(by: count)
    }

    private func advanced(by count: Int) -> Int {
        offset += max(0, count)
        return count
    }

    private func keep(_ bytes: Slice<UnsafeMutableRawBufferPointer>) {
        guard let count = kept?.count, count + bytes.count <= limit else {
            kept = nil
            return
        }
        kept?.append(contentsOf: bytes)
    }

    private func retrying(_ call: () -> Int) -> Int {
        while true {
            let count = call()
            if count >= 0 { return count }
            switch errno {
            case EINTR: break
            case EAGAIN:
                // The descriptor is non-blocking: it is shared with the program that started this one.
                var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
                _ = Glibc.poll(&poll, 1, -1)
            default: return count
            }
        }
    }
}
