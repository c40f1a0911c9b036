package import Wire

/// An answer that a server may sign for the client.
package enum SignedAnswer: Sendable {
    /// What it says, and deviations that did not stop the work.
    case plain(JSONObject, [OAuthWarning])
    /// What it says is the content of the JWT, once that is checked.
    case signed(JSONWebToken)
}
