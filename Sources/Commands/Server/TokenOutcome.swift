internal import OAuth
internal import Wire

/// What came of a token request.
enum TokenOutcome {
    /// A token that passed every check.
    case token(IssuedToken)
    /// The server's no.
    case refused(OAuthError)
    /// A response that cannot be used; a refresh token in it has taken the place of the one that was sent.
    case unusable(Failure, refreshToken: String?)
    /// No response; who knows whether the server saw the request.
    case lost(HTTPError)
}
