internal import Glibc

/// The clock of the system, which can be set.
package enum Clock {
    /// Seconds since 1970 (time(2)).
    package static var now: Int { time(nil) }

    /// Milliseconds since 1970 (clock_gettime(2)).
    package static var milliseconds: Int {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return time.tv_sec * 1000 + time.tv_nsec / 1_000_000
    }
}

/// A moment on both clocks.
package struct Moment {
    /// For pauses.
    package let time: MonotonicTime
    /// Seconds since 1970, for what servers say.
    package let seconds: Int

    package init(time: MonotonicTime, seconds: Int) { (self.time, self.seconds) = (time, seconds) }

    package static var now: Moment { Moment(time: .now, seconds: Clock.now) }
}

/// The time by which the clocks of one run are ahead, since its pauses are not waited for: that of a test.
package final class SkippedTime {
    package private(set) var milliseconds = 0

    package init() {}

    /// Goes on to a moment of the run's clock.
    package func skip(to end: MonotonicTime, from now: MonotonicTime) {
        milliseconds += Int(end.milliseconds(since: now))
    }
}

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
