internal import Glibc
internal import System
internal import Wire

/// The log of requests: a JSON object in a line for each.
final class RequestLog {
    private let descriptors: [FileDescriptor]
    private let path: String?
    private var hasFailed = false

    /// Opens the file, which is made with mode 0600. A pipe needs a reader.
    init(path: String?, isVerbose: Bool) throws(Failure) {
        self.path = path
        var descriptors = isVerbose ? [FileDescriptor.standardError] : []
        if let path {
            // Checked before, since opening a pipe may wake its reader, and after, since it may have been exchanged.
            if let status = try? FileStatus(ofLink: path) { try Self.check(status, at: path) }
            let flags = O_WRONLY | O_CREAT | O_APPEND | O_NONBLOCK | O_NOCTTY
            let file = try Failure.system("cannot write to \(path)", try FileDescriptor.open(path, flags, mode: 0o600))
            let status = try Failure.system("cannot write to \(path)", try FileStatus(file))
            if status.isFile { try Self.check(status, at: path) }
            descriptors.append(file)
        }
        self.descriptors = descriptors
    }

    private static func check(_ status: FileStatus, at path: String) throws(Failure) {
        guard status.isForeign(in: path.folderPrefix) else { return }
        let reason = "it belongs to another user, in a folder that other users can write to"
        throw Failure(.fileFailed, "cannot write to \(path): \(reason)")
    }

    var isWanted: Bool { !descriptors.isEmpty }

    /// Writes a line. If the file cannot be written, the server goes on, and says so once: a test must not take the log for
    /// complete.
    func write(_ entry: JSONObject) {
        let line = Array((JSON.object(entry).text + "\n").utf8)
        for descriptor in descriptors {
            do throws(Errno) {
                try descriptor.writeAll(line)
            } catch {
                guard let path, !hasFailed, descriptor.number != FileDescriptor.standardError.number else { continue }
                hasFailed = true
                Diagnostics.tell("warning: the log \(path) is not complete: \(error)")
            }
        }
    }
}
