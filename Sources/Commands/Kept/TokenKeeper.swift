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
        let left = decision?.secondsUntilDue(now: Clock.now, minimum: minimum) ?? Self.longestWait
        return max(earliest, .now + .seconds(min(max(left, 0), Self.longestWait)))
    }

    /// Renews the token if it is due. If that fails, a message says why, and the next try is later.
    ///
    /// - Returns: whether there is another token.
    mutating func renew() -> Bool {
        let before = token.access.token
        do throws(Failure) {
            guard earliest <= .now, try isDue else { return false }
            window.note(at: Clock.now)
            token = try isIDToken ? managed.handedIDToken(minimum: minimum) : managed.handed(minimum: minimum)
            pause = try isDue ? longer : 1
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
            guard isIDToken else { return try managed.isDue(token.document, minimum: minimum) }
            return try lift(try RefreshDecision(of: Document(token.document))).isDue(now: Clock.now, minimum: minimum)
        }
    }

    private var longer: Int { min(2 * pause, Self.longestPause) }
}
