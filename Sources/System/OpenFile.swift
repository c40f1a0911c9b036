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

    /// Its status (fstat(2)).
    package var status: FileStatus { get throws(Errno) { try FileStatus(descriptor) } }

    /// The lines of a file in `/proc`; none if it cannot be read.
    package static func lines(of path: String) -> [String] {
        let bytes = (try? OpenFile(path).readAll()) ?? []
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }
}
