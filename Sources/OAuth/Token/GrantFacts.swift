/// What is true of a grant: everything that divides one from another.
package struct GrantFacts: Sendable, Equatable {
    /// Whether an ID token comes, where `openid` is in the scope, and is checked.
    package enum IDTokenRule: Sendable {
        /// It must come (OpenID Connect Core §3.1.3.3).
        case required
        /// It should come, though no standard demands it.
        case expected
        /// It may come, and is checked where one was there before (OpenID Connect Core §12.2).
        case renewed
        /// It may come, and nothing is known by which to check it.
        case unchecked
    }

    /// The value of `grant_type`.
    package var type: String
    /// What `--grant` calls it.
    package var name: String
    /// The member whose presence says that a document is made for it.
    var impliedBy: String?
    /// The secret member that it is made of, which may stand in a file or a variable.
    package var secretMember: String?
    /// The parameters that are secrets.
    var secretParameters: [String] = []
    /// Whether a request uses something up, so that it may not be sent twice.
    package var isSpent = false
    /// Whether the request is repeated until a person has decided.
    package var isPolled = false
    /// Whether what a response leaves out stays as it was (RFC 6749 §6), and nothing of the document is used up.
    package var renews = false
    /// Whether an ID token must, may or cannot come.
    package var idToken = IDTokenRule.unchecked
    /// The member that holds further parameters of a provider.
    var presetParameters = "token_params"
    /// The member that names an endpoint of its own, for a server that has one.
    var ownEndpoint: String?
    /// The kind of error that `invalid_grant` is.
    var refusal = OAuthError.Kind.oauth
    /// What to do after `invalid_grant`.
    var refusalHint: String?

    init(type: String, name: String? = nil) {
        self.type = type
        self.name = name ?? type
    }
}
