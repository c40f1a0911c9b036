internal import OAuth
internal import System
internal import Wire

/// Keeps a stored token fresh while the process runs.
struct TokenKeeper {
    private let managed: ManagedToken
    private let minimum: Int?
    private let isIDToken: Bool
    private let diagnostics: Diagnostics
    /// The token as it is now.
    private(set) var token: HandedToken
    /// The earliest moment of the next renewal.
    private var earliest = MonotonicTime.now
    /// The seconds until the next try after one that failed.
    private var pause = 1
    private var window = RenewalWindow()
    private static let longestPause = 300
    /// The most seconds between two looks at the clock, which can be set, or the machine can have slept.
    private static let longestWait = 60

    /// The token, renewed first if it is due.
    ///
    /// - Parameter isIDToken: whether it is the ID token, by its own end.
    /// - Throws: as `ManagedToken.handed(minimum:)`, `ManagedToken.handedIDToken(minimum:)`.
    init(
        _ managed: ManagedToken, minimum: Int?, isIDToken: Bool = false, _ diagnostics: Diagnostics
    ) throws(Failure) {
        (self.managed, self.minimum, self.isIDToken, self.diagnostics) = (managed, minimum, isIDToken, diagnostics)
        token = try isIDToken ? managed.handedIDToken(minimum: minimum) : managed.handed(minimum: minimum)
    }

    /// When to ask for the next renewal.
    var next: MonotonicTime {
        let decision = try? RefreshDecision(of: Document(token.document))
        let left = decision?.secondsUntilDue(now: Clock.now, minimum: margin) ?? Self.longestWait
        guard left > 0 else { return max(earliest, .now) }
        // To the beginning of a second of the clock, and a little more, since time(2) is behind by a tick.
        let part = Clock.milliseconds % 1000 - 20
        return max(earliest, .now + .milliseconds(min(left, Self.longestWait) * 1000 - part))
    }

    /// The seconds to leave: for nil the default, which a short-lived token has not.
    private var margin: Int? {
        guard minimum == nil, let lifetime = token.document["expires_in"]?.integer, lifetime < 20 else {
            return minimum
        }
        return min(2, lifetime / 2)
    }

    /// Renews the token if it is due. If that fails, a message says why, and the next try is later.
    ///
    /// - Returns: whether there is another token.
    mutating func renew() -> Bool {
        let before = token.access.token
        do throws(Failure) {
            guard earliest <= .now, try isDue else { return false }
            window.note(at: Clock.now)
            token = try isIDToken ? managed.handedIDToken(minimum: margin) : managed.handed(minimum: margin)
            let isStillDue = try isDue
            pause = isStillDue ? longer : 1
            // The attempts of one token are counted, and this is another.
            if !isStillDue { window = RenewalWindow() }
            earliest = .now + .seconds(pause)
        } catch {
            diagnostics.tell(error)
            pause = longer
            earliest = .now + .seconds(max(pause, min(error.retryAfter ?? 0, Self.longestPause)))
        }
        earliest = max(earliest, .now + .seconds(window.wait(at: Clock.now)))
        return !token.access.token.isIdentical(to: before)
    }

    private var isDue: Bool {
        get throws(Failure) {
            guard isIDToken else { return try managed.isDue(token.document, minimum: margin) }
            return try lift(try RefreshDecision(of: Document(token.document))).isDue(now: Clock.now, minimum: margin)
        }
    }

    private var longer: Int { min(2 * pause, Self.longestPause) }
}
