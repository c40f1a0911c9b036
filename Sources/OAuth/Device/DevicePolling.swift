internal import Wire

/// Decides when to poll again and when to give up (RFC 8628 §3.5). Has no clock: callers pass the time.
package struct DevicePolling: Sendable {
    package private(set) var interval: Int
    /// Whether the server may have answered the last poll with a token that did not arrive.
    private(set) var hasLostAnswer = false
    /// Whether a poll has had a response, other than one that says that the server is broken for now.
    package private(set) var hasAnswer = false
    /// The responses of a server that is busy or broken, one after the other.
    private var failures = 0
    /// Whether the server was busy or broken at the last poll.
    package var hasFailed: Bool { failures > 0 }
    package let warnings: [OAuthWarning]
    private let expiresAt: Int
    /// What ends with that time, for messages.
    package let subject: String
    private var pause: Int

    /// Begins to poll as the flow document says: every `interval` seconds until `expires_at`. A document that has the
    /// `expires_in` of the answer instead ends that much later than now.
    ///
    /// - Parameter now: seconds since 1970.
    /// - Throws: `metadata_missing` without an end, `usage` for one that is no number.
    package init(of document: Document, now: Int) throws(OAuthError) {
        var warnings: [OAuthWarning] = []
        interval = Self.interval(document.members["interval"], &warnings)
        pause = interval
        expiresAt = try Self.end(of: document, now: now)
        subject = document.members["auth_req_id"] == nil ? "the device code" : "the time for the login"
        self.warnings = warnings
    }

    /// The seconds to wait before the next poll, the first one too.
    ///
    /// - Throws: `device_expired` where the code will have ended by then.
    package func wait(now: Int) throws(OAuthError) -> Int {
        try checkEnd(now: now)
        guard now + pause < expiresAt else {
            throw Self.expired("\(subject) expires before oap may poll the server again")
        }
        return pause
    }

    /// Checks after the wait, through which the machine may have slept, that the code has not ended.
    ///
    /// - Throws: `device_expired`.
    package func checkEnd(now: Int) throws(OAuthError) {
        guard now < expiresAt else { throw Self.expired("\(subject) has expired") }
    }

    /// Records that no response came: the interval is doubled (RFC 8628 §3.5).
    ///
    /// - Parameter wasSent: whether the poll may have reached the server.
    package mutating func loseAnswer(wasSent: Bool) {
        hasLostAnswer = hasLostAnswer || wasSent
        interval = Self.bounded(interval * 2)
        pause = interval
    }

    /// Records a response without a token. Whether the user has decided, its content says; but after a status of a server
    /// that is busy or broken nothing ends, whatever the content is, and the pauses grow.
    ///
    /// - Parameter now: seconds since 1970.
    /// - Throws: the error to end with; `device_expired` for a code that is over.
    package mutating func goOn(after error: OAuthError, now: Int) throws(OAuthError) {
        let wait: Int
        let code = error.code?.asciiLowercased
        switch (error.kind, code) {
        case (.oauth, "authorization_pending"), (.oauth, "slow_down"):
            (hasLostAnswer, hasAnswer, failures) = (false, true, 0)
            if code == "slow_down" { interval = Self.bounded(max(interval + 5, error.interval ?? 0)) }
            wait = interval
        case (.oauth, _) where error.isTemporary, (.httpStatus, _) where error.isTransient:
            (hasLostAnswer, hasAnswer) = (hasLostAnswer || error.leavesOutcomeOpen, hasAnswer || error.isUntouched)
            wait = max(interval, min(interval << min(failures, 16), Self.longestPause))
            failures += 1
        default:
            throw end(after: error, isOver: now >= expiresAt)
        }
        pause = Self.bounded(max(wait, error.retryAfter ?? 0))
    }
}

extension DevicePolling {
    /// The seconds between two polls that a server names: 5 where it names none (RFC 8628 §3.2), and at least one.
    static func interval(_ value: JSON?, _ warnings: inout [OAuthWarning]) -> Int {
        guard let value, !value.isNull else { return 5 }
        guard let seconds = value.secondsRoundedUp, seconds >= 0 else {
            warnings.append(.intervalInvalid)
            return 5
        }
        return bounded(max(seconds, 1))
    }

    private static func end(of document: Document, now: Int) throws(OAuthError) -> Int {
        for (name, begin) in [("expires_at", 0), ("expires_in", now)] {
            guard let value = document.members[name], !value.isNull else { continue }
            guard let seconds = value.seconds else {
                throw document.wrongType(name, expected: "a number of seconds", found: value)
            }
            return begin + seconds
        }
        throw document.missing("expires_at")
    }

    /// The seconds of a code for which the server names none, though RFC 8628 §3.2 wants it to.
    package static let usualLifetime = 600

    /// The longest pause that no server asks for: who has approved the login waits for it.
    private static let longestPause = 60

    /// Far beyond the lifetime of any code, and far from the end of all numbers.
    private static func bounded(_ seconds: Int) -> Int { min(seconds, Int(Int32.max)) }

    private func end(after error: OAuthError, isOver: Bool) -> OAuthError {
        guard error.code == "expired_token" || error.code == "invalid_grant" && isOver else {
            guard hasLostAnswer, error.code == "invalid_grant" else { return error }
            var lost = error
            lost.kind = .outcomeUnknown
            lost.hint = "an earlier response, perhaps with the token, was lost: begin the login again to get a new code"
            return lost
        }
        var expired = Self.expired("\(subject) has expired")
        (expired.codeDescription, expired.codeURI) = (error.codeDescription, error.codeURI)
        expired.status = error.status
        return expired
    }

    /// An expired code is `expired_token`, whether the server or the clock says so (RFC 8628 §3.5).
    private static func expired(_ message: String) -> OAuthError {
        OAuthError(
            .deviceExpired, message, hint: "begin the login again to get a new code", code: "expired_token")
    }
}
