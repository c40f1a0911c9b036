/// Why a redirect is not followed.
package struct RedirectError: Error, Sendable, Equatable {
    /// The kinds; the raw value is the name in error documents.
    package enum Kind: String, Sendable {
        /// The target is no web URL, has user information, or would be sent a content that is meant for another origin.
        case refused = "redirect_refused"
        /// It leads to another origin, which the caller does not want.
        case crossOrigin = "redirect_cross_origin"
        /// There were too many.
        case loop = "redirect_loop"
        /// It wants content again that cannot be read again.
        case contentNotReplayable = "body_not_replayable"
        /// It leads to plain http.
        case insecureTransport = "insecure_transport"
    }

    /// The kind.
    package var kind: Kind
    /// The status of the redirect.
    package var status: Int
    /// The sentence for people, with the target's URL without its query: lower case, no full stop, no secret.
    package var message: String
}
