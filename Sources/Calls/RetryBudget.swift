internal import System

/// How often one request was sent again, and since when.
struct RetryBudget {
    fileprivate(set) var count = 0
    fileprivate var start: MonotonicTime?
    fileprivate var secondaryLimits = 0

    /// Starts the time of all attempts, once.
    mutating func begin(at now: MonotonicTime) { start = start ?? now }

    mutating func restart(at now: MonotonicTime) { start = now }
}

/// How often one request is sent again because its server wants another nonce in the proof (RFC 9449 §8, §9).
package struct NonceBudget {
    /// The most attempts: one, since a server that wants another nonce each time is not asked for ever. More are for one
    /// that another request may have used up, or that may have ended in a pause.
    package var limit = 1
    private(set) var count = 0

    package init() {}

    /// Takes an attempt, if one is left.
    package mutating func take() -> Bool {
        guard count < limit else { return false }
        count += 1
        return true
    }
}

struct Retries {
    let policy: RetryPolicy
    var random: any RandomNumberGenerator
    /// A pause of this many seconds, 30 years, is never made.
    private static let forever = 1e9

    /// Takes a retry, if one is left and its pause ends in time.
    ///
    /// - Parameters:
    ///   - wanted: the seconds that the server asks to wait, in `Retry-After` or by its limits.
    ///   - isSecondary: whether the response is a limit of which the server gives no time.
    ///   - isSilent: whether there was no response.
    mutating func pause(
        _ budget: inout RetryBudget, wanted: Int?, isSecondary: Bool, isSilent: Bool = false, at now: MonotonicTime
    ) -> (seconds: Double, end: MonotonicTime)? {
        guard budget.count < policy.limit else { return nil }
        var seconds = policy.delay ?? fraction() * policy.longestPause(before: budget.count)
        if isSecondary, policy.delay == nil {
            seconds = RetryPolicy.secondaryPause * Double(1 << min(budget.secondaryLimits, 16))
            budget.secondaryLimits += 1
        }
        if let wanted { seconds = max(seconds, Double(wanted)) }
        let passed = budget.start.map { Double(now.milliseconds(since: $0)) / 1000 } ?? 0
        let most = isSilent ? min(policy.silence, policy.maximumTime) : policy.maximumTime
        guard passed + seconds <= most, seconds < Self.forever else { return nil }
        budget.count += 1
        return (seconds, now + .milliseconds(Int64((seconds * 1000).rounded(.up))))
    }

    /// A random number from 0 to 1, both included.
    private mutating func fraction() -> Double { Double(random.next() >> 11) / Double((1 << 53) - 1) }
}
