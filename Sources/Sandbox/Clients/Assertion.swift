internal import JOSE
internal import Wire

extension SandboxServer {
    /// Verifies a JWT signed by a client (RFC 7523 §3): signature, audience, expiry, and that it was not used before.
    func verifyAssertion(
        _ text: String, at path: String, by client: Client, allowing allowed: Set<SignatureAlgorithm>
    ) throws(SandboxError) -> JSONObject {
        let claims = try client.claims(signedIn: text, allowing: allowed)
        let audience = claims.audience
        // RFC 9126 §2: the audience may be the called endpoint or the token endpoint.
        guard ([issuer] + urls(Path.token) + urls(path)).contains(where: audience.contains) else {
            throw SandboxError("its audience is not this server")
        }
        try claims.checkTimes(now: now)
        guard let expiry = claims["exp"]?.integer else { throw SandboxError("it has no exp") }
        guard expiry <= now + Self.longestAssertion else { throw SandboxError("its exp is too far in the future") }
        guard claims["sub"]?.string?.isEmpty == false else { throw SandboxError("it has no sub") }
        if let id = claims["jti"]?.string, !use(identifier: "\(client.id) \(id)", for: expiry - now) {
            throw SandboxError("its jti has been used")
        }
        return claims
    }

    /// The longest lifetime of an assertion in seconds.
    private static let longestAssertion = 3600
    /// The tolerance for the client's clock in seconds.
    static let clockTolerance = 60
}

extension JSONObject {
    /// The values of `aud`, which is a string or an array of strings (RFC 7519 §4.1.3).
    var audience: [String] { self["aud"].flatMap { $0.strings ?? $0.string.map { [$0] } } ?? [] }
}
