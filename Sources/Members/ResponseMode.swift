/// How the authorization response reaches the client (`response_mode`, OAuth 2.0 Multiple Response Types §2.1, Form Post
/// Response Mode).
package enum ResponseMode: String, Sendable, CaseIterable {
    case query
    case fragment
    case formPost = "form_post"
}
