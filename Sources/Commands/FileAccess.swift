internal import Glibc
internal import Wire

/// Reading and writing whole files by descriptor, with errors that name the file.
enum FileAccess {
    /// Reads a descriptor to its end.
    ///
    /// - Parameters:
    ///   - limit: the most bytes to take.
    ///   - name: what it is called in messages.
    /// - Returns: the bytes, or nil when there are more than the limit.
    static func readAll(_ descriptor: Int32, limit: Int, name: String) throws(Failure) -> [UInt8]? {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Glibc.read(descriptor, &chunk, chunk.count)
            if count < 0 {
                if errno == EINTR { continue }
                if errno == EAGAIN {
                    wait(for: POLLIN, at: descriptor)
                    continue
                }
                throw .file("cannot read \(name): \(reason())")
            }
            if count == 0 { return bytes }
            guard bytes.count + count <= limit else { return nil }
            bytes.append(contentsOf: chunk[..<count])
        }
    }

    /// Reads a file.
    ///
    /// - Throws: exit 11 when it cannot be read or is larger than the limit.
    static func read(path: String, limit: Int) throws(Failure) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .file("cannot open \(path): \(reason())") }
        defer { close(descriptor) }
        guard let bytes = try readAll(descriptor, limit: limit, name: path) else {
            throw .file("\(path) is larger than \(limit) bytes")
        }
        return bytes
    }

    /// Writes all bytes to a descriptor.
    ///
    /// - Returns: 0, or the `errno` of the write that failed.
    static func writeAll(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int32 {
        var rest = bytes
        while !rest.isEmpty {
            let count = write(descriptor, rest.baseAddress, rest.count)
            if count < 0 {
                if errno == EINTR { continue }
                if errno == EAGAIN {
                    wait(for: POLLOUT, at: descriptor)
                    continue
                }
                return errno
            }
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        }
        return 0
    }

    /// Waits until a descriptor that whoever started us has made non-blocking can be read or written.
    private static func wait(for event: Int32, at descriptor: Int32) {
        var poll = pollfd(fd: descriptor, events: Int16(event), revents: 0)
        _ = Glibc.poll(&poll, 1, -1)
    }

    /// What the last system call said.
    static func reason(_ code: Int32 = errno) -> String { String(cString: strerror(code)).lowercasedFirst }

    /// A path made absolute by the current directory, nothing else changed.
    static func absolute(_ path: String) throws(Failure) -> String {
        guard !path.isAbsolutePath else { return path }
        guard let pointer = getcwd(nil, 0) else { throw .file("the current directory is gone: \(reason())") }
        defer { free(pointer) }
        return "\(String(cString: pointer))/\(path)"
    }
}

extension String {
    /// The text with a small first letter, unless a capital follows it.
    fileprivate var lowercasedFirst: String {
        guard let first, !dropFirst().prefix(1).allSatisfy(\.isUppercase) else { return self }
        return first.lowercased() + dropFirst()
    }
}
