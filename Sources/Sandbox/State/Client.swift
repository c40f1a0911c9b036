internal import JOSE
internal import Wire

/// A registered client (RFC 7591 §2).
package struct Client: Sendable {
    let id: String
    var secret: String?
    var authenticationMethods: [AuthenticationMethod]
    var redirectURIs: [String]
    /// The client's `post_logout_redirect_uris` (OpenID Connect RP-Initiated Logout §3.1); nil if it has none.
    var logoutRedirectURIs: [String]?
    var grantTypes: [GrantType]
    var scope = Scope.standard
    /// The types of authorization details that it may use (RFC 9396 §10); nil for all of the server.
    var registeredDetailTypes: [String]?
    var idTokenAlgorithm = SignatureAlgorithm.es256
    /// How the client's other responses are signed, as far as it has registered that.
    var signatures: [ProtectedResponse: SignatureAlgorithm] = [:]
    /// How the client's responses are encrypted.
    var encryptions: [ProtectedResponse: TokenEncryption] = [:]
    /// The only algorithm of its client assertions, if it registered one (`token_endpoint_auth_signing_alg`, OpenID
    /// Connect Registration §2).
    var assertionAlgorithm: SignatureAlgorithm?
    /// The only `alg` of its request objects, if it registered one; `none` allows objects without a signature
    /// (`request_object_signing_alg`, OpenID Connect Registration §2).
    var requestObjectAlgorithm: String?
    /// Whether the client's authorization requests must be signed request objects (RFC 9101 §10.5).
    var requiresSignedRequestObjects = false
    /// The client's public keys: the registered ones (`jwks`), or those that were fetched last.
    var keys: [JSONObject] = []
    /// Where the client's keys are fetched (`jwks_uri`); nil if they are registered, or if it has none.
    var keySetURL: String?
    /// Why the last fetch brought no keys; nil if it did, or if there was none.
    var keyFailure: String?
    /// Whether all tokens of the client must be bound to a DPoP key (RFC 9449 §5.2).
    var isBoundByDPoP = false
    /// Whether the client's access tokens are bound to its certificate (RFC 8705 §3.4).
    var isBoundByCertificate = false
    /// The registered member and value of the certificate of `tls_client_auth`.
    var certificateSubject: (name: String, value: String)?
    /// Whether the client's authorization requests must be pushed (RFC 9126 §6).
    var requiresPushedRequests = false
    var metadata: JSONObject = [:]
    /// The token that manages the registration (RFC 7592 §3).
    var registrationToken: String?

    /// The authentication methods of clients (RFC 7591 §2).
    enum AuthenticationMethod: String, CaseIterable {
        case none
        case basic = "client_secret_basic"
        case post = "client_secret_post"
        case secretJWT = "client_secret_jwt"
        case privateKeyJWT = "private_key_jwt"
        case tls = "tls_client_auth"
        case selfSignedTLS = "self_signed_tls_client_auth"

        var hasSecret: Bool { [.basic, .post, .secretJWT].contains(self) }
        /// Whether the client authenticates by its certificate in the TLS handshake (RFC 8705 §2).
        var isByCertificate: Bool { self == .tls || self == .selfSignedTLS }
    }

    /// Whether the client is public (RFC 6749 §2.1).
    var isPublic: Bool { authenticationMethods == [.none] }

    var name: String? { metadata["client_name"]?.string.flatMap { $0.isEmpty ? nil : $0 } }
}

extension Client {
    /// Whether an authorization response may go to a URI: it is registered, compared byte for byte, except for the port
    /// if both are on loopback (RFC 6749 §3.1.2.3, RFC 8252 §7.3).
    func accepts(redirectURI: String) -> Bool {
        guard let url = WebURL(redirectURI), url.fragment == nil else { return false }
        return redirectURIs.contains { registered in
            if registered.isIdentical(to: redirectURI) { return true }
            guard url.isLoopback, url.scheme == "http", let registered = WebURL(registered) else { return false }
            return registered.scheme == url.scheme && registered.host == url.host && registered.path == url.path
                && registered.query == url.query && registered.userinfo == nil && url.userinfo == nil
        }
    }

    /// Whether the browser may be sent to a URI after a logout: it is exactly one of `post_logout_redirect_uris` (OpenID
    /// Connect RP-Initiated Logout §3). Without these, a client that did not register by itself has those of logins.
    func accepts(logoutRedirectURI: String) -> Bool {
        guard let logoutRedirectURIs else { return registrationToken == nil && accepts(redirectURI: logoutRedirectURI) }
        return logoutRedirectURIs.contains { $0.isIdentical(to: logoutRedirectURI) }
    }

    var effectiveLogoutRedirectURIs: [String] { logoutRedirectURIs ?? (registrationToken == nil ? redirectURIs : []) }

    var keyFetch: KeyFetch? { keySetURL.map { KeyFetch(clientID: id, url: $0) } }

    /// The keys for assertions with an algorithm: the registered ones, or the secret.
    func keys(for algorithm: SignatureAlgorithm, id: String?) -> [JSONWebKey] {
        if algorithm.isSymmetric { return secret.map { [JSONWebKey(secret: Array($0.utf8))] } ?? [] }
        let candidates = keys.filter { key in
            key["kty"]?.string == algorithm.keyType.rawValue && (id == nil || key["kid"]?.string == id)
        }
        return candidates.compactMap { try? JSONWebKey($0) }
    }
}
