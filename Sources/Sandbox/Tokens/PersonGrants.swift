internal import JOSE
internal import Wire

extension SandboxServer {
    /// The authorization code grant (RFC 6749 §4.1.3, RFC 7636 §4.6).
    func exchangeCode(_ token: TokenRequest) throws(Refusal) -> JSONObject {
        let text = try token.parameters.required("code")
        let verifier = token.parameters["code_verifier"]
        // The form is judged first: a client that repeats the request in another way keeps its code.
        guard verifier.map(AuthorizationRequest.isVerifier) ?? true else {
            throw .invalidRequest("code_verifier is not 43 to 128 unreserved characters")
        }
        guard var code = codes.value(text, now: now), code.authorization.clientID.isIdentical(to: token.client.id)
        else {
            throw .invalidGrant("the code is not known, has expired, or was given to another client")
        }
        guard !code.isUsed else {
            // RFC 6749 §4.1.2: an attacker may have used it first.
            code.authorization.revoke()
            throw .invalidGrant("the code was used before; the tokens that were issued for it are revoked")
        }
        guard verifier != nil || code.request.challenge == nil else {
            throw .invalidRequest("code_verifier is missing")
        }
        code.isUsed = true
        codes.replace(text, with: code)
        // None is an empty one: a parameter without a value counts as missing.
        guard (token.parameters["redirect_uri"] ?? "").isIdentical(to: code.request.sentRedirectURI ?? "") else {
            throw .invalidGrant("redirect_uri is not that of the authorization request")
        }
        try Self.check(verifier, against: code.request)
        guard code.request.keyThumbprint == nil || code.request.keyThumbprint == token.binding.key else {
            throw Refusal("invalid_dpop_proof", "the code is bound to another key")
        }
        return try issueForPerson(
            token, for: code.authorization, resources: try resources(of: token, for: code.authorization))
    }

    /// A verifier without a challenge is refused: somebody may have taken the challenge away (RFC 9700 §4.8.2).
    private static func check(_ verifier: String?, against request: AuthorizationRequest) throws(Refusal) {
        guard let verifier, let challenge = request.challenge else {
            guard verifier == nil else { throw .invalidGrant("the authorization request had no code_challenge") }
            return
        }
        let digest = Base64.encodeURL(Digest.sha256(Array(verifier.utf8)))
        guard constantTimeEqual(request.isChallengePlain ? verifier : digest, challenge) else {
            throw .invalidGrant("code_verifier does not fit the challenge")
        }
    }

    /// A token request may only narrow the resources of the authorization request (RFC 8707 §2.2).
    private func resources(
        of token: TokenRequest, for authorization: Authorization
    ) throws(Refusal) -> [String] {
        let asked = try token.parameters.resources()
        guard asked.allSatisfy({ authorization.resources.isEmpty || authorization.resources.contains($0) }) else {
            throw Refusal("invalid_target", "a resource was not part of the authorization request")
        }
        return asked.isEmpty ? authorization.resources : asked
    }

    /// The refresh grant (RFC 6749 §6).
    func refresh(_ token: TokenRequest) throws(Refusal) -> JSONObject {
        let text = try token.parameters.required("refresh_token")
        guard var old = refreshTokens.value(text, now: now),
            old.authorization.clientID.isIdentical(to: token.client.id)
        else { throw .invalidGrant("the refresh token is not known, has expired, or was given to another client") }
        let authorization = old.authorization
        guard !authorization.isRevoked else { throw .invalidGrant("the refresh token is revoked") }
        guard !old.isUsed else {
            // RFC 9700 §4.14.2: one of the two uses is by a thief, and the server cannot tell which.
            authorization.revoke()
            throw .invalidGrant("the refresh token was used before; all tokens of the login are revoked")
        }
        guard old.binding.key == nil || old.binding.key == token.binding.key else {
            throw Refusal("invalid_dpop_proof", "the refresh token is bound to another key")
        }
        guard old.binding.certificate == nil || old.binding.certificate == token.binding.certificate else {
            throw .invalidGrant("the refresh token is bound to another certificate")
        }
        let scope = try authorization.scope.narrowed(
            to: token.parameters["scope"], available: token.client.scope, limit: "the scope that the user granted")
        var answer = try issue(
            token, for: authorization, scope: scope, resources: try resources(of: token, for: authorization))
        // RFC 9700 §2.2.2: those of public clients rotate, unless they are bound to a key.
        if settings.rotatesRefreshTokens || token.client.isPublic && old.binding.key == nil {
            old.isUsed = true
            refreshTokens.replace(text, with: old)
            answer["refresh_token"] = .string(newRefreshToken(token, for: authorization))
        }
        if scope.contains("openid") {
            answer["id_token"] = try idToken(for: authorization, token.client, beside: answer, nonce: nil)
        }
        return answer
    }
}
