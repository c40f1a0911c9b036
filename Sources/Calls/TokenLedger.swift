package import OAuth

/// The token that the requests of a group share, and whether a renewal is under way. It does no renewal itself.
package struct TokenLedger {
    package enum Reason {
        /// There is no valid token.
        case due
        case refused(AccessToken)
    }

    private enum Renewal {
        case idle
        case wanted(Reason)
        case running
        case failed
    }

    /// The token; nil while there is no valid one.
    private(set) var token: AccessToken?
    /// The number of the token, which grows with each renewal.
    private(set) var serial = 0
    private let isRenewable: Bool
    private var renewal: Renewal
    /// Whether the token replaced a refused one and the API has not yet accepted it.
    private var isUnproven = false

    /// A ledger with a token; nil if one must be had first.
    init(_ token: AccessToken?, isRenewable: Bool) {
        (self.token, self.isRenewable) = (token, isRenewable)
        renewal = token == nil ? isRenewable ? .wanted(.due) : .failed : .idle
    }

    /// Whether a refused request can be sent with another token: a newer one, or one from a renewal. A token that
    /// replaced a refused one and was never accepted is not renewed: the API would refuse the next one too.
    func mayReplace(serial: Int) -> Bool {
        if serial != self.serial { return true }
        switch renewal {
        case .failed: return false
        // The refused token is the one that is being replaced.
        case .running: return true
        case .idle, .wanted: return isRenewable && !isUnproven
        }
    }

    func isReplaced(serial: Int) -> Bool { serial != self.serial && token != nil }

    var isExhausted: Bool { hasFailed && token == nil }

    var hasFailed: Bool { if case .failed = renewal { true } else { false } }

    mutating func noteSuccess(serial: Int) { if serial == self.serial { isUnproven = false } }

    /// Requests a renewal, unless one is requested or under way.
    mutating func wantRenewal() {
        guard case .idle = renewal, let refused = token else { return }
        renewal = .wanted(.refused(refused))
    }

    /// Requests a renewal of a token whose time is over, unless one is requested or under way.
    mutating func expire() {
        guard case .idle = renewal, isRenewable else { return }
        renewal = .wanted(.due)
    }

    /// Starts the renewal that is wanted; nil if none is. Requests wait meanwhile.
    mutating func startRenewal() -> Reason? {
        guard case .wanted(let reason) = renewal else { return nil }
        renewal = .running
        if case .refused = reason { isUnproven = true }
        token = nil
        return reason
    }

    mutating func finishRenewal(_ token: AccessToken?) {
        self.token = token
        if token != nil { serial += 1 }
        renewal = token == nil ? .failed : .idle
    }
}
