internal import CommandSpec

/// The exit statuses. The manual's section EXIT STATUS is printed from here.
enum Exit: Int32, Sendable, CaseIterable {
    case done = 0
    case falseOrNull = 1
    case usage = 2
    case badInput = 3
    case refused = 4
    case filterFailed = 5
    case unavailable = 6
    case apiRefused = 7
    case loginNeeded = 8
    case insecure = 9
    case badAnswer = 10
    case fileFailed = 11
    case unknownOutcome = 12
    case defect = 70
    case notExecutable = 126
    case noCommand = 127
    case hangup = 129
    case interrupted = 130
    case brokenPipe = 141
    case terminated = 143
}

extension Exit {
    /// The records that the manual prints.
    static let records = allCases.map { ExitStatus(Int($0.rawValue), $0.meaning, action: $0.action) }

    /// What the status means.
    var meaning: String {
        switch self {
        case .done: "done"
        case .falseOrNull: "`-e`: the last output was false or null, or there was none"
        case .usage: "usage: bad option, operand, filter or combination"
        case .badInput: "bad input: the document is not JSON, lacks a member, or breaks a rule"
        case .refused: "the authorization server said no (`invalid_client`, `access_denied`, `invalid_scope` …)"
        case .filterFailed: "the jq filter failed on the data"
        case .unavailable:
            """
            no answer, and nothing was carried out or repeating is safe: DNS, connect, TLS, timeout; 429; 408 and \
            5xx to a request that may be repeated
            """
        case .apiRefused: "the API answered 4xx to `call`"
        case .loginNeeded: "a person must log in: no token, nothing that renews it, or a refresh token that was refused"
        case .insecure:
            """
            a security check failed: state, issuer, nonce, signature, audience, certificate, plain http, token_type, \
            redirect, another origin
            """
        case .badAnswer: "the answer breaks the protocol: not JSON, no `access_token`, too large"
        case .fileFailed: "a file or the result could not be read or written"
        case .unknownOutcome:
            """
            sent, outcome unknown: the answer to `refresh`, to an `exchange` that spends something, or to a call that \
            may not be repeated was lost, or was 408 or 5xx
            """
        case .defect: "a defect in `oap`"
        case .notExecutable: "the command of `run` cannot be executed"
        case .noCommand: "the command of `run` is missing"
        case .hangup: "ended by SIGHUP"
        case .interrupted: "ended by SIGINT"
        case .brokenPipe: "standard output was closed (SIGPIPE)"
        case .terminated: "ended by SIGTERM"
        }
    }

    /// What to do about it, without a full stop; empty if nothing.
    var action: String {
        switch self {
        case .done: ""
        case .usage: "Fix the command line"
        case .badInput: "Fix the document"
        case .refused: "See `error` in the error document"
        case .filterFailed: "Fix the filter"
        case .unavailable: "Retry later (`retryable: true`)"
        case .apiRefused: "See the HTTP status"
        case .loginNeeded: "Run `oap login`"
        case .insecure: "Do not retry"
        case .badAnswer: "Report it to the server's operator"
        case .fileFailed: "Fix the file or its permissions"
        case .unknownOutcome: "Check before repeating"
        case .defect: "Report it"
        case .notExecutable, .noCommand: "Fix the command"
        case .falseOrNull, .hangup, .interrupted, .brokenPipe, .terminated: ""
        }
    }
}
