internal import Wire

/// Makes authorization responses for the client (RFC 6749 §4.1.2).
struct AuthorizationReply {
    /// The response modes (OAuth 2.0 Multiple Response Types §2.1, Form Post Response Mode), each also with a JWT that
    /// carries the parameters (JWT Secured Authorization Response Mode §2.3).
    enum Mode: String, CaseIterable {
        case query
        case fragment
        case formPost = "form_post"
        case jwt
        case queryJWT = "query.jwt"
        case fragmentJWT = "fragment.jwt"
        case formPostJWT = "form_post.jwt"

        fileprivate var isSigned: Bool { [.jwt, .queryJWT, .fragmentJWT, .formPostJWT].contains(self) }
    }

    /// The redirect URI, which has been checked.
    let redirectURI: WebURL
    let mode: Mode
    let state: String?
    /// The issuer, for `iss` (RFC 9207).
    let issuer: String
    /// Signs the claims of a response for the client.
    let sign: (JSONObject) -> Result<String, Refusal>

    func response(_ parameters: [(name: String, value: String)]) -> SandboxResponse {
        var all = parameters + (state.map { [("state", $0)] } ?? []) + [("iss", issuer)]
        if mode.isSigned {
            let claims = JSONObject(unique: all.map { .init(name: $0.name, value: .string($0.value)) })
            switch sign(claims) {
            case .success(let text): all = [("response", text)]
            case .failure(let refusal): return Page.error(refusal)
            }
        }
        switch mode {
        case .query, .jwt, .queryJWT: return SandboxResponse(redirectingTo: redirectURI.adding(all))
        case .fragment, .fragmentJWT:
            return SandboxResponse(redirectingTo: "\(redirectURI.text)#\(FormEncoding.encode(all))")
        case .formPost, .formPostJWT: return Page.formPost(to: redirectURI, all)
        }
    }

    /// The response with an error for the client (RFC 6749 §4.1.2.1).
    func response(_ refusal: Refusal) -> SandboxResponse {
        response([("error", refusal.error), ("error_description", refusal.description)])
    }
}
