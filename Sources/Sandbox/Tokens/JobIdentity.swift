internal import Wire

extension SandboxServer {
    /// The variables by which GitHub tells a job where identities are (docs.github.com, "OpenID Connect reference").
    ///
    /// - Parameter issuer: where the server is.
    package static func variablesOfJob(at issuer: String) -> [String] {
        [
            "ACTIONS_ID_TOKEN_REQUEST_URL=\(issuer)\(Path.jobIdentity)?api-version=2.0",
            "ACTIONS_ID_TOKEN_REQUEST_TOKEN=\(requestToken)",
        ]
    }

    /// The secret of the only job; a test value.
    private static let requestToken = "token-of-the-job"

    /// The identity of the job, for an audience.
    func identifyJob(_ request: SandboxRequest) throws(Refusal) -> SandboxResponse {
        guard request.headers.first("Authorization")?.asciiLowercased == "bearer \(Self.requestToken)" else {
            throw Refusal("invalid_token", "the token of the request is not that of the job", status: 401)
        }
        let audience = try request.queryParameters()["audience"] ?? issuer
        let claims: JSONObject = [
            "iss": .string(issuer), "sub": .string("repo:example/app:ref:refs/heads/main"), "aud": .string(audience),
            "iat": .integer(now), "exp": .integer(now + 300), "repository": .string("example/app"),
            "ref": .string("refs/heads/main"),
        ]
        let token = try keys.sign(claims, algorithm: settings.idTokenAlgorithm)
        return SandboxResponse(members: ["value": .string(token)])
    }
}
