internal import Wire

extension SandboxServer {
    /// The end of a session (OpenID Connect RP-Initiated Logout §2). The sandbox has none; the request is judged.
    func endSession(_ request: SandboxRequest) throws(Refusal) -> SandboxResponse {
        let parameters = request.method == "POST" ? try request.formParameters() : try request.queryParameters()
        do throws(Refusal) {
            var clientID = parameters["client_id"]
            if let hint = parameters["id_token_hint"] {
                // The session may be older than the lifetime of the ID token.
                guard let claims = keys.claims(ofIDToken: hint, issuer: issuer, now: 0) else {
                    throw .invalidRequest("the id_token_hint is not an ID token of this server")
                }
                guard clientID == nil || clientID == claims["aud"]?.string else {
                    throw .invalidRequest("the id_token_hint belongs to another client")
                }
                clientID = claims["aud"]?.string
            }
            trace.clientID = clientID
            guard let uri = parameters["post_logout_redirect_uri"] else { return Page.loggedOut() }
            // Without a client any page could send the browser anywhere.
            guard let client = clientID.flatMap({ clients[$0] }), client.accepts(logoutRedirectURI: uri),
                let url = WebURL(uri)
            else {
                let registered = clientID.flatMap { clients[$0] }?.effectiveLogoutRedirectURIs ?? []
                throw .invalidRequest(
                    "post_logout_redirect_uri is not registered for this client",
                    shows: [
                        ("post_logout_redirect_uri of the request", uri),
                        ("registered", registered.isEmpty ? "none" : registered.joined(separator: ", ")),
                    ])
            }
            return SandboxResponse(redirectingTo: url.adding(parameters["state"].map { [("state", $0)] } ?? []))
        } catch {
            return errorPage(error)
        }
    }
}
