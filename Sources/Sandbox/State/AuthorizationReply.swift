internal import Wire

/// Makes authorization responses for the client (RFC 6749 §4.1.2).
struct AuthorizationReply {
    /// The response modes (OAuth 2.0 Multiple Response Types §2.1, Form Post Response Mode).
    enum Mode: String {
        case query
        case fragment
        case formPost = "form_post"
    }

    /// The redirect URI, which has been checked.
    let redirectURI: WebURL
    let mode: Mode
    let state: String?
    /// The issuer, for `iss` (RFC 9207).
    let issuer: String

    func response(_ parameters: [(name: String, value: String)]) -> SandboxResponse {
        let all = parameters + (state.map { [("state", $0)] } ?? []) + [("iss", issuer)]
        switch mode {
        case .query: return SandboxResponse(redirectingTo: redirectURI.adding(all))
        case .fragment: return SandboxResponse(redirectingTo: "\(redirectURI.text)#\(FormEncoding.encode(all))")
        case .formPost: return Page.formPost(to: redirectURI, all)
        }
    }

    /// The response with an error for the client (RFC 6749 §4.1.2.1).
    func response(_ refusal: Refusal) -> SandboxResponse {
        response([("error", refusal.error), ("error_description", refusal.description)])
    }
}
