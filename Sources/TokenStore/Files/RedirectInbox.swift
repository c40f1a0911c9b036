internal import Glibc
internal import System

/// Where the handler of a URL scheme leaves the redirect for the process that waits for it: a pipe with a name (fifo(7))
/// in the folder of the remembered flows. The wait ends with the process.
package struct RedirectInbox: ~Copyable {
    package let path: String
    private let file: OpenFile
    private var received: [UInt8] = []

    /// The key is as for ``FlowStore``.
    package init(folder: String, key: String) throws(StoreError) {
        try PrivateFile.prepareFolder(folder)
        let path = Self.path(folder, key)
        guard Self.isAbandoned(path) else {
            throw .system(path: path, reason: "another process waits for the redirect of this flow")
        }
        unlink(path)
        guard mkfifo(path, 0o600) == 0 else { throw .system(path: path, reason: Errno.current.description) }
        // Open for writing too: the end of a handler is then no end of the pipe.
        let file = try StoreError.at(path, try OpenFile(path, O_RDWR | O_NONBLOCK | O_NOFOLLOW))
        self.path = path
        self.file = file
    }

    deinit {
        // Another process may wait by now.
        guard let own = try? file.status, let there = try? FileStatus(ofLink: path), own.isSame(as: there) else {
            return
        }
        unlink(path)
    }

    /// The descriptor, readable when something has come.
    package var descriptor: Int32 { file.descriptor.number }

    /// Returns the texts that are complete.
    package mutating func read() -> [String] {
        received += (try? file.descriptor.read(upTo: Self.limit)) ?? []
        var lines = received.split(separator: 0x0A, omittingEmptySubsequences: false)
        received = Array(lines.removeLast())
        if received.count > Self.limit { received = [] }
        return lines.compactMap { String(validating: $0, as: UTF8.self) }
    }

    /// Leaves a redirect.
    ///
    /// - Returns: whether a process waits for it.
    /// - Throws: `system`, `unsafe`.
    package static func leave(_ redirect: String, folder: String, key: String) throws(StoreError) -> Bool {
        let (path, text) = (path(folder, key), Array(redirect.utf8))
        guard try PrivateFile.checkFolder(folder) else { return false }
        guard let file = try opened(path) else { return false }
        guard let status = try? file.status, status.isPipe, status.isOwn, text.count < limit, !text.contains(0x0A)
        else { throw .unsafe(path: path, .unfitPipe(limit: limit)) }
        // A write of this size is whole or fails (pipe(7)).
        let line = text + [0x0A]
        guard write(file.descriptor.number, line, line.count) == line.count else {
            throw .system(
                path: path, reason: "the process that waits for the redirect does not read it: \(Errno.current)")
        }
        return true
    }

    /// Whether the process behind a path has ended; its file stays after a kill.
    static func isAbandoned(_ path: String) -> Bool {
        guard let file = try? opened(path) else { return true }
        _ = consume file
        return false
    }

    /// Opens a pipe to write to; nil without the pipe or without a reader.
    private static func opened(_ path: String) throws(StoreError) -> OpenFile? {
        do throws(Errno) {
            return try OpenFile(path, O_WRONLY | O_NONBLOCK | O_NOFOLLOW)
        } catch {
            guard error == .noSuchFile || error == .noReader else {
                throw .system(path: path, reason: error.description)
            }
            return nil
        }
    }

    static let suffix = ".inbox"
    /// What is written at once, in bytes: `PIPE_BUF` (pipe(7)).
    private static let limit = 4096

    private static func path(_ folder: String, _ key: String) -> String { "\(folder)/\(key)\(suffix)" }
}
