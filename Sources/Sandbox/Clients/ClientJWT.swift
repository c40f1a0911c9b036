internal import JOSE
internal import Wire

extension Client {
    /// The claims of a JWT that the client has signed (RFC 7519 §7.2). Under HMAC the key is the client's secret,
    /// otherwise a key of its own.
    func claims(signedIn text: String, allowing allowed: Set<SignatureAlgorithm>) throws(SandboxError) -> JSONObject {
        let signature: JSONWebSignature
        do throws(JOSEError) {
            signature = try JSONWebSignature(parsing: text)
        } catch {
            throw SandboxError(
                error == .encrypted
                    ? "it is encrypted (JWE), and the sandbox has no key to decrypt it" : "it is not a signed JWT")
        }
        guard let algorithm = try? signature.algorithm(allowing: allowed) else {
            throw SandboxError("its algorithm \(signature.algorithmName.shown) is not allowed")
        }
        if algorithm.isSymmetric, let count = secret?.utf8.count, count < algorithm.digest.rawValue {
            // RFC 7518 §3.2.
            let needed = "\(algorithm.rawValue) needs at least \(algorithm.digest.rawValue)"
            throw SandboxError("the client secret has \(count) bytes, but \(needed)")
        }
        guard hasSigned(signature, algorithm) else {
            let failure = algorithm.isSymmetric ? nil : keyFailure
            throw SandboxError(failure ?? lackOfKey(for: algorithm, signature.keyID))
        }
        guard let claims = (try? JSON(parsing: signature.payload))?.object else {
            throw SandboxError("it has no claims")
        }
        return claims
    }

    func hasSigned(_ signature: JSONWebSignature, _ algorithm: SignatureAlgorithm) -> Bool {
        keys(for: algorithm, id: signature.keyID).contains { key in
            (try? signature.verify(with: key, allowing: [algorithm])) != nil
        }
    }

    private func lackOfKey(for algorithm: SignatureAlgorithm, _ id: String?) -> String {
        guard keys(for: algorithm, id: id).isEmpty else { return "it is not signed with a key of the client" }
        guard !algorithm.isSymmetric else { return "the client has no secret for \(algorithm.rawValue)" }
        let name = id.map { " and the kid \($0.shown)" } ?? ""
        let place = keySetURL.map { " at \($0.shown(upTo: 200))" } ?? ""
        let key = "key with the kty \(algorithm.keyType.rawValue)\(name) for \(algorithm.rawValue)"
        return "the client has no \(key)\(place)"
    }
}

extension JSONObject {
    /// Checks that the header of a JWT does not name another purpose (RFC 8725 §3.11, RFC 9101 §10.8).
    func checkType(_ own: String) throws(SandboxError) {
        guard let type = self["typ"] else { return }
        let name = type.string?.lowercased() ?? ""
        guard ["jwt", own, "application/\(own)"].contains(name) else {
            throw SandboxError("its typ must be \(own) or JWT")
        }
    }

    /// Checks the times of a JWT that are there (RFC 7519 §4.1).
    func checkTimes(now: Int) throws(SandboxError) {
        for name in ["exp", "nbf", "iat"] where self[name] != nil && self[name]?.integer == nil {
            throw SandboxError("its \(name) is not a time")
        }
        if let expiry = self["exp"]?.integer, expiry <= now { throw SandboxError("it has expired") }
        guard self["nbf"]?.integer ?? now <= now + SandboxServer.clockTolerance else {
            throw SandboxError("its nbf is in the future")
        }
    }
}
