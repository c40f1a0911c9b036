package import OAuth

/// Why a redirect is not followed.
package struct RedirectError: Error, Sendable, Equatable {
    /// The kind: `redirect_refused` for a target that is no web URL, has user information, or would be sent content that is
    /// meant for another origin; `redirect_cross_origin`, `redirect_loop`, `body_not_replayable`, `insecure_transport`,
    /// `invalid_response` for none.
    package var kind: ErrorKind
    package var status: Int
    /// The sentence for the user, with the target's URL without its query: lower case, no full stop, no secret.
    package var message: String
}
