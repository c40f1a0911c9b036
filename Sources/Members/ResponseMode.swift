/// How the authorization response reaches the client (`response_mode`, OAuth 2.0 Multiple Response Types §2.1, Form Post
/// Response Mode), and whether a signed JWT carries it (JWT Secured Authorization Response Mode §2.3).
package enum ResponseMode: String, Sendable, CaseIterable {
    case query
    case fragment
    case formPost = "form_post"
    /// The server's choice for a code: the query.
    case jwt
    case queryJWT = "query.jwt"
    case fragmentJWT = "fragment.jwt"
    case formPostJWT = "form_post.jwt"

    /// Where the parameters are: the query, the fragment or a posted form.
    package var channel: ResponseMode {
        switch self {
        case .query, .jwt, .queryJWT: .query
        case .fragment, .fragmentJWT: .fragment
        case .formPost, .formPostJWT: .formPost
        }
    }

    /// Whether a signed JWT carries the parameters (JARM).
    package var isSigned: Bool { self != channel }
}
