/// How many renewals of one token one process may try, so that it never storms the server: five in half a minute.
package struct RenewalWindow {
    private static let most = 5
    private static let seconds = 30
    private var attempts: [Int] = []

    package init() {}

    /// `now` is in seconds on any clock.
    package mutating func note(at now: Int) { attempts = attempts.suffix(Self.most - 1) + [now] }

    /// The seconds until the next attempt may be made; 0 if it may be made now.
    package func wait(at now: Int) -> Int {
        guard attempts.count == Self.most, let first = attempts.first else { return 0 }
        return max(0, first + Self.seconds + 1 - now)
    }
}
