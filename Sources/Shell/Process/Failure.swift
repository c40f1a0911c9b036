package import OAuth
package import Redaction
package import Wire

/// Why a command failed, for people, scripts and the next stage of the pipe.
package struct Failure: Error {
    package var exit: Exit
    package var kind: ErrorKind
    /// The server's error code: the `error` of the error document, instead of the kind.
    package var code: String?
    package var message: String
    package var hint: String?
    /// What a better hint depends on.
    package var cause: OAuthError.Cause?
    /// The server's own description.
    package var description: String?
    /// The server's `error_uri`.
    package var uri: String?
    package var httpStatus: Int?
    /// The seconds of `Retry-After`.
    package var retryAfter: Int?
    /// The error document of an earlier stage, which is passed on unchanged and without a message.
    package var earlier: JSONObject?
    /// The name that it says nothing is stored under.
    package var unknownName: String?
    /// What was done because of it, for people: a line of its own behind the message.
    package private(set) var consequence: String?
    /// Whether the message says what was being done.
    private var isWhole = false
    /// The line that the command prints in place of its result, with `--dry-run`: then it is no failure.
    package private(set) var shown: String?

    package init(
        _ exit: Exit, _ kind: ErrorKind, _ message: String, hint: String? = nil, cause: OAuthError.Cause? = nil
    ) {
        (self.exit, self.kind, self.message, self.hint, self.cause) = (exit, kind, message, hint, cause)
    }

    package static func usage(_ message: String, hint: String? = nil) -> Failure {
        Failure(.usage, .usage, message, hint: hint)
    }

    /// The end of a command that prints this line in place of its result.
    package static func shown(_ line: String) -> Failure { changing(Failure(.done, .usage, "")) { $0.shown = line } }

    package static func file(_ message: String, hint: String? = nil) -> Failure {
        Failure(.fileFailed, .store, message, hint: hint)
    }

    /// The seconds to wait, as they are shown; nil for a number of more than 10 digits, 300 years.
    package static func countable(_ seconds: Int) -> Int? { seconds < 10_000_000_000 ? seconds : nil }
}

extension Failure {
    /// The limit for text of a server in a message, in characters.
    package static let sayingLimit = 300

    /// The one of two failures with the higher status; the first of two with the same.
    package static func worse(_ first: Failure?, _ second: Failure) -> Failure {
        guard let first, first.exit.rawValue >= second.exit.rawValue else { return second }
        return first
    }

    /// The failure with other words for what to do.
    package func advising(_ hint: String?) -> Failure { changing(self) { $0.hint = hint } }

    /// The failure with more to do.
    package func adding(hint: String) -> Failure { advising(self.hint.map { "\($0); \(hint)" } ?? hint) }

    /// Whether a later run may do what this one did not: nothing was refused.
    package var leavesOpen: Bool { [.unavailable, .loginNeeded, .fileFailed].contains(exit) }

    /// The failure with what was done because of it.
    package func followed(by text: String) -> Failure { changing(self) { $0.consequence = text } }

    /// The failure as one that was told, with this error document.
    package func told(as document: JSONObject) -> Failure { changing(self) { $0.earlier = document } }

    /// The failure of a name that nothing is stored under.
    package func unknown(_ name: String) -> Failure { changing(self) { $0.unknownName = name } }

    /// The failure with another message, and without advice.
    package func saying(_ text: String) -> Failure { changing(self) { ($0.message, $0.hint) = (text, nil) } }

    package func suffixed(_ text: String) -> Failure { changing(self) { $0.message += text } }

    /// The failure with something before its message, if it has one.
    package func prefixed(_ text: String) -> Failure {
        message.isEmpty ? self : changing(self) { $0.message = text + message }
    }

    /// The failure with what was being done before its message, unless that says so.
    package func during(_ task: String?) -> Failure {
        guard !isWhole, let task else { return self }
        return prefixed("\(task): ").whole
    }

    /// The failure as one whose message says what was being done.
    package var whole: Failure { changing(self) { $0.isWhole = true } }

    /// The message, masked; one that may hold text of a server is cut after that.
    package func text(_ redactor: Redactor) -> String {
        guard !isOwn else { return redactor.redact(message, isOwn: hasOwnWords) }
        let text = redactor.redact(message, upTo: Failure.sayingLimit)
        // What a server says stands in brackets behind its error code.
        let count = { (byte: Unicode.Scalar) in text.utf8.count { $0 == UInt8(ascii: byte) } }
        return text.hasSuffix("…") && count("(") > count(")") ? text + ")" : text
    }

    /// Whether every word of the message is the program's own: that of a filter repeats its input.
    var hasOwnWords: Bool { isOwn && kind != .filter }

    /// Whether nothing in the message is what a server said.
    private var isOwn: Bool { code == nil && kind.origin != .server && kind.origin != .check }

    /// The error document of a stage (oap-documents(5)). Its `error` is the server's code, or the kind, by ``ErrorKind/name``.
    ///
    /// - Parameter redactor: masks secrets that a server repeats.
    package func document(stage: String, _ redactor: Redactor) -> JSONObject {
        func said(_ text: String) -> String { redactor.redact(text, upTo: Failure.sayingLimit) }
        var document: JSONObject = [
            "error": .string(code.map(said) ?? kind.name),
            "error_description": .string(description.map(said) ?? text(redactor)),
        ]
        document["error_uri"] = uri.map { .string(said($0)) }
        document["stage"] = .string(stage)
        document["exit_status"] = .integer(Int(exit.rawValue))
        document["http_status"] = httpStatus.map { .integer($0) }
        switch exit {
        case .unavailable: document["retryable"] = .bool(true)
        case .unknownOutcome: document["retryable"] = .bool(false)
        default: break
        }
        document["retry_after"] = retryAfter.map { .integer($0) }
        document["hint"] = hint.map { .string(redactor.redact($0)) }
        return document
    }
}

extension Failure {
    /// Recognises the error document of an earlier stage: `error` and `stage` are strings, `exit_status` is one of ours
    /// and not 0.
    package init?(earlier document: JSONObject) {
        guard let error = document["error"]?.string, document["stage"]?.string != nil,
            case .number(let text) = document["exit_status"], let code = Int32(text), let exit = Exit(rawValue: code),
            exit != .done
        else { return nil }
        self.init(exit, .oauth, "")
        self.code = error
        earlier = document
    }
}

/// The value of an expression of the protocol, its error turned into a failure.
package func asFailure<Value>(_ value: @autoclosure () throws(OAuthError) -> Value) throws(Failure) -> Value {
    do throws(OAuthError) { return try value() } catch { throw Failure(error) }
}
