internal import JOSE
internal import Wire

/// Why an assertion is refused: a sentence for developers.
struct AssertionFlaw: Error {
    /// The sentence.
    let description: String
}

extension SandboxServer {
    /// Verifies a JWT signed by a client (RFC 7523 §3): signature, audience, expiry, and that it was not used before.
    ///
    /// Under HMAC the key is the client's secret, otherwise a registered one.
    ///
    /// - Parameter path: the path of the called endpoint.
    func verifyAssertion(
        _ text: String, at path: String, by client: Client, allowing allowed: Set<SignatureAlgorithm>
    ) -> Result<JSONObject, AssertionFlaw> {
        guard let signature = try? JSONWebSignature(parsing: text) else { return .flaw("it is not a signed JWT") }
        guard let algorithm = try? signature.algorithm(allowing: allowed) else {
            return .flaw("its algorithm is not allowed")
        }
        if algorithm.isSymmetric, let count = client.secret?.utf8.count, count < algorithm.digest.rawValue {
            // RFC 7518 §3.2.
            let needed = "\(algorithm.rawValue) needs at least \(algorithm.digest.rawValue)"
            return .flaw("the client secret has \(count) bytes, but \(needed)")
        }
        let isRight = client.keys(for: algorithm, id: signature.keyID).contains { key in
            (try? signature.verify(with: key, allowing: [algorithm])) != nil
        }
        guard isRight else { return .flaw("it is not signed with a key of the client") }
        guard let claims = (try? JSON(parsing: signature.payload))?.object else { return .flaw("it has no claims") }
        return check(claims, of: client, at: path).map { .failure($0) } ?? .success(claims)
    }

    private func check(_ claims: JSONObject, of client: Client, at path: String) -> AssertionFlaw? {
        let audience = claims["aud"].flatMap { $0.strings ?? $0.string.map { [$0] } } ?? []
        // RFC 9126 §2: the audience may be the called endpoint or the token endpoint.
        guard [issuer, url(Path.token), url(path)].contains(where: audience.contains) else {
            return AssertionFlaw("its audience is not this server")
        }
        for name in ["exp", "nbf", "iat"] where claims[name] != nil && claims[name]?.integer == nil {
            return AssertionFlaw("its \(name) is not a time")
        }
        guard let expiry = claims["exp"]?.integer else { return AssertionFlaw("it has no exp") }
        guard expiry > now else { return AssertionFlaw("it has expired") }
        guard expiry <= now + Self.longestAssertion else { return AssertionFlaw("its exp is too far in the future") }
        guard claims["nbf"]?.integer ?? now <= now + Self.clockTolerance else {
            return AssertionFlaw("its nbf is in the future")
        }
        guard claims["sub"]?.string?.isEmpty == false else { return AssertionFlaw("it has no sub") }
        guard let id = claims["jti"]?.string else { return nil }
        let isNew = use(identifier: "\(client.id) \(id)", for: expiry - now)
        return isNew ? nil : AssertionFlaw("its jti has been used")
    }

    /// The longest lifetime of an assertion in seconds.
    private static let longestAssertion = 3600
    /// The tolerance for the client's clock in seconds.
    static let clockTolerance = 60
}

extension AssertionFlaw {
    fileprivate init(_ reason: String) { description = "the assertion is refused: \(reason)" }
}

extension Result where Failure == AssertionFlaw {
    fileprivate static func flaw(_ reason: String) -> Self { .failure(AssertionFlaw(reason)) }
}
