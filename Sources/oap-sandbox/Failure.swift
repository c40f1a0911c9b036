internal import System

/// Why the program ends before it has begun.
struct Failure: Error {
    let status: Status
    /// What happened: lower case, no full stop.
    let message: String
    let hint: String?

    init(_ status: Status, _ message: String, hint: String? = nil) {
        (self.status, self.message, self.hint) = (status, message, hint)
    }

    /// Runs a step of the system; what it throws becomes status 11.
    static func system<Value: ~Copyable>(
        _ problem: @autoclosure () -> String, _ step: @autoclosure () throws(Errno) -> Value
    ) throws(Failure) -> Value {
        do throws(Errno) {
            return try step()
        } catch {
            throw Failure(.fileFailed, "\(problem()): \(error)")
        }
    }
}

/// The exit statuses, which are those of `oap` (oap(1), EXIT STATUS).
enum Status: Int32, CaseIterable {
    case done = 0
    case usage = 2
    case unavailable = 6
    case faultUnused = 10
    case fileFailed = 11

    var meaning: String {
        switch self {
        case .done:
            "the reader of standard output has closed the pipe, or the command of `--run` has ended with 0"
        case .usage: "usage: an option or a value is wrong, or two options do not go together"
        case .unavailable: "the port is in use, or a required library is missing"
        case .faultUnused: "`--strict-faults`, and a fault has changed no response"
        case .fileFailed: "a file cannot be read, written or used, or the command of `--run` cannot be started"
        }
    }

    /// What to do about it, without a full stop; empty if nothing.
    var action: String {
        switch self {
        case .done: ""
        case .usage: "Fix the command line"
        case .unavailable: "Choose another port, or install the library"
        case .faultUnused: "Fix the fault, or the test that should meet it"
        case .fileFailed: "Fix the path or the file"
        }
    }
}
