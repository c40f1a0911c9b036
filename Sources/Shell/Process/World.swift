internal import JOSE
package import System
internal import TokenStore

/// What decides about tokens sees of the machine: its clocks, random bytes, and the signals that wait or that the process
/// ends by. The program has one, which the session hands on; a test has its own, in which a clock jumps.
package struct World {
    /// The time that can be set, in milliseconds since 1970.
    private let time: () -> Int
    /// The time that never is.
    private let clock: () -> MonotonicTime
    /// Makes this many random bytes; exit 11 where the system has none.
    package let random: (Int) throws(Failure) -> [UInt8]
    /// Whether a signal waits by which the process ends: nothing else is begun then.
    package let isEnding: () -> Bool
    /// Begins or ends to hold signals back.
    fileprivate let holdSignals: (Signals.Hold, _ holds: Bool) -> Void
    /// Ends the process by a signal that waits for nothing any more.
    fileprivate let deliverSignals: () -> Void
    /// Gives what says what a wait of more than two seconds waits for.
    package let hearWaits: (@escaping (String) -> Void) -> Void
    /// How far its clocks are ahead; nil where pauses are waited for.
    package let skipped: SkippedTime?

    package init(
        time: @escaping () -> Int, clock: @escaping () -> MonotonicTime,
        random: @escaping (Int) throws(Failure) -> [UInt8], isEnding: @escaping () -> Bool,
        hold: @escaping (Signals.Hold, _ holds: Bool) -> Void, deliver: @escaping () -> Void,
        hearWaits: @escaping (@escaping (String) -> Void) -> Void = { _ in }, skipping skipped: SkippedTime? = nil
    ) {
        (self.time, self.clock, self.random) = (time, clock, random)
        (self.isEnding, holdSignals, deliverSignals, self.hearWaits) = (isEnding, hold, deliver, hearWaits)
        self.skipped = skipped
    }

    /// The world of this process.
    package static var own: World {
        World(
            time: { Clock.milliseconds }, clock: { .now },
            random: { (count) throws(Failure) in try Failure.jose(try SecureRandom.bytes(count)) },
            isEnding: { Signals.isPending },
            hold: { what, holds in holds ? Signals.hold(what) : Signals.release(what) },
            deliver: { Signals.deliver() }, hearWaits: { LockPause.tell = $0 })
    }

    /// Milliseconds since 1970.
    package var milliseconds: Int { time() }

    /// Seconds since 1970.
    package var seconds: Int { time() / 1000 }

    /// The moment for pauses and limits.
    package var moment: MonotonicTime { clock() }

    /// The moment, on both clocks.
    package var now: Moment { Moment(time: moment, seconds: seconds) }

    /// The moment after a span.
    package func after(_ span: Duration) -> MonotonicTime { clock() + span }

    /// A hold of signals that has not begun.
    package func hold(_ what: Signals.Hold = .renewal) -> SignalHold { SignalHold(what, in: self) }
}

/// Holds signals back, at most as long as it lives: from the step that returns a request that cannot be repeated to the one
/// that stores what came of it. It ends nothing: a `deinit` may run between the two.
package final class SignalHold {
    private let what: Signals.Hold
    private let world: World
    private var holds = false

    /// A hold that has not begun; see ``World/hold(_:)``.
    fileprivate init(_ what: Signals.Hold, in world: World) { (self.what, self.world) = (what, world) }

    deinit { end() }

    package func begin() { set(true) }

    package func end() { set(false) }

    /// Ends, and then the process, if a signal was held.
    package func deliver() {
        end()
        world.deliverSignals()
    }

    private func set(_ value: Bool) {
        if holds != value { world.holdSignals(what, value) }
        holds = value
    }
}
