package import OAuth

/// Which token the requests of a group carry, and whether another one is on its way. It never renews.
package struct TokenLedger {
    /// Why a token is renewed.
    package enum Reason: Sendable {
        /// There is none that is valid.
        case due
        /// The API refused this token.
        case refused(AccessToken)
    }

    private enum Renewal {
        case idle
        case wanted(Reason)
        case running
        case failed
    }

    /// The token; nil while there is none that is valid.
    private(set) var token: AccessToken?
    /// Counts the tokens.
    private(set) var serial = 0
    private let isRenewable: Bool
    private var renewal: Renewal
    /// Whether the token replaced one that the API refused, and the API has not yet taken it.
    private var isUnproven = false

    /// A ledger with a token; nil where one must be had first.
    init(_ token: AccessToken?, isRenewable: Bool) {
        self.token = token
        self.isRenewable = isRenewable
        renewal = token == nil ? isRenewable ? .wanted(.due) : .failed : .idle
    }

    /// Whether a refused request could be sent with another token: there is one already, or one can be had. A token that
    /// replaced a refused one and was never accepted is not replaced: the API would refuse the next one too.
    func mayReplace(serial: Int) -> Bool {
        if serial != self.serial { return true }
        if case .failed = renewal { return false }
        return isRenewable && !isUnproven
    }

    /// Whether a newer token is here.
    func isReplaced(serial: Int) -> Bool { serial != self.serial && token != nil }

    /// Whether there is no token, and none can be had.
    var isExhausted: Bool { if case .failed = renewal { token == nil } else { false } }

    /// Notes that the API took the token of a number.
    mutating func noteSuccess(serial: Int) {
        if serial == self.serial { isUnproven = false }
    }

    /// Asks for a renewal, unless one is asked for or under way.
    mutating func wantRenewal() {
        guard case .idle = renewal, let refused = token else { return }
        renewal = .wanted(.refused(refused))
    }

    /// Starts the renewal that is wanted; nil where none is. Requests wait meanwhile.
    mutating func startRenewal() -> Reason? {
        guard case .wanted(let reason) = renewal else { return nil }
        renewal = .running
        if case .refused = reason { isUnproven = true }
        token = nil
        return reason
    }

    /// Ends the renewal.
    mutating func finishRenewal(_ token: AccessToken?) {
        self.token = token
        if token != nil { serial += 1 }
        renewal = token == nil ? .failed : .idle
    }
}
