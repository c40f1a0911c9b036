internal import JOSE
package import Wire

/// The key that an access token is bound to, and the nonces that servers want in its proofs (RFC 9449). All requests of a
/// process that use one key share it, so that the newest nonce counts for all.
package final class DPoPBinding {
    /// The SHA-256 thumbprint of the public key, `jkt` (RFC 9449 §6.1).
    package let thumbprint: String
    private let signer: SigningKey
    /// The protected header of all its proofs, in base64url.
    package let header: String
    /// The access token of the last proof, and its hash.
    private var hashed = (token: "", hash: "")
    private let random: () -> [UInt8]?
    /// The newest nonce of each origin, as `as ORIGIN` for the authorization server and as `rs ORIGIN` for an API: each has
    /// its own (RFC 9449 §8.2).
    private var nonces: JSONObject
    /// The places whose nonces are new since the document was read.
    private var changed: Set<String> = []

    /// The error for a token whose key is not there.
    package static let missing = OAuthError(
        .metadataMissing, "\(keyMember) is missing: the token is bound to a DPoP key",
        hint: "use the document that oap exchange or oap login made, which has the key", member: keyMember)

    /// The members of a document that keep it.
    package static let keyMember = "dpop_key"
    package static let passPhraseMember = "dpop_key_passphrase"
    package static let noncesMember = "dpop_nonces"
    /// The member with the thumbprint of the key that a code or a token is bound to.
    package static let thumbprintMember = "dpop_jkt"

    /// Takes a private key: PEM or a JSON Web Key.
    ///
    /// - Parameters:
    ///   - passPhrase: that of an encrypted PEM.
    ///   - algorithms: those that the server takes for proofs; empty for any.
    ///   - nonces: the nonces of the document.
    /// - Throws: `usage`, `key_weak`, `library`, blamed on the key.
    package init(
        key text: String, passPhrase: String? = nil, algorithms: [String] = [], nonces: JSONObject = [:],
        random: @escaping () -> [UInt8]? = { try? SecureRandom.bytes(16) }
    ) throws(OAuthError) {
        let usual = SigningKey.usual.filter { algorithms.isEmpty || algorithms.contains($0.rawValue) }
        do throws(JOSEError) {
            signer = try SigningKey(of: PrivateKeyText(text), passPhrase: passPhrase, preferring: usual)
            let members = try JSONWebKey(signer.publicKey ?? [:])
            thumbprint = try members.thumbprint()
            header = signer.protectedHeader(
                ["typ": .string("dpop+jwt"), "jwk": .object(members.publicMembers)], hasKeyID: false)
        } catch {
            throw OAuthError.ofKey(error, in: Self.keyMember)
        }
        (self.nonces, self.random) = (nonces, random)
    }

    /// The algorithms that a server takes for proofs, and a profile of the client allows; empty for any.
    ///
    /// - Throws: `usage`.
    package static func algorithms(for document: Document) throws(OAuthError) -> [String] {
        let listed = try document.strings("dpop_signing_alg_values_supported")
        return try SecurityProfile(of: document) == nil ? listed : SecurityProfile.names(among: listed)
    }

    /// The text of a new key, a private JSON Web Key: for ES256 if the server takes that, since proofs with it cost the least.
    ///
    /// - Parameter listed: the algorithms that the server takes for proofs; empty for any.
    /// - Throws: `unsupported` if it takes none of ours; `library`.
    package static func newKey(for listed: [String] = []) throws(OAuthError) -> String {
        let own: [SignatureAlgorithm] = [.es256, .edDSA, .ed25519, .ps256, .rs256, .es384, .es512]
        guard let algorithm = own.first(where: { listed.isEmpty || listed.contains($0.rawValue) }) else {
            throw OAuthError(
                .unsupported,
                "the server takes proofs of a key (DPoP) only with \(listed.prefix(5).joined(separator: ", "))",
                member: "dpop_signing_alg_values_supported")
        }
        var members = try OAuthError.translating(try SigningKey(generatedFor: algorithm).privateKey()) ?? [:]
        members.remove(["kid", "use"])
        return JSON.object(members).text
    }

    /// A proof but for its signature.
    package struct UnsignedProof: Sendable {
        fileprivate let input: String
        fileprivate let signer: SigningKey
        fileprivate let isForAPI: Bool
        /// The place of its nonce among those of the key.
        fileprivate let place: String
        /// The newest nonce when it was made.
        let nonce: String?

        /// The field for the request. Any thread may call it. Nil if libcrypto fails, which it does not with a key that has
        /// signed before; without a proof the server refuses the request.
        package func sign() -> HTTPField? { (try? signer.sign(input)).map { HTTPField("DPoP", $0) } }

        package func sign(_ message: inout HTTPRequest) { message.carry(sign()) }
    }

    /// The proof of a request that is complete: each attempt has its own, with the newest nonce (RFC 9449 §4.2, §8).
    ///
    /// - Parameters:
    ///   - token: the access token that the request carries; nil at the authorization server.
    ///   - now: seconds since 1970.
    /// - Throws: `library`, `usage` for a URL without a host.
    package func proof(of message: HTTPRequest, token: String?, now: Int) throws(OAuthError) -> UnsignedProof {
        guard let url = WebURL(message.url) else { throw OAuthError(.usage, "the URL of the request is not a URL") }
        guard let random = random() else { throw OAuthError(.library, "the system gives no random bytes") }
        let origin = url.origin
        // The URL as it is sent, without query and fragment.
        let target = origin + (url.path.isEmpty ? "/" : url.path)
        var claims: JSONObject = [
            "jti": .string(Base64.encodeURL(random)), "htm": .string(message.method), "htu": .string(target),
            "iat": .integer(now),
        ]
        claims["ath"] = token.map { .string(hash(of: $0)) }
        let place = "\(token == nil ? "as" : "rs") \(origin)"
        let nonce = nonces[place]?.string
        claims["nonce"] = nonce.map { .string($0) }
        return UnsignedProof(
            input: signer.signingInput(JSON.object(claims).bytes, under: header), signer: signer,
            isForAPI: token != nil, place: place, nonce: nonce)
    }

    private func hash(of token: String) -> String {
        if hashed.token != token { hashed = (token, Base64.encodeURL(Digest.sha256(Array(token.utf8)))) }
        return hashed.hash
    }

    /// Takes note of the nonce of an answer to a proof, whatever its status (RFC 9449 §8.2). One that is no nonce is ignored.
    ///
    /// - Parameter body: what an authorization server answers.
    /// - Returns: whether the server asks for a nonce that the proof did not have (§8, §9), an API in any of its challenges.
    @discardableResult
    package func learn(from head: HTTPResponseHead, body: [UInt8] = [], to proof: UnsignedProof) -> Bool {
        if let nonce = head.headers.first("DPoP-Nonce"), Self.isNonce(nonce), nonces[proof.place] != .string(nonce) {
            nonces[proof.place] = .string(nonce)
            changed.insert(proof.place)
            Self.drop(from: &nonces)
        }
        guard let newest = nonces[proof.place]?.string, newest != proof.nonce else { return false }
        if proof.isForAPI {
            return head.status == 401
                && head.headers.challenges
                    .contains { $0.scheme == "dpop" && $0["error"] == "use_dpop_nonce" }
        }
        return [400, 401].contains(head.status)
            && (try? JSON(parsing: body))?.object?["error"]?.string == "use_dpop_nonce"
    }

    /// Servers are few; a hostile one may have many origins.
    private static func drop(from nonces: inout JSONObject) {
        while nonces.members.count > mostOrigins { nonces[nonces.members[0].name] = nil }
    }

    private static let mostOrigins = 16

    /// 1*NQCHAR (RFC 9449 §8.1), and no longer than a header field may be.
    private static func isNonce(_ text: String) -> Bool {
        (1...4096).contains(text.utf8.count)
            && text.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != 0x22 && $0 != 0x5C }
    }

    package var hasNewNonces: Bool { !changed.isEmpty }

    /// A document with the nonces that are new since it was read. Another process may have kept newer ones of other
    /// servers meanwhile, which stay.
    package func addingNonces(to document: JSONObject) -> JSONObject {
        let new = nonces.members.filter { changed.contains($0.name) }
        guard !new.isEmpty else { return document }
        var kept = document[Self.noncesMember]?.object ?? [:]
        for nonce in new {
            // The newest comes last.
            kept[nonce.name] = nil
            kept[nonce.name] = nonce.value
        }
        Self.drop(from: &kept)
        return document.setting(Self.noncesMember, to: .object(kept))
    }
}

extension Document {
    /// Whether the client's access tokens are to be bound to a DPoP key.
    ///
    /// - Throws: `usage` for a member of another type.
    package var isDPoPBound: Bool {
        get throws(OAuthError) {
            if let said = try bool("dpop_bound_access_tokens") { return said }
            if hasDPoPKey || members.holds(DPoPBinding.keyMember) { return true }
            let isOfCertificate = try bool("tls_client_certificate_bound_access_tokens") == true && hasCertificate
            return try SecurityProfile(of: self) == .fapi2 && !isOfCertificate
        }
    }
}

extension HTTPRequest {
    /// Takes a proof in the place of an earlier one.
    package mutating func carry(_ proof: HTTPField?) {
        headers.removeAll { $0.name.equalsIgnoringASCIICase("DPoP") }
        headers += proof.map { [$0] } ?? []
    }
}
