package import System

/// Reads a file that an option or a member names; failures contain its name.
package enum InputFile {
    /// The most bytes of a short text, such as a URL or header fields.
    package static let textLimit = 1 << 20

    package static func open(_ path: String) throws(Failure) -> FileDescriptor {
        try Failure.system("cannot open \(path)", try FileDescriptor.open(path))
    }

    /// The limit is in bytes; exit 11 for a file that is larger.
    package static func read(_ path: String, limit: Int) throws(Failure) -> [UInt8] {
        let descriptor = try open(path)
        defer { descriptor.close() }
        return try read(descriptor, limit: limit, name: path)
    }

    /// Reads all bytes of an open file. The name is for messages.
    package static func read(_ descriptor: FileDescriptor, limit: Int, name: String) throws(Failure) -> [UInt8] {
        let size = (try? FileStatus(descriptor))?.size ?? 0
        guard size <= limit, let bytes = try readAll(descriptor, limit: limit, name: name) else {
            throw .file("\(name) is larger than \(limit) bytes")
        }
        return bytes
    }

    /// The bytes; nil if there are more than the limit.
    package static func readAll(_ descriptor: FileDescriptor, limit: Int, name: String) throws(Failure) -> [UInt8]? {
        try Failure.system("cannot read \(name)", try descriptor.readAll(limit: limit))
    }

    /// The absolute path; otherwise unchanged.
    ///
    /// - Throws: exit 11 if the current directory is gone.
    package static func absolute(_ path: String) throws(Failure) -> String {
        if path.isAbsolutePath { return path }
        return "\(try Failure.system("the current directory is gone", try Folder.current))/\(path)"
    }
}
