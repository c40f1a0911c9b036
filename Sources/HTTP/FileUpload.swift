internal import Glibc
internal import System
package import Wire

/// The content of a request, read from a descriptor while it is sent. A regular file can be read again, by several
/// transfers at once too; the content of a pipe is buffered for that, up to a limit.
package final class FileUpload: ContentSource {
    package let name: String
    package private(set) var size: Int?
    private let descriptor: FileDescriptor
    /// The offset of a regular file at the start; nil for what cannot be read twice.
    private let start: Int?
    /// How many bytes of a pipe were read.
    private var taken = 0
    /// The buffered content of a pipe; nil after it exceeded the limit.
    private var kept: [UInt8]? = []
    private let limit: Int

    /// Sends the rest of a descriptor, from its current offset. It stays open; at most `limit` bytes of a pipe are buffered.
    package init(descriptor: Int32, name: String, keeping limit: Int = 16 << 20) {
        self.descriptor = FileDescriptor(descriptor)
        (self.limit, self.name) = (limit, name)
        let position = lseek(descriptor, 0, SEEK_CUR)
        let status = try? FileStatus(self.descriptor)
        start = position >= 0 ? position : nil
        size = status.flatMap { $0.isFile && position >= 0 ? max(0, $0.size - position) : nil }
    }

    package var isReplayable: Bool { start != nil || kept != nil }

    package func canRead(at offset: Int) -> Bool {
        start != nil || offset == taken || kept.map { offset <= $0.count } == true
    }

    /// Reads a pipe to its end, up to the limit: then its size is known before it is sent.
    package func fill() throws(ContentError) {
        guard start == nil, size == nil else { return }
        do throws(Errno) {
            // One byte more tells a pipe that is longer.
            while let count = kept?.count, count <= limit {
                let bytes = try descriptor.read(upTo: min(65_536, limit + 1 - count))
                guard !bytes.isEmpty else {
                    size = count
                    return
                }
                taken += bytes.count
                kept? += bytes
            }
        } catch {
            throw ContentError(reason: error.description)
        }
    }

    package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(ContentError) -> Int {
        do throws(Errno) {
            if let start { return try descriptor.read(into: buffer, at: start + offset) }
            if let kept, offset < kept.count {
                let count = min(buffer.count, kept.count - offset)
                buffer.copyBytes(from: kept[offset..<offset + count])
                return count
            }
            let count = try descriptor.read(into: buffer)
            taken += count
            keep(buffer[..<count])
            return count
        } catch {
            throw ContentError(reason: error.description)
        }
    }

    private func keep(_ bytes: Slice<UnsafeMutableRawBufferPointer>) {
        guard let count = kept?.count, count + bytes.count <= limit else {
            kept = nil
            return
        }
        kept?.append(contentsOf: bytes)
    }
}
