internal import Glibc

/// A moment on a clock that is never set (clock_gettime(2), `CLOCK_MONOTONIC`).
package struct MonotonicTime: Comparable {
    private var nanoseconds: Int64

    package static var now: MonotonicTime {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return MonotonicTime(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    package static func < (left: MonotonicTime, right: MonotonicTime) -> Bool { left.nanoseconds < right.nanoseconds }

    package static func + (moment: MonotonicTime, span: Duration) -> MonotonicTime {
        let (seconds, attoseconds) = span.components
        let century: Int64 = 100 * 366 * 86_400  // more would overflow
        return MonotonicTime(
            nanoseconds: moment.nanoseconds + min(seconds, century) * 1_000_000_000 + attoseconds / 1_000_000_000)
    }

    /// Milliseconds from another moment to this one, rounded up; not less than 0.
    package func milliseconds(since other: MonotonicTime) -> Int64 {
        max(0, (nanoseconds - other.nanoseconds + 999_999) / 1_000_000)
    }
}
