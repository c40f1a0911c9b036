internal import Glibc
internal import Shell
internal import System
internal import Wire

/// Writes a line for each request: what was done with a token, and nothing of it.
final class ProxyLog {
    private let descriptor: Int32
    private let diagnostics: Diagnostics
    private var hasFailed = false

    /// - Parameter path: nil for standard error.
    /// - Throws: exit 11.
    init(_ path: String?, _ diagnostics: Diagnostics) throws(Failure) {
        self.diagnostics = diagnostics
        guard let path else {
            descriptor = 2
            return
        }
        descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw .file("cannot write \(path): \(Errno.current)") }
    }

    deinit { if descriptor != 2 { close(descriptor) } }

    /// Writes a line for a request that has ended, if it was answered.
    func write(_ exchange: ProxyExchange, name: String) {
        guard let status = exchange.status else { return }
        let milliseconds = Int(MonotonicTime.now.milliseconds(since: exchange.start))
        write(
            name: name, method: exchange.head.method, exchange.head.url, status: status, bytes: exchange.receivedCount,
            milliseconds: milliseconds)
    }

    func write(
        name: String, method: String, _ url: WebURL, status: Int, bytes: Int = 0, milliseconds: Int = 0
    ) {
        let line: JSONObject = [
            "time": .string(Timestamp.text(Clock.now)), "name": .string(name), "method": .string(method),
            "origin": .string(url.origin), "path": .string(url.path), "status": .integer(status),
            "bytes": .integer(bytes), "ms": .integer(milliseconds),
        ]
        let bytes = JSON.object(line).bytes + [0x0A]
        guard Glibc.write(descriptor, bytes, bytes.count) != bytes.count, !hasFailed else { return }
        hasFailed = true
        diagnostics.tell("warning: the log of requests is not whole: \(Errno.current)")
    }
}
