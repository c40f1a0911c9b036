internal import JOSE
internal import Wire

/// Why a JWT of a client is refused: a phrase for developers that says "it" for the JWT.
struct JWTFlaw: Error {
    /// The phrase.
    let reason: String

    /// Makes a flaw.
    init(_ reason: String) { self.reason = reason }
}

extension Client {
    /// The claims of a JWT that the client has signed (RFC 7519 §7.2). Under HMAC the key is the client's secret,
    /// otherwise a key of its own.
    ///
    /// - Throws: the flaw of the JWT or of its signature. The claims are not checked.
    func claims(signedIn text: String, allowing allowed: Set<SignatureAlgorithm>) throws(JWTFlaw) -> JSONObject {
        let signature: JSONWebSignature
        do throws(JOSEError) {
            signature = try JSONWebSignature(parsing: text)
        } catch {
            throw JWTFlaw(
                error == .encrypted
                    ? "it is encrypted (JWE), and the sandbox has no key to decrypt it" : "it is not a signed JWT")
        }
        guard let algorithm = try? signature.algorithm(allowing: allowed) else {
            throw JWTFlaw("its algorithm \(signature.algorithmName.shown) is not allowed")
        }
        if algorithm.isSymmetric, let count = secret?.utf8.count, count < algorithm.digest.rawValue {
            // RFC 7518 §3.2.
            let needed = "\(algorithm.rawValue) needs at least \(algorithm.digest.rawValue)"
            throw JWTFlaw("the client secret has \(count) bytes, but \(needed)")
        }
        let candidates = keys(for: algorithm, id: signature.keyID)
        guard !candidates.isEmpty else { throw JWTFlaw(lackOfKey(for: algorithm, id: signature.keyID)) }
        guard candidates.contains(where: { signature.isRight(with: $0, algorithm) }) else {
            throw JWTFlaw("it is not signed with a key of the client")
        }
        guard let claims = (try? JSON(parsing: signature.payload))?.object else { throw JWTFlaw("it has no claims") }
        return claims
    }

    private func lackOfKey(for algorithm: SignatureAlgorithm, id: String?) -> String {
        guard !algorithm.isSymmetric else { return "the client has no secret for \(algorithm.rawValue)" }
        let name = id.map { " and the kid \($0.shown)" } ?? ""
        return "the client has no key with the kty \(algorithm.keyType.rawValue)\(name) for \(algorithm.rawValue)"
    }
}

extension JSONObject {
    /// Checks the times of a JWT that are there (RFC 7519 §4.1).
    ///
    /// - Parameter now: seconds since 1970.
    func checkTimes(now: Int) throws(JWTFlaw) {
        for name in ["exp", "nbf", "iat"] where self[name] != nil && self[name]?.integer == nil {
            throw JWTFlaw("its \(name) is not a time")
        }
        if let expiry = self["exp"]?.integer, expiry <= now { throw JWTFlaw("it has expired") }
        guard self["nbf"]?.integer ?? now <= now + SandboxServer.clockTolerance else {
            throw JWTFlaw("its nbf is in the future")
        }
    }
}

extension JSONWebSignature {
    /// Whether a key has made the signature.
    fileprivate func isRight(with key: JSONWebKey, _ algorithm: SignatureAlgorithm) -> Bool {
        (try? verify(with: key, allowing: [algorithm])) != nil
    }
}
