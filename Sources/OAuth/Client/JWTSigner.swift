internal import JOSE
internal import Members
package import Wire

/// Signs JWTs of a client with its key or its secret.
package final class JWTSigner: Sendable {
    private let key: SigningKey
    /// The thumbprint of a certificate beside the key: Microsoft's servers find the key by it.
    private let certificateThumbprint: String?

    /// Takes the client's private key.
    ///
    /// - Throws: `usage`, `key_weak`, `unsupported`, `library`, blamed on the key.
    package init(
        of document: Document, key text: String, passPhrase: String?, for use: Use
    ) throws(OAuthError) {
        let algorithms = try Self.algorithms(of: document, for: use)
        let id = try document.string("client_key_id")
        do throws(JOSEError) {
            let text = try PrivateKeyText(text)
            certificateThumbprint = text.certificateThumbprint
            key = try SigningKey(of: text, passPhrase: passPhrase, keyID: id, preferring: algorithms)
        } catch {
            throw Self.oauthError(of: error, in: document)
        }
    }

    /// Takes a secret that both sides share: its bytes are the key of HMAC (OpenID Connect Core §10.1).
    ///
    /// - Throws: `key_weak` for one that is shorter than the digest.
    init(of document: Document, secret: String, for use: Use) throws(OAuthError) {
        let algorithm = try Self.algorithms(of: document, for: use).first(where: \.isSymmetric) ?? .hs256
        do throws(JOSEError) {
            certificateThumbprint = nil
            key = try SigningKey(secret: Array(secret.utf8), algorithm: algorithm)
        } catch {
            var failure = OAuthError(error)
            failure.hint = "a server that issues such a secret may take \(ClientAuthenticationMethod.basic.rawValue)"
            throw failure
        }
    }

    /// - Parameter showsKey: whether the header has the public key (`jwk`) and no `kid`, as in a DPoP proof (RFC 9449 §4.2).
    package func sign(
        _ claims: JSONObject, type: String? = nil, showsKey: Bool = false
    ) throws(OAuthError) -> String {
        var header = JSONObject()
        header["typ"] = type.map { .string($0) }
        header["x5t#S256"] = certificateThumbprint.map { .string($0) }
        if showsKey { header["jwk"] = (try? JSONWebKey(key.publicKey ?? [:])).map { .object($0.publicMembers) } }
        let input = key.signingInput(
            JSON.object(claims).bytes, under: key.protectedHeader(header, hasKeyID: !showsKey))
        return try OAuthError.translating(try key.sign(input))
    }

    /// The public half, for a registration; nil for a secret.
    package var publicKey: JSONObject? { key.publicKey }

    /// The signer for messages: `the alg RS256, the kid "a"`.
    var description: String {
        "the alg \(key.algorithm.rawValue), \(key.keyID.map { "the kid \(JSON.string($0).text)" } ?? "no kid")"
    }

    /// What the JWTs are for.
    package enum Use: Sendable {
        /// To authenticate at the endpoint of this member.
        case authentication(at: String)
        /// Signed authorization requests (RFC 9101).
        case requestObject

        /// The member that names the algorithm of the client.
        fileprivate var member: String {
            switch self {
            case .authentication: "token_endpoint_auth_signing_alg"
            case .requestObject: "request_object_signing_alg"
            }
        }

        /// The members in which the server lists algorithms; the first that there is counts.
        fileprivate var lists: [String] {
            switch self {
            case .authentication(let endpoint):
                [endpoint, "token_endpoint"].map { "\($0)_auth_signing_alg_values_supported" }
            case .requestObject: ["request_object_signing_alg_values_supported"]
            }
        }
    }

    /// The algorithms that may be used, the best first: the one that the client is registered with, else those that the
    /// server lists.
    ///
    /// - Throws: `usage` for an unknown name.
    private static func algorithms(of document: Document, for use: Use) throws(OAuthError) -> [SignatureAlgorithm] {
        if let name = try document.string(use.member) {
            guard let algorithm = SignatureAlgorithm(named: name) else {
                let known = SignatureAlgorithm.allCases.map(\.rawValue).joined(separator: ", ")
                throw document.invalid(use.member, "\(name) is not supported", hint: "oap signs with \(known)")
            }
            return try allowed([algorithm], for: document)
        }
        var listed: [String] = []
        for list in use.lists where listed.isEmpty { listed = try document.strings(list) }
        let usual = SigningKey.usual + [.hs256, .hs384, .hs512]
        let common = usual.filter { listed.contains($0.rawValue) }
        return try allowed(common.isEmpty ? usual : common, for: document)
    }

    /// The algorithms that the profile of the document allows too.
    ///
    /// - Throws: `usage` if there is none.
    private static func allowed(
        _ algorithms: [SignatureAlgorithm], for document: Document
    ) throws(OAuthError) -> [SignatureAlgorithm] {
        guard try SecurityProfile(of: document) != nil else { return algorithms }
        let allowed = SecurityProfile.algorithms.filter(algorithms.contains)
        guard !allowed.isEmpty else {
            let names = algorithms.map(\.rawValue).joined(separator: ", ")
            throw OAuthError(
                .usage, "the profile fapi2 does not allow the algorithm \(names) (FAPI 2.0, section 5.4.1)",
                member: "token_endpoint_auth_signing_alg", origin: .document)
        }
        return allowed
    }

    private static func oauthError(of error: JOSEError, in document: Document) -> OAuthError {
        var failure = OAuthError.ofKey(error, in: ClientCredential.key.member)
        if document.origin(of: ClientCredential.key.fileMember) == .option { failure.origin = .caller }
        if case .passPhrase = error { failure.hint = Member.named(ClientCredential.passPhrase)?.supply }
        return failure
    }
}
