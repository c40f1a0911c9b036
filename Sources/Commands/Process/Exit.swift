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

    var meaning: String {
        switch self {
        case .done: "done"
        case .falseOrNull: "with `-e`: the last output of the jq filter was false or null, or the filter had no output"
        case .usage: "wrong usage: an option, an operand or a filter is invalid, or options exclude each other"
        case .badInput: "wrong input: the document is not JSON, lacks a member, or has an invalid member"
        case .refused:
            """
            the authorization server refused the request (`invalid_client`, `access_denied`, `invalid_scope` …)
            """
        case .filterFailed: "the jq filter failed on the data"
        case .unavailable:
            """
            no usable response, and the request can safely be repeated. The reason is a failure of DNS, connection or \
            TLS, a timeout, a status of 408, 429 or 5xx, or the error `server_error` or `temporarily_unavailable`
            """
        case .apiRefused: "the API answered `oap call` with a status of 4xx"
        case .loginNeeded:
            """
            a user must log in: there is no token, `oap` cannot renew the token, or the server refused to renew the \
            token
            """
        case .insecure:
            """
            a security check failed: the `state`, issuer, `nonce`, signature, audience, certificate, `token_type` or \
            redirect is not as expected. The exit status is also 9 if a request would go to a plain http URL that is \
            not on loopback. The exit status is also 9 if the token would go to an origin that the document does not \
            allow
            """
        case .badAnswer: "the response breaks the protocol: it is not JSON, has no `access_token`, or is too large"
        case .fileFailed: "a file could not be read or written, or the result could not be written"
        case .unknownOutcome:
            """
            the request was sent, but its outcome is unknown: the response was lost, or had status 408 or 5xx. Only a \
            request that `oap` must not repeat ends with this status: for example a request of `oap refresh`, of `oap \
            exchange` with a code, or of `oap call` with POST
            """
        case .defect: "a defect in `oap`"
        case .notExecutable: "`oap run` found the program that it should start, but cannot execute it"
        case .noCommand: "`oap run` did not find the program that it should start"
        case .hangup: "ended by SIGHUP"
        case .interrupted: "ended by SIGINT"
        case .brokenPipe: "the reader of standard output closed the pipe (SIGPIPE)"
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
        case .unavailable: "Retry later. The error document has `retryable: true`"
        case .apiRefused: "See the HTTP status in the message"
        case .loginNeeded: "Run `oap login`"
        case .insecure: "Do not retry"
        case .badAnswer: "Report the response to the server's operator"
        case .fileFailed: "Fix the file or its permissions"
        case .unknownOutcome: "Before repeating the command, check at the server what happened"
        case .defect: "Report it"
        case .notExecutable, .noCommand: "Fix the command line"
        case .falseOrNull, .hangup, .interrupted, .brokenPipe, .terminated: ""
        }
    }
}
