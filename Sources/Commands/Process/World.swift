internal import JOSE
internal import System

/// What decides about tokens sees of the machine: its clocks, random bytes, and the signals that wait or that the process
/// ends by. The program has one, which the session hands on; a test has its own, in which a clock jumps.
struct World {
    /// The time that can be set, in milliseconds since 1970.
    private let time: () -> Int
    /// The time that never is.
    private let clock: () -> MonotonicTime
    /// So many random bytes; throws where the system has none.
    let random: (Int) throws(JOSEError) -> [UInt8]
    /// Whether a signal waits by which the process ends: nothing else is begun then.
    private let isEndingNow: () -> Bool
    /// Begins or ends to hold signals back.
    private let holdSignals: (Signals.Hold, _ holds: Bool) -> Void
    /// Ends the process by a signal that waits for nothing any more.
    private let deliverSignals: () -> Void

    init(
        time: @escaping () -> Int, clock: @escaping () -> MonotonicTime,
        random: @escaping (Int) throws(JOSEError) -> [UInt8], isEnding: @escaping () -> Bool,
        hold: @escaping (Signals.Hold, _ holds: Bool) -> Void, deliver: @escaping () -> Void
    ) {
        (self.time, self.clock, self.random) = (time, clock, random)
        (isEndingNow, holdSignals, deliverSignals) = (isEnding, hold, deliver)
    }

    /// That of this process.
    static var own: World {
        World(
            time: { Clock.milliseconds }, clock: { .now },
            random: { (count) throws(JOSEError) in try SecureRandom.bytes(count) }, isEnding: { Signals.isPending },
            hold: { what, holds in holds ? Signals.hold(what) : Signals.release(what) },
            deliver: { Signals.deliver() })
    }

    /// Milliseconds since 1970.
    var milliseconds: Int { time() }

    /// Seconds since 1970.
    var seconds: Int { time() / 1000 }

    /// The moment for pauses and limits.
    var moment: MonotonicTime { clock() }

    /// The moment, on both clocks.
    var now: Moment { Moment(time: moment, seconds: seconds) }

    /// The moment after a span.
    func after(_ span: Duration) -> MonotonicTime { clock() + span }

    var isEnding: Bool { isEndingNow() }

    /// A hold of signals that has not begun.
    func hold(_ what: Signals.Hold = .renewal) -> SignalHold {
        SignalHold({ holdSignals(what, $0) }, deliver: deliverSignals)
    }
}
