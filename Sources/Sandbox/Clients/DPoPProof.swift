internal import JOSE
internal import Wire

extension SandboxServer {
    /// Checks the DPoP proof of a request (RFC 9449 §4.3), and its access token hash if a token is given (§7.1). Asks for a
    /// nonce (§8) if the settings say so.
    ///
    /// - Returns: the thumbprint of its key; nil if there is no proof.
    func verifyProof(of request: SandboxRequest, token: String? = nil) throws(Refusal) -> String? {
        let fields = request.headers.values(of: "DPoP")
        guard let text = fields.first else { return nil }
        guard fields.count == 1 else { throw .invalidProof("there is more than one DPoP field") }
        let (claims, thumbprint) = try Self.verifiedProof(text)
        guard claims["htm"]?.string == request.method else {
            throw .invalidProof("htm is not the method of the request")
        }
        guard let target = claims["htu"]?.string, urls(request.path).contains(where: { Self.isSame(target, $0) }) else {
            throw .invalidProof("htu is not the URL of the request")
        }
        if let token {
            guard claims["ath"]?.string == Base64.encodeURL(Digest.sha256(Array(token.utf8))) else {
                throw .invalidProof("ath is not the hash of this access token")
            }
        }
        guard let made = claims["iat"]?.integer, abs(made - now) <= Self.clockTolerance else {
            throw .invalidProof("iat is too far from the time of the server")
        }
        try checkNonce(claims["nonce"]?.string)
        guard let id = claims["jti"]?.string, !id.isEmpty else { throw .invalidProof("jti is missing") }
        guard use(identifier: "\(thumbprint) \(id)", for: 2 * Self.clockTolerance) else {
            throw .invalidProof("jti has been used")
        }
        return thumbprint
    }

    private func checkNonce(_ nonce: String?) throws(Refusal) {
        guard settings.requiresDPoPNonce || nonce != nil else { return }
        guard let nonce, [dpopNonce(ago: 0), dpopNonce(ago: 1)].contains(nonce) else {
            var refusal = Refusal("use_dpop_nonce", "the DPoP proof needs the nonce in the DPoP-Nonce field")
            refusal.headers = [HTTPField("DPoP-Nonce", dpopNonce(ago: 0))]
            throw refusal
        }
    }

    /// The nonce of this period of time or an earlier one, derived so that none has to be stored.
    private func dpopNonce(ago periods: Int) -> String {
        let period = now / Self.nonceLifetime - periods
        return Base64.encodeURL(Digest.sha256(nonceSecret + Array(String(period).utf8)).prefix(16))
    }

    private static let nonceLifetime = 300

    private static func verifiedProof(_ text: String) throws(Refusal) -> (JSONObject, String) {
        guard let proof = try? JSONWebSignature(parsing: text), proof.header["typ"]?.string == "dpop+jwt",
            let members = proof.header["jwk"]?.object, members["d"] == nil, let key = try? JSONWebKey(members),
            (try? proof.verify(with: key, allowing: SignatureAlgorithm.asymmetric)) != nil,
            let claims = (try? JSON(parsing: proof.payload))?.object, let thumbprint = try? key.thumbprint()
        else { throw .invalidProof("it is not a dpop+jwt signed with the public key in its header") }
        return (claims, thumbprint)
    }

    /// Query, fragment (§4.3) and the case of the host are ignored.
    private static func isSame(_ target: String, _ url: String) -> Bool {
        guard let target = WebURL(target), let url = WebURL(url) else { return false }
        return target.origin == url.origin && target.path == url.path
    }
}

extension Refusal {
    fileprivate static func invalidProof(_ reason: String) -> Refusal {
        Refusal("invalid_dpop_proof", "the DPoP proof is refused: \(reason)")
    }
}
