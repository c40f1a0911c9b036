internal import Wire

/// What the refusal of a refresh token means for the stored token that it is of.
package enum RefreshRefusal: Sendable {
    /// A newer refresh token is stored: another machine, which shares the store but not the lock, has renewed it.
    case replaced
    /// The fault may lie with the other token of the login that was asked for.
    case ofPart
    /// Another machine has taken over the claim: what became of its request decides.
    case overtaken
    /// The refresh token is not stored any more.
    case dropped
    /// The refresh token is over. The access token is used until it expires.
    case final

    /// - Parameters:
    ///   - sent: the refresh token that was refused, if one was sent.
    ///   - kept: the one that is stored now.
    ///   - isOfPart: whether another token of the login was asked for.
    ///   - isOvertaken: whether the token needs a claim, and that of this process is gone.
    package init(of sent: String?, kept: String?, isOfPart: Bool, isOvertaken: Bool) {
        if let kept, let sent, !kept.isIdentical(to: sent) {
            self = .replaced
        } else if isOfPart {
            self = .ofPart
        } else if isOvertaken {
            self = .overtaken
        } else {
            self = kept == nil ? .dropped : .final
        }
    }
}
