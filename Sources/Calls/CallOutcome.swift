package import Wire

/// How a request of a group ended.
package enum CallOutcome {
    /// What a response does not say of itself.
    package enum Note: Sendable, Equatable {
        /// The request cannot be sent again, with a new token or another nonce: its content came from a pipe, and is too
        /// large to be kept.
        case contentNotReplayable
        /// The request went to another origin, without the token.
        case withoutToken
        /// The API refused the renewed token too.
        case refusedAgain
        /// A rate limit, of which status and fields say nothing.
        case rateLimited
    }

    /// This response is final; its content was delivered.
    case answered(HTTPResponseHead, Note?)
    case stopped(RedirectError)
    /// No complete response arrived. `isOpen`: a request that may not be repeated may have been carried out.
    case lost(HTTPError, isOpen: Bool)
    /// The renewal failed. The value is the response that refused the last token, whose content was held; nil if
    /// nothing was sent.
    case notRenewed(HTTPResponseHead?)

    /// Whether a complete response has come.
    package var isAnswered: Bool { if case .lost = self { false } else { true } }
}

/// What to do with the content of a response, decided when its head has arrived.
package enum Disposition: Sendable, Equatable {
    /// Deliver it: the response is final.
    case deliver
    /// Hold it until the outcome is known: the response may be final. Of long content, the beginning is enough.
    case hold
    /// Hold it, and report it at its end: it decides. Content too long to be held is delivered.
    case inspect
    case discard
}
