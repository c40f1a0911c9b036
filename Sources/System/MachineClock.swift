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
