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
        case .falseOrNull: "with `-e`: the last output of the filter was false or null, or there was none"
        case .usage: "wrong usage: an option, an operand, a filter, or a combination of options"
        case .badInput: "wrong input: the document is not JSON, lacks a member, or breaks a rule"
        case .refused:
            """
            the authorization server refused the request (`invalid_client`, `access_denied`, `invalid_scope` …)
            """
        case .filterFailed: "the jq filter failed on the data"
        case .unavailable:
            """
            no usable response, and the request was not carried out or can safely be repeated: a failure of DNS, \
            connection or TLS, a timeout, status 429, or status 408 or 5xx for a request that may be repeated
            """
        case .apiRefused: "the API answered 4xx to `call`"
        case .loginNeeded:
            """
            a user must log in: there is no token, it cannot be renewed, or the server refused the refresh token
            """
        case .insecure:
            """
            a security check failed: state, issuer, nonce, signature, audience, certificate, plain http, token_type, \
            redirect, another origin
            """
        case .badAnswer: "the response breaks the protocol: it is not JSON, has no `access_token`, or is too large"
        case .fileFailed: "a file or the result could not be read or written"
        case .unknownOutcome:
            """
            the request was sent, but its outcome is unknown: the response was lost, or had status 408 or 5xx. This \
            concerns `refresh`, `exchange` with a code, and calls that may not be repeated
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
