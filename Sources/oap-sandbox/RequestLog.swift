internal import Glibc
internal import System
internal import Wire

/// The log of requests: a JSON object in a line for each.
final class RequestLog {
    private let descriptors: [FileDescriptor]

    /// Opens the file, which is made with mode 0600.
    ///
    /// - Throws: with status 11.
    init(path: String?, isVerbose: Bool) throws(Failure) {
        var descriptors = isVerbose ? [FileDescriptor.standardError] : []
        if let path {
            let flags = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC
            descriptors.append(
                try Failure.system("cannot write to \(path)", try FileDescriptor.open(path, flags, mode: 0o600)))
        }
        self.descriptors = descriptors
    }

    /// Whether anybody reads it.
    var isWanted: Bool { !descriptors.isEmpty }

    /// Writes a line; the server goes on if it cannot be written.
    func write(_ entry: JSONObject) {
        let line = Array((JSON.object(entry).text + "\n").utf8)
        for descriptor in descriptors { try? descriptor.writeAll(line) }
    }
}
