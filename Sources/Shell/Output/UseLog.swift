internal import Glibc
internal import Redaction
package import System
package import Wire

/// One use of a token, as the log has it.
package struct TokenUse {
    /// A request with a token, and what came of it.
    package struct Request {
        let method: String
        let url: String
        let start: MonotonicTime
        /// The status of the answer; nil where none came.
        package var status: Int?
        /// The bytes of the answer's content.
        package var bytes = 0

        /// - Parameter start: when it is sent first.
        package init(_ message: HTTPRequest, at start: MonotonicTime) {
            (method, url, self.start) = (message.method, message.url, start)
        }
    }

    /// The name of the stored token; nil where there is none.
    let name: String?
    /// Nil where the token was given to another program.
    let request: Request?

    package init(name: String?, request: Request? = nil) { (self.name, self.request) = (name, request) }
}

/// A line of JSON for each use of a token (oap-security(7), AUDIT LOG), in the file of `OAP_LOG` and at one place more.
///
/// A file is opened for each line, so that another program can move it. A line that cannot be written costs a warning, once,
/// and neither the use nor the exit status.
package final class UseLog {
    package enum Place: Equatable, Sendable {
        case file(String)
        case standardError
    }

    private let extra: Place?
    private let environment: Environment
    private let world: World
    private let diagnostics: Diagnostics
    /// The names of the tokens that were renewed, and of which no line was written since.
    private var renewed: Set<String?> = []
    private var hasFailed = false

    private static let variable = "OAP_LOG"
    /// The most bytes of a path.
    private static let longestPath = 2048

    /// The log that the variable and the caller name; nil for none. Nothing is opened.
    package init?(_ environment: Environment, _ world: World, _ diagnostics: Diagnostics, to extra: Place? = nil) {
        guard environment.isSet(Self.variable) || extra != nil else { return nil }
        self.extra = extra
        (self.environment, self.world, self.diagnostics) = (environment, world, diagnostics)
    }

    /// Has the next line of the token say that it was renewed.
    package func noteRenewal(of name: String?) { renewed.insert(name) }

    /// Writes a line for each renewal that none says: the command has used the token for nothing else, or failed before.
    package func end() { for name in renewed { write(TokenUse(name: name)) } }

    package func write(_ use: TokenUse) {
        var line: JSONObject = [
            "time": .string(Timestamp.text(milliseconds: world.milliseconds)),
            "command": .string(diagnostics.command ?? "oap"), "name": use.name.map { .string(shown($0)) } ?? .null,
        ]
        if let request = use.request {
            line["method"] = .string(request.method)
            if let url = WebURL(request.url) {
                line["origin"] = .string(diagnostics.redactor.redact(url.origin))
                line["path"] = .string(diagnostics.redactor.redact(url.path, upTo: Self.longestPath))
            }
            line["status"] = request.status.map { .integer($0) } ?? .null
            line["bytes"] = .integer(request.bytes)
            line["ms"] = .integer(Int(world.moment.milliseconds(since: request.start)))
        }
        line["renewed"] = .bool(renewed.remove(use.name) != nil)
        let bytes = JSON.object(line).bytes + [0x0A]
        if environment.isSet(Self.variable) {
            let path = try? environment.value(Self.variable)
            tell(path.map { append(bytes, to: $0) } ?? "the variable holds no path", of: Self.variable)
        }
        switch extra {
        case .file(let path)?: tell(append(bytes, to: path), of: "--log")
        case .standardError?: _ = try? FileDescriptor.standardError.writeAll(bytes)
        case nil: break
        }
    }

    private func tell(_ problem: String?, of name: String) {
        guard let problem, !hasFailed else { return }
        hasFailed = true
        diagnostics.tell("warning: the file of \(name) is not written: \(problem)")
    }

    /// Checks, before anything is logged, that the file of the caller can be written.
    ///
    /// - Throws: exit 11.
    package func check() throws(Failure) {
        guard case .file(let path)? = extra, let problem = append([], to: path) else { return }
        throw .file("cannot write \(path): \(problem)")
    }

    /// The name, of which there is only a beginning where it may be a secret that is no name.
    private func shown(_ name: String) -> String {
        SecretShape.isToken(name)
            ? "\(name.prefix(SecretShape.shown))\(Redactor.mask)" : diagnostics.redactor.redact(name)
    }

    /// Adds a line at the end of the file, by one call of the system: then no other process writes within it.
    ///
    /// - Returns: what keeps it from being written; nil for a line that is.
    private func append(_ line: [UInt8], to path: String) -> String? {
        // Not blocking: a pipe might wait for its reader.
        let flags = O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NOCTTY | O_NONBLOCK
        do throws(Errno) {
            let file = try OpenFile(path, flags, mode: 0o600)
            let status = try file.status
            guard status.isOwnOrRoots else { return "it belongs to another user" }
            guard !status.isPipe else { return "it is a pipe" }
            let count = try line.span.bytes.withUnsafeBytes { (bytes) throws(Errno) in
                try file.descriptor.write(bytes)
            }
            return count < line.count ? "\(Errno(ENOSPC))" : nil
        } catch {
            return error == .tooManyLinks ? "it is a link" : "\(error)"
        }
    }
}
