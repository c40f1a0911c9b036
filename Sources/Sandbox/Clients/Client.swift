internal import JOSE
internal import Wire

/// A registered client (RFC 7591 §2).
struct Client {
    /// The client identifier.
    let id: String
    /// The secret, where it has one.
    var secret: String?
    /// The ways in which it may prove who it is.
    var authenticationMethods: [AuthenticationMethod]
    /// The redirect URIs.
    var redirectURIs: [String]
    /// The grants that it may use.
    var grantTypes: [GrantType]
    /// The scope values that it may ask for.
    var scope: Scope
    /// How its ID tokens are signed.
    var idTokenAlgorithm: SignatureAlgorithm
    /// Its public keys.
    var keys: [JSONObject] = []
    /// Whether it takes no bearer tokens (RFC 9449 §5.2).
    var isBoundByDPoP = false
    /// Whether its authorization requests must be pushed (RFC 9126 §6).
    var requiresPushedRequests = false
    /// What was registered, as it is told again.
    var metadata: JSONObject = [:]
    /// The token that manages the registration (RFC 7592 §3).
    var registrationToken: String?

    /// The ways in which a client may prove who it is (RFC 7591 §2).
    enum AuthenticationMethod: String, CaseIterable {
        case none
        case basic = "client_secret_basic"
        case post = "client_secret_post"
        case secretJWT = "client_secret_jwt"
        case privateKeyJWT = "private_key_jwt"
    }

    /// Whether it can keep no secret (RFC 6749 §2.1).
    var isPublic: Bool { authenticationMethods == [.none] }
}

/// The grants, by their `grant_type`.
enum GrantType: String, CaseIterable {
    case authorizationCode = "authorization_code"
    case refreshToken = "refresh_token"
    case clientCredentials = "client_credentials"
    case deviceCode = "urn:ietf:params:oauth:grant-type:device_code"
    case tokenExchange = "urn:ietf:params:oauth:grant-type:token-exchange"
    case jwtBearer = "urn:ietf:params:oauth:grant-type:jwt-bearer"
}

extension Client {
    /// Whether an authorization response may go to a URI: it is one of those that are registered, byte for byte, but for
    /// the port where both are on loopback (RFC 6749 §3.1.2.3, RFC 8252 §7.3).
    func accepts(redirectURI: String) -> Bool {
        guard let url = WebURL(redirectURI), url.fragment == nil else { return false }
        return redirectURIs.contains { registered in
            if registered.isIdentical(to: redirectURI) { return true }
            guard url.isLoopback, url.scheme == "http", let registered = WebURL(registered) else { return false }
            return registered.scheme == url.scheme && registered.host == url.host && registered.path == url.path
                && registered.query == url.query && registered.userinfo == nil && url.userinfo == nil
        }
    }

    /// The keys that may have signed an assertion with an algorithm: those that were registered, or the secret.
    func keys(for algorithm: SignatureAlgorithm, id: String?) -> [JSONWebKey] {
        if algorithm.isSymmetric { return secret.map { [JSONWebKey(secret: Array($0.utf8))] } ?? [] }
        let candidates = keys.filter { key in
            key["kty"]?.string == algorithm.keyType.rawValue && (id == nil || key["kid"]?.string == id)
        }
        return candidates.compactMap { try? JSONWebKey($0) }
    }
}
