internal import Glibc

/// The clock of the system, which people set.
package enum Clock {
    /// Seconds since 1970 (time(2)).
    package static var now: Int { time(nil) }
}
