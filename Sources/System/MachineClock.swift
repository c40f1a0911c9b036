internal import Glibc

/// The clocks of this machine that are never set; tests have others.
package struct MachineClock: Sendable {
    /// ``BootTime/now``, in milliseconds.
    package let boot: @Sendable () -> Int
    /// ``BootTime/start``.
    package let start: @Sendable () -> String?
    package let now: @Sendable () -> MonotonicTime

    package init(
        boot: @escaping @Sendable () -> Int, start: @escaping @Sendable () -> String?,
        now: @escaping @Sendable () -> MonotonicTime
    ) {
        (self.boot, self.start, self.now) = (boot, start, now)
    }

    package static let own = MachineClock(boot: { BootTime.now }, start: { BootTime.start }, now: { .now })
}

/// The time since the machine was started, suspended time included (clock_gettime(2), `CLOCK_BOOTTIME`): what processes of
/// one machine can compare, whatever its clock says.
package enum BootTime {
    /// Milliseconds.
    package static var now: Int {
        var time = timespec()
        clock_gettime(CLOCK_BOOTTIME, &time)
        return time.tv_sec * 1000 + time.tv_nsec / 1_000_000
    }

    /// What tells one start of the machine from another (random(4)); nil where the system does not say.
    package static var start: String? { OpenFile.lines(of: "/proc/sys/kernel/random/boot_id").first }
}
