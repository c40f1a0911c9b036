internal import JOSE
package import Wire

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

extension Client {
    /// Checks the metadata of a client of the person who runs the sandbox, which has its `client_id`, and a
    /// `client_secret` if it authenticates with one; `settings` has the scope values, and the clients before it.
    package init(own document: JSONObject, settings: SandboxSettings) throws(SandboxError) {
        for name in ["client_id", "client_secret"] {
            guard document[name] == nil || document[name]?.string?.isEmpty == false else {
                throw SandboxError("\(name) is not a string, or it is empty")
            }
        }
        guard let id = document["client_id"]?.string else {
            throw SandboxError("client_id is missing")
        }
        guard !(ClientRegistry.builtIn + settings.clients).contains(where: { $0.id == id }) else {
            throw SandboxError("a client \(id.shown) exists already")
        }
        let secret = document["client_secret"]?.string
        var members = document
        if members["token_endpoint_auth_method"] == nil, secret == nil {
            members["token_endpoint_auth_method"] = .string(Client.AuthenticationMethod.none.rawValue)
        }
        do throws(Refusal) {
            self = try Client(registering: members, settings, id: id, issuedAt: 0, newSecret: secret ?? "")
        } catch {
            throw SandboxError(error.description)
        }
        guard self.secret?.isEmpty != true else { throw SandboxError("client_secret is missing") }
    }
}
