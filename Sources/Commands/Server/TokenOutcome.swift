internal import OAuth
internal import Wire

/// The outcome of a token request.
enum TokenOutcome {
    /// A token that passed every check.
    case token(IssuedToken)
    /// An error response.
    case refused(OAuthError)
    /// A response that cannot be used. A refresh token in it replaces the one that was sent.
    case unusable(Failure, refreshToken: String?)
    /// No response.
    case lost(HTTPError)
}
