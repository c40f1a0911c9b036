internal import Wire

extension SandboxServer {
    /// The access token of a request to the API (RFC 6750 §2.1, RFC 9449 §7.1). The scheme `token` of GitHub is `Bearer`
    /// under another name.
    ///
    /// - Parameters:
    ///   - scope: the value that its scope must have; nil for any token.
    ///   - takesForm: whether a form in the content may have it (RFC 6750 §2.2).
    /// - Throws: with the challenges of RFC 6750 §3.
    func authorize(_ request: SandboxRequest, scope: String?, takesForm: Bool = false) throws(Refusal) -> IssuedToken {
        guard try request.apiParameters().values("access_token").allSatisfy(\.isEmpty) else {
            throw challenge("Bearer", "invalid_request", "a token in the URL is not accepted", status: 400)
        }
        let inForm = takesForm && request.method == "POST" ? (try? request.formParameters())?["access_token"] : nil
        guard let (scheme, text) = try authorizationOfResource(request) ?? inForm.map({ ("bearer", $0) }) else {
            throw challenge("Bearer", nil, "an access token is needed")
        }
        guard ["bearer", "dpop"].contains(scheme) else {
            throw challenge("Bearer", nil, "the authentication scheme is not known")
        }
        trace.clientID = accessTokens.value(text, now: now)?.authorization.clientID
        let name = scheme == "dpop" ? "DPoP" : "Bearer"
        guard let token = live(text, in: accessTokens) else {
            throw challenge(name, "invalid_token", "the access token is not known, has expired, or is revoked")
        }
        guard (token.binding.key == nil) == (scheme == "bearer") else {
            throw challenge(
                name, "invalid_token", "the access token is for the other authentication scheme, Bearer or DPoP")
        }
        guard token.binding.certificate == nil || token.binding.certificate == request.certificate?.thumbprint
        else {
            throw challenge(name, "invalid_token", "the access token is bound to a certificate that was not presented")
        }
        if let thumbprint = token.binding.key { try checkPossession(request, text, thumbprint) }
        if let scope, !token.scope.contains(scope) {
            var refusal = challenge(name, "insufficient_scope", "the access token lacks a scope", status: 403)
            refusal.headers[0].value += ", scope=\"\(scope)\""
            throw refusal
        }
        return token
    }

    private func authorizationOfResource(
        _ request: SandboxRequest
    ) throws(Refusal) -> (scheme: String, credentials: String)? {
        do throws(Refusal) {
            return try request.authorization().map { ($0.scheme == "token" ? "bearer" : $0.scheme, $0.credentials) }
        } catch {
            throw challenge("Bearer", error.error, error.description, status: 400)
        }
    }

    private func checkPossession(
        _ request: SandboxRequest, _ text: String, _ thumbprint: String
    ) throws(Refusal) {
        do throws(Refusal) {
            let proof = try verifyProof(of: request, token: text)
            guard proof == thumbprint else {
                throw Refusal(
                    "invalid_token", "the request has no DPoP proof with the key to which the access token is bound")
            }
        } catch {
            var refusal = challenge("DPoP", error.error, error.description)
            refusal.headers += error.headers
            throw refusal
        }
    }

    func challenge(
        _ scheme: String, _ error: String?, _ description: String, status: Int = 401
    ) -> Refusal {
        var text = "\(scheme) realm=\"sandbox\""
        // RFC 6750 §3.1: a request without a token gets no error code.
        if let error { text += ", error=\"\(error)\", error_description=\"\(description)\"" }
        if scheme == "DPoP" { text += ", algs=\"\(SandboxServer.proofAlgorithms.joined(separator: " "))\"" }
        text += ", resource_metadata=\"\(url(Path.resourceMetadata))\""
        return Refusal(
            error ?? "unauthorized", description, status: status, headers: [HTTPField("WWW-Authenticate", text)])
    }
}
