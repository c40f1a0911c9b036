import Errands
import System

/// A time that passes only when nobody has anything else to do. Used from one thread.
final class SimulatedTime: @unchecked Sendable {
    private let start = MonotonicTime.now
    /// Since the beginning, in milliseconds.
    private(set) var passed = 0

    var now: MonotonicTime { start + .milliseconds(passed) }

    func pass(seconds: Double) { passed += Int(seconds * 1000) }

    func pass(to moment: MonotonicTime) { passed += Int(moment.milliseconds(since: now)) }

    /// The clocks of a machine that was started at another time.
    ///
    /// - Parameter rate: how fast they go, in thousandths.
    func clock(ahead: Int = 0, rate: Int = 1000) -> MachineClock {
        MachineClock(
            boot: { 1_000_000 + ahead + self.passed * rate / 1000 }, start: { "started \(ahead)" }, now: { self.now })
    }

    /// Carries an errand out that does nothing but wait.
    func run<Value>(_ errand: Errand<Value>) -> Value {
        var errand = errand
        while true {
            switch errand {
            case .done(let value): return value
            case .pause(let end, let go):
                pass(to: end)
                errand = go()
            case .send, .run: preconditionFailure("a simulated store sends nothing")
            }
        }
    }
}
