/// Holds signals back, at most as long as it lives: from the step that returns a request that cannot be repeated to the one
/// that stores what came of it. It ends nothing: a `deinit` may run between the two.
package final class SignalHold {
    private let change: (Bool) -> Void
    private let passOn: () -> Void
    private var holds = false

    /// A hold that has not begun; see ``World/hold(_:)``.
    ///
    /// - Parameters:
    ///   - change: begins, and ends, to hold signals back.
    ///   - passOn: ends the process by a signal that was held.
    package init(_ change: @escaping (Bool) -> Void, deliver passOn: @escaping () -> Void) {
        (self.change, self.passOn) = (change, passOn)
    }

    deinit { end() }

    package func begin() { set(true) }

    package func end() { set(false) }

    /// Ends, and then the process, if a signal was held.
    package func deliver() {
        end()
        passOn()
    }

    private func set(_ value: Bool) {
        if holds != value { change(value) }
        holds = value
    }
}
