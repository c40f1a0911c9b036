package import Errands
internal import OAuth
package import System
package import Shell

/// Keeps a stored token fresh while the process runs.
package final class TokenKeeper {
    private let managed: ManagedToken
    private let minimum: Int?
    private let isIDToken: Bool
    private let diagnostics: Diagnostics
    package private(set) var token: HandedToken
    /// The most seconds between two looks at the clock, which can be set, or the machine can have slept.
    private static let longestWait = 60
    /// When it was looked at last: one that is due and that nothing renews is not looked at all the time.
    private var looked: MonotonicTime

    private init(
        _ managed: ManagedToken, minimum: Int?, isIDToken: Bool, _ diagnostics: Diagnostics, _ token: HandedToken
    ) {
        (self.managed, self.minimum, self.isIDToken, self.diagnostics) = (managed, minimum, isIDToken, diagnostics)
        (self.token, looked) = (token, managed.world.moment)
    }

    /// A keeper with the token, renewed first if it is due.
    ///
    /// - Parameter isIDToken: whether it is the ID token, by its own end.
    /// - Throws: as `ManagedToken.handed(minimum:isIDToken:)`.
    package static func begun(
        _ managed: ManagedToken, minimum: Int?, isIDToken: Bool = false, _ diagnostics: Diagnostics
    ) -> Attempt<TokenKeeper, Failure> {
        managed.handed(minimum: minimum, isIDToken: isIDToken).reading { (token) throws(Failure) in
            // From here on the next renewal is the next attempt, and a command may end meanwhile.
            TokenKeeper(managed.brief, minimum: minimum, isIDToken: isIDToken, diagnostics, token)
        }
    }

    /// Begins as `begun`, again and again while the server does not answer, as for later renewals, and once more where a file
    /// cannot be used: a key and its certificate may just be replaced, one after the other. A message says so.
    package static func awaited(
        _ managed: ManagedToken, minimum: Int?, isIDToken: Bool = false, _ diagnostics: Diagnostics,
        afterFile: Bool = false
    ) -> Attempt<TokenKeeper, Failure> {
        begun(managed.brief, minimum: minimum, isIDToken: isIDToken, diagnostics).then { result in
            guard case .failure(let failure) = result else { return .done(result) }
            let isOfFile = failure.exit == .fileFailed
            guard failure.exit == .unavailable || isOfFile && !afterFile else { return .done(result) }
            diagnostics.tell(failure)
            let end = max(managed.record.earliest, managed.world.after(.seconds(1)))
            diagnostics.tell("trying again in \((end.milliseconds(since: managed.world.moment) + 999) / 1000) s")
            return .pause(until: end) {
                awaited(managed, minimum: minimum, isIDToken: isIDToken, diagnostics, afterFile: isOfFile)
            }
        }
    }

    /// When to ask for the next renewal.
    package var next: MonotonicTime {
        let decision = try? RefreshDecision(of: Document(token.document))
        let left = decision?.secondsUntilDue(now: managed.world.seconds, minimum: margin) ?? Self.longestWait
        guard left > 0 else { return max(managed.record.earliest, looked + .seconds(1)) }
        // To the beginning of a second of the clock, and a little more, since time(2) is behind by a tick.
        let part = managed.world.milliseconds % 1000 - 20
        return managed.world.after(.milliseconds(min(left, Self.longestWait) * 1000 - part))
    }

    /// The seconds to leave: for nil the default, which a short-lived token has not.
    private var margin: Int? {
        guard minimum == nil, let lifetime = token.document["expires_in"]?.integer, lifetime < 20 else {
            return minimum
        }
        return min(2, lifetime / 2)
    }

    /// Renews the token if it is due and its record allows that. If it fails, a message says why.
    ///
    /// - Returns: an errand for whether there is another token.
    package func renewal() -> Errand<Bool> {
        looked = managed.world.moment
        let before = token.access.token
        return managed.usable(minimum: margin, isIDToken: isIDToken).then { [self] result in
            switch result {
            case .success(let token):
                self.token = token
                let isAnother = !token.access.token.isIdentical(to: before)
                if isAnother { managed.transport.note() }
                return .done(isAnother)
            case .failure(let failure):
                diagnostics.tell(failure)
                return .done(false)
            }
        }
    }
}
