/// Holds signals back, at most as long as it lives: from the step that returns a request that cannot be repeated to the one
/// that stores what came of it. It ends nothing: a `deinit` may run between the two.
final class SignalHold {
    private let what: Signals.Hold
    private var holds = false

    /// A hold that has not begun.
    init(_ what: Signals.Hold = .renewal) { self.what = what }

    deinit { end() }

    func begin() {
        if !holds { Signals.hold(what) }
        holds = true
    }

    func end() {
        if holds { Signals.release(what) }
        holds = false
    }

    /// Ends, and then the process, if a signal was held.
    func deliver() {
        end()
        Signals.deliver()
    }
}
