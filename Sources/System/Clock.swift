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

    /// A time in seconds since 1970 as RFC 3339 has it, in UTC: `2026-01-31T12:00:00Z`.
    package static func timestamp(_ seconds: Int) -> String {
        var (time, parts) = (time_t(min(max(seconds, 0), 253_402_300_799)), tm())
        gmtime_r(&time, &parts)
        func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let date = "\(parts.tm_year + 1900)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday))"
        return "\(date)T\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec))Z"
    }
}
