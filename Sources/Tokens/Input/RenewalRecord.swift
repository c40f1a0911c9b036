internal import OAuth
package import System
package import Shell

/// What a process remembers of the renewals of one token: whether another one may begin now. Every caller asks it before a
/// renewal of a token that is due, so that no way to use a token storms the server.
package final class RenewalRecord {
    private var window = RenewalWindow()
    /// The seconds until the next try after one that failed, or that brought a token that is due at once.
    private var pause = 1
    private static let longestPause = 300
    /// The earliest moment of the next renewal.
    package private(set) var earliest: MonotonicTime
    private let world: World
    /// Why the last one failed; nil after a success.
    package private(set) var failure: Failure?

    init(_ world: World) { (self.world, earliest) = (world, world.moment) }

    package var mayBegin: Bool { earliest <= world.moment }

    func begin() { window.note(at: world.seconds) }

    func succeed(isStillDue: Bool) {
        failure = nil
        guard isStillDue else {
            // The attempts of one token are counted, and this is another.
            (window, pause, earliest) = (RenewalWindow(), 1, world.moment)
            return
        }
        wait(atLeast: 0)
    }

    func fail(_ failure: Failure) {
        self.failure = failure
        wait(atLeast: min(failure.retryAfter ?? 0, Self.longestPause))
    }

    private func wait(atLeast seconds: Int) {
        pause = min(2 * pause, Self.longestPause)
        earliest = world.after(.seconds(max(pause, seconds, window.wait(at: world.seconds))))
    }
}
