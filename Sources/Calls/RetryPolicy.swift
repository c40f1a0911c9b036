package import Errands
package import Wire

/// Which failures may pass, and how long to wait before the next attempt (oap-call(1), RETRIES). The numbers are those
/// of curl and of Alamofire's RetryPolicy, with full jitter.
package struct RetryPolicy: Sendable {
    package var limit: Int
    /// When requests that are not idempotent are sent again too.
    package var repetition: Repetition
    /// The seconds between attempts; nil for a growing random pause.
    package var delay: Double?
    /// The seconds that all attempts of a request may take, pauses included.
    package var maximumTime: Double
    /// The seconds after which a request that had no answer is not sent again.
    package var silence = Double.infinity

    package init(limit: Int = 5, maximumTime: Double = 300, repetition: Repetition = .unsent) {
        (self.limit, self.maximumTime, self.repetition) = (limit, maximumTime, repetition)
    }

    /// For a request on which a person waits: no pause ends later than 10 seconds after the first attempt.
    package static let brief = RetryPolicy(limit: 2, maximumTime: 10, repetition: .always)
    /// For a caller that can go on without the answer: only what was not sent is sent again.
    package static let hasty = RetryPolicy(limit: 2, maximumTime: 10, repetition: .unsent)
    package static let none = RetryPolicy(limit: 0, maximumTime: 0, repetition: .unsent)
    /// For a request on which no person waits: as often as for one to an API.
    package static let lasting = RetryPolicy(limit: 5, maximumTime: 300, repetition: .always)

    /// The longest pause that is not asked for, in seconds.
    static let longestPause = 30.0
    /// The first pause after a limit of which the server gives no time, in seconds; each later one is twice as long.
    static let secondaryPause = 60.0

    /// Whether the content of a 403 or 429 says that it is a limit: GitHub's secondary rate limits have no field for it.
    static func isSecondaryLimit(_ content: [UInt8]) -> Bool {
        let text = String(decoding: content.prefix(4096), as: UTF8.self).asciiLowercased
        return text.contains("secondary rate limit") || text.contains("abuse detection mechanism")
    }

    /// The longest pause before a retry, in seconds.
    func longestPause(before count: Int) -> Double {
        delay ?? min(Self.longestPause, 0.5 * Double(1 << min(count, 16)))
    }
}

package struct Retry {
    package enum Cause {
        case response(HTTPResponseHead)
        case failure(HTTPError)
    }

    package let cause: Cause
    /// The pause before it, in seconds.
    package let seconds: Double
    /// The number of this retry, from 1.
    package let number: Int
    package let limit: Int
}
