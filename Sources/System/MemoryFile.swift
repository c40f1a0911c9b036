internal import CProcess
internal import Glibc

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
