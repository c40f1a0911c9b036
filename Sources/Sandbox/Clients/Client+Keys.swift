internal import JOSE
internal import Wire

extension Client {
    /// Takes the keys from metadata: `jwks` or `jwks_uri` (RFC 7591 §2), unless the sandbox cannot fetch that.
    mutating func setKeys(from members: JSONObject, for method: AuthenticationMethod) throws(Refusal) {
        guard members["jwks"] == nil || members["jwks_uri"] == nil else {
            throw .invalidMetadata("jwks and jwks_uri must not both be present (RFC 7591 section 2)")
        }
        keys = try Self.keys(of: members)
        keySetURL = try Self.string("jwks_uri", of: members).flatMap { Self.canBeFetched($0) ? $0 : nil }
        guard keySetURL == nil else { return }
        guard method != .privateKeyJWT || !keys.isEmpty else {
            throw .invalidMetadata("private_key_jwt needs \(Self.source)")
        }
        guard method != .selfSignedTLS || keys.contains(where: { $0["x5c"] != nil }) else {
            throw .invalidMetadata("self_signed_tls_client_auth needs \(Self.source), with x5c")
        }
    }

    private static let source = "jwks, or a jwks_uri of https or of http on loopback"

    /// Plain http is allowed on loopback only.
    private static func canBeFetched(_ text: String) -> Bool {
        guard let url = WebURL(text), url.host?.isEmpty == false, url.userinfo == nil, url.fragment == nil else {
            return false
        }
        return url.scheme == "https" || url.scheme == "http" && url.isLoopback
    }

    private static func keys(of members: JSONObject) throws(Refusal) -> [JSONObject] {
        guard let set = members["jwks"] else { return [] }
        guard let keys = set.object?["keys"]?.array else { throw .invalidMetadata("jwks is not a JWK Set") }
        let objects = keys.compactMap(\.object).filter { $0["d"] == nil && (try? JSONWebKey($0)) != nil }
        guard objects.count == keys.count else {
            throw .invalidMetadata("jwks has an element that is not a public key")
        }
        return objects
    }
}
