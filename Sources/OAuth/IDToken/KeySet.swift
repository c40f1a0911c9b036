package import JOSE
package import Wire

/// The public keys of an issuer, a JWK Set (RFC 7517 §5).
package struct KeySet: Sendable {
    /// Whether the set was fetched for the token at hand. Such a set is not fetched again (OpenID Connect Core §10.1.1).
    let isFresh: Bool
    package let warnings: [OAuthWarning]
    private let keys: [JSONObject]
    /// Whether a key must have the `kid` that a signature names.
    private var isNamed = true

    /// The request for the set (RFC 7517 §8.5).
    package static func request(to endpoint: Endpoint) -> HTTPRequest {
        HTTPRequest(
            method: "GET", url: endpoint.url.text,
            headers: [HTTPField("Accept", "application/json, application/jwk-set+json")])
    }

    /// The set without a key, for signatures that need none of the issuer's.
    package static let empty = KeySet(isFresh: false, warnings: [], keys: [])

    /// Whether the keys of the issuer must be fetched before a signature can be checked: no set is at hand, or none of
    /// its keys is the one that the signature names, and it was not fetched for this token. False where a
    /// key would not help: the algorithm is not allowed, or its key is a secret.
    package static func mustFetch(
        for signature: JSONWebSignature, allowing allowed: Set<SignatureAlgorithm>, known: KeySet?
    ) -> Bool {
        guard let algorithm = try? signature.algorithm(allowing: allowed), !algorithm.isSymmetric else { return false }
        guard let known else { return true }
        return !known.isFresh && known.candidates(for: algorithm, id: signature.keyID).isEmpty
    }

    /// Checks a signature with the one key of the set that fits it; HMAC with the secret that both sides share, never
    /// with a key of the set. The header names the key by `kid`; what else it says about keys (`jwk`, `jku`, `x5c`) is
    /// not looked at (RFC 8725 §3.10).
    ///
    /// - Parameter secret: the client secret, where HMAC is allowed; its octets are the key (OpenID Connect Core §10.1).
    /// - Returns: warnings about the key.
    /// - Throws: `id_token_alg`, `key_not_found`, `key_ambiguous`, `key_weak`, `key_invalid`, `signature`,
    ///   `unsupported`.
    func verify(
        _ signature: JSONWebSignature, allowing allowed: Set<SignatureAlgorithm>, secret: String? = nil
    ) throws(OAuthError) -> [OAuthWarning] {
        let algorithm = try OAuthError.translating(try signature.algorithm(allowing: allowed))
        let key: JSONWebKey
        var warnings: [OAuthWarning] = []
        if algorithm.isSymmetric {
            guard let secret else { throw OAuthError(JOSEError.algorithm(algorithm.rawValue)) }
            key = JSONWebKey(secret: Array(secret.utf8))
        } else {
            let members = try self.key(for: algorithm, id: signature.keyID)
            key = try OAuthError.translating(try JSONWebKey(members))
            if Self.privateMembers.contains(where: { members[$0] != nil }) {
                warnings.append(.privateKeyMember)
            }
        }
        do throws(OAuthError) {
            try OAuthError.translating(try signature.verify(with: key, allowing: [algorithm]))
        } catch {
            var error = error
            if error.kind == .keyWeak, algorithm.isSymmetric {
                error.hint = "the server must issue a longer client secret, or sign with another algorithm"
            }
            throw error
        }
        return warnings
    }
}

extension KeySet {
    /// Reads the response of `jwks_uri`. Elements that are no objects are ignored, as keys of unknown kinds are when
    /// one is chosen.
    ///
    /// - Parameter isForToken: whether it was asked for the token at hand, and not before there was one.
    /// - Throws: `redirect_refused`, `http_status`, `not_json`, `parse`, `invalid_response`.
    package init(_ response: EndpointResponse, isForToken: Bool = true) throws(OAuthError) {
        let body = try response.members(of: "the jwks_uri", for: .document)
        let name = Endpoint.description("the key set at", response.head.url)
        self.init(isFresh: isForToken, warnings: body.warnings, keys: try Self.keys(in: body.members, named: name))
    }

    /// Reads what the user has: a set, or one key. A single key needs no `kid`: there is no other to take it for.
    ///
    /// - Throws: `invalid_response`.
    package init(reading members: JSONObject) throws(OAuthError) {
        let keys = members["kty"] == nil ? try Self.keys(in: members) : [members]
        self.init(isFresh: true, warnings: [], keys: keys, isNamed: keys.count > 1)
    }

    private static func keys(
        in members: JSONObject, named name: String = "the key set"
    ) throws(OAuthError) -> [JSONObject] {
        guard let elements = members["keys"]?.array else {
            throw OAuthError(.invalidResponse, "\(name) has no array \"keys\"", member: "keys")
        }
        return elements.compactMap(\.object)
    }

    /// RFC 7518 §6.2.2, §6.3.2.
    private static let privateMembers = ["d", "p", "q", "dp", "dq", "qi", "oth"]

    private func key(for algorithm: SignatureAlgorithm, id: String?) throws(OAuthError) -> JSONObject {
        let candidates = candidates(for: algorithm, id: id)
        let wanted = id.map { "\(algorithm.rawValue) and the kid \(JSON.string($0).text)" } ?? algorithm.rawValue
        guard let key = candidates.first else {
            throw OAuthError(.keyNotFound, "the issuer has no key for \(wanted)", member: "kid")
        }
        guard candidates.count == 1 else {
            throw OAuthError(.keyAmbiguous, "the issuer has \(candidates.count) keys for \(wanted)", member: "kid")
        }
        return key
    }

    /// The keys that may have made a signature: their type fits the algorithm, nothing says that they are for something
    /// else, and they have the `kid` that was asked for (RFC 7517 §4). A member that is null counts as absent.
    private func candidates(for algorithm: SignatureAlgorithm, id: String?) -> [JSONObject] {
        keys.filter { key in
            let isAbsent = { (name: String, orElse: (JSON) -> Bool) in key[name].map { $0.isNull || orElse($0) } ?? true
            }
            return key["kty"] == .string(algorithm.keyType.rawValue)
                && (algorithm.curve == nil || key["crv"] == algorithm.curve.map(JSON.string))
                && (id == nil || !isNamed && key["kid"] == nil || key["kid"]?.keyID == id)
                && isAbsent("alg") { $0.string.map(algorithm.isNamed) ?? false }
                && isAbsent("use") { $0 == .string("sig") }
                && isAbsent("key_ops") { $0.array?.contains(.string("verify")) == true }
        }
    }
}
