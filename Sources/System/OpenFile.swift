internal import CProcess
internal import Glibc

/// A file that is open for as long as the value lives.
package struct OpenFile: ~Copyable {
    /// The descriptor. It is closed with the value, which must be held in a variable as long as it is used.
    package let descriptor: FileDescriptor

    /// Opens a file; see ``FileDescriptor/open(_:_:mode:)``.
    package init(_ path: String, _ flags: Int32 = O_RDONLY, mode: UInt32 = 0) throws(Errno) {
        descriptor = try FileDescriptor.open(path, flags, mode: mode)
    }

    deinit { descriptor.close() }

    package func readAll(limit: Int = .max) throws(Errno) -> [UInt8]? { try descriptor.readAll(limit: limit) }

    package func writeAll(_ bytes: [UInt8]) throws(Errno) { try descriptor.writeAll(bytes) }

    /// The status of the file (fstat(2)).
    package var status: FileStatus { get throws(Errno) { try FileStatus(descriptor) } }

    /// The lines of a file in `/proc`; none if it cannot be read.
    package static func lines(of path: String) -> [String] {
        let bytes = (try? OpenFile(path).readAll()) ?? []
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }
}

/// A file in the memory of this process, for a library that takes paths: no other process sees it, and nothing of it is left
/// (memfd_create(2)).
package final class MemoryFile {
    private let descriptor: FileDescriptor

    package init(_ bytes: [UInt8]) throws(Errno) {
        let number = oap_memory_file("oap")
        guard number >= 0 else { throw .current }
        descriptor = FileDescriptor(number)
        do throws(Errno) {
            try descriptor.writeAll(bytes)
        } catch {
            descriptor.close()
            throw error
        }
    }

    deinit { descriptor.close() }

    /// Good in this process, as long as this object lives.
    package var path: String { "/proc/self/fd/\(descriptor.number)" }
}
