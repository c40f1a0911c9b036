internal import JOSE
internal import Wire

extension SandboxServer {
    /// The client credentials grant (RFC 6749 §4.4): no user, so no refresh token and no ID token.
    func grantClientItself(_ token: TokenRequest) throws(Refusal) -> JSONObject {
        try issue(token, to: token.client.id)
    }

    /// Makes an access token, and no other, with what the request asks for.
    private func issue(_ token: TokenRequest, to subject: String) throws(Refusal) -> JSONObject {
        let authorization = Authorization(
            clientID: token.client.id, subject: subject,
            scope: try token.client.scope.granting(token.parameters["scope"]),
            details: try token.client.details(token.parameters, settings),
            resources: try token.parameters.resources())
        return try issue(token, for: authorization)
    }

    /// Token exchange (RFC 8693). Every token of the sandbox can be exchanged for an access token with the same scope
    /// or less, limited to the registered scope of the client.
    func exchangeToken(_ token: TokenRequest) throws(Refusal) -> JSONObject {
        let parameters = token.parameters
        let subject = try subject(
            parameters.required("subject_token"), type: parameters.required("subject_token_type"), "subject_token")
        // Otherwise the thief of a bound token could exchange it for an unbound one.
        guard subject.binding.key == nil || subject.binding.key == token.binding.key else {
            throw Refusal("invalid_dpop_proof", "the subject_token is bound to another key")
        }
        guard subject.binding.certificate == nil || subject.binding.certificate == token.binding.certificate
        else { throw .invalidRequest("the subject_token is bound to another certificate") }
        var actor = subject.actor
        switch (parameters["actor_token"], parameters["actor_token_type"]) {
        case (nil, nil): break
        case (let text?, let type?):
            // The last one to act is the outermost.
            var members: JSONObject = ["sub": .string(try self.subject(text, type: type, "actor_token").name)]
            members["act"] = actor
            actor = .object(members)
        default: throw .invalidRequest("actor_token and actor_token_type go together (RFC 8693 section 2.1)")
        }
        guard parameters["requested_token_type"] ?? TokenType.accessToken == TokenType.accessToken else {
            throw .invalidRequest("the only requested_token_type is \(TokenType.accessToken)")
        }
        let scope = try subject.scope.within(token.client.scope).narrowed(
            to: parameters["scope"], available: token.client.scope, limit: "the scope of the subject_token")
        let authorization = Authorization(
            clientID: token.client.id, subject: subject.name, scope: scope,
            details: try subject.details.within(token.client.detailTypes(settings)).narrowed(
                to: token.client.details(parameters, settings)),
            resources: try parameters.resources() + parameters.values("audience"), actor: actor)
        var answer = try issue(token, for: authorization)
        answer["issued_token_type"] = .string(TokenType.accessToken)
        return answer
    }

    /// Token type identifiers (RFC 8693 §3).
    private enum TokenType {
        static let accessToken = "urn:ietf:params:oauth:token-type:access_token"
        static let refreshToken = "urn:ietf:params:oauth:token-type:refresh_token"
        static let idToken = "urn:ietf:params:oauth:token-type:id_token"
        static let jwt = "urn:ietf:params:oauth:token-type:jwt"
    }

    /// Whom and what a token stands for.
    private struct Subject {
        let name: String
        let scope: Scope
        var details = AuthorizationDetails.none
        var binding = TokenBinding()
        var actor: JSON?
    }

    /// The subject of a token. An ID token has no scope, so the client's registered scope is the limit.
    ///
    /// - Throws: `invalid_request` for an invalid token (RFC 8693 §2.2.2).
    private func subject(_ text: String, type: String, _ name: String) throws(Refusal) -> Subject {
        switch type {
        case TokenType.accessToken, TokenType.refreshToken:
            if let token = live(text, in: type == TokenType.accessToken ? accessTokens : refreshTokens) {
                return Subject(
                    name: token.authorization.subject, scope: token.scope, details: token.details,
                    binding: token.binding, actor: token.authorization.actor)
            }
        case TokenType.idToken, TokenType.jwt:
            if let subject = keys.claims(ofIDToken: text, issuer: issuer, now: now)?["sub"]?.string {
                return Subject(name: subject, scope: settings.supportedScope)
            }
        default: throw .invalidRequest("the \(name)_type is not supported")
        }
        throw .invalidRequest("the \(name) is not a valid token of the \(name)_type")
    }

    /// The JWT bearer grant (RFC 7523 §2.1).
    func exchangeAssertion(_ token: TokenRequest) throws(Refusal) -> JSONObject {
        let assertion = try token.parameters.required("assertion")
        let signer = try clientOfAssertion(token.parameters)
        let claims: JSONObject
        do throws(SandboxError) {
            claims = try verifyAssertion(
                assertion, at: Path.token, by: signer, allowing: Set(SignatureAlgorithm.allCases))
        } catch {
            throw .invalidGrant("the assertion is refused: \(error.message)")
        }
        return try issue(token, to: claims["sub"]?.string ?? signer.id)
    }

    /// The client named by an assertion, not yet verified (RFC 7523 §3).
    func clientOfAssertion(_ parameters: FormParameters) throws(Refusal) -> Client {
        let signature = try? JSONWebSignature(parsing: parameters.required("assertion"))
        let claims = signature.flatMap { (try? JSON(parsing: $0.payload))?.object }
        guard let client = (claims?["iss"]?.string).flatMap({ clients[$0] }) else {
            throw .invalidGrant("the assertion is not a JWT whose iss is a client")
        }
        return client
    }
}
