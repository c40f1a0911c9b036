package import Wire

/// How a request of a group ended.
package enum CallOutcome {
    /// What keeps a refused request from being sent with a new token.
    package enum Note: Sendable, Equatable {
        /// Its content came from a pipe, and is too large to be kept.
        case contentNotReplayable
    }

    /// This response is the answer; its content was delivered.
    case answered(HTTPResponseHead, Note?)
    /// A redirect is not followed.
    case stopped(RedirectError)
    /// There is no whole answer. `isRepeatable`: every request that was sent may be repeated.
    case lost(HTTPError, isRepeatable: Bool)
    /// There is no valid token, since the renewal failed: the response that refused the last one (its content was held);
    /// nil where nothing was sent.
    case notRenewed(HTTPResponseHead?)
}
