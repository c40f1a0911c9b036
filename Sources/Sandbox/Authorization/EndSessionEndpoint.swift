internal import Wire

extension SandboxServer {
    /// The end of a session (OpenID Connect RP-Initiated Logout §2). The sandbox has none; the request is judged.
    func endSession(_ request: SandboxRequest) throws(Refusal) -> SandboxResponse {
        let parameters = request.method == "POST" ? try request.formParameters() : try request.queryParameters()
        // The session may be older than the lifetime of the ID token.
        if let hint = parameters["id_token_hint"], keys.subject(ofIDToken: hint, issuer: issuer, now: 0) == nil {
            throw Refusal("invalid_request", "the id_token_hint is none of this server")
        }
        guard parameters["post_logout_redirect_uri"] == nil else {
            throw Refusal("invalid_request", "no redirect URI is registered for the logout")
        }
        return Page.loggedOut()
    }
}
