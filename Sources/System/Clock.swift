internal import Glibc

/// The clock of the system, which can be set.
package enum Clock {
    /// Seconds since 1970 (time(2)).
    package static var now: Int { time(nil) }
}
