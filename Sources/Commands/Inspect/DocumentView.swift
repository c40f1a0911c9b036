internal import JOSE
internal import OAuth
internal import Redaction
internal import Wire
internal import Shell
internal import Tokens

/// What a document says, without its secrets.
struct DocumentView {
    private let members: JSONObject
    private let now: Int

    /// The file of the client's certificate.
    private let certificate: String?

    /// `now` is in seconds since 1970.
    init(_ members: JSONObject, now: Int, certificate: String? = nil) {
        (self.members, self.now, self.certificate) = (members, now, certificate)
    }

    private var isToken: Bool { members.holds("access_token") || members.holds("refresh_token") }

    /// The kind of document (oap-documents(5)).
    private var kind: String {
        if isToken { return "token" }
        return ["state", "code", "device_code", "auth_req_id", "authorization_url"].contains(where: members.holds)
            ? "flow" : "client"
    }

    /// The keys of a set, or the one that the document is (RFC 7517); nil for another document.
    private var keys: [JSONObject]? {
        if members["kty"]?.string != nil { return [members] }
        let keys = members["keys"]?.array?.compactMap(\.object).filter { $0["kty"]?.string != nil } ?? []
        return keys.isEmpty ? nil : keys
    }

    /// What a key says, without its private half. Of a secret that both sides share, a digest would help to guess it.
    fileprivate static func summary(of key: JSONObject) -> JSONObject {
        var result = JSONObject()
        for name in ["kid", "kty", "crv", "alg", "use"] { result[name] = key[name] }
        let isShared = key["kty"] == .string("oct")
        result["thumbprint"] = isShared ? nil : (try? JSONWebKey(key).thumbprint()).map { .string($0) }
        if isShared || key["d"] != nil { result["private"] = .bool(true) }
        return result
    }

    /// What matters of the metadata of a server (RFC 8414 §2); nil for the document of a client, which may have it too.
    private var server: JSONObject? {
        guard !isToken, members["issuer"] != nil, members["client_id"] == nil,
            members.members.contains(where: { $0.name.hasSuffix("_supported") })
        else { return nil }
        var result: JSONObject = ["kind": .string("server")]
        for member in members.members where member.name.hasSuffix("_endpoint") || Self.ofServer.contains(member.name) {
            result[member.name] = member.value.withoutCredentials
        }
        return result
    }

    /// What is shown of a server beside its endpoints.
    private static let ofServer: Set = [
        "issuer", "jwks_uri", "mtls_endpoint_aliases", "scopes_supported", "response_types_supported",
        "response_modes_supported", "grant_types_supported", "token_endpoint_auth_methods_supported",
        "token_endpoint_auth_signing_alg_values_supported", "code_challenge_methods_supported",
        "dpop_signing_alg_values_supported", "id_token_signing_alg_values_supported", "acr_values_supported",
        "authorization_details_types_supported", "authorization_response_iss_parameter_supported",
        "require_pushed_authorization_requests", "require_signed_request_object",
        "tls_client_certificate_bound_access_tokens", "client_id_metadata_document_supported",
    ]

    /// What the document says, by the names of this program.
    var summary: JSONObject {
        if let keys { return ["kind": .string("keys"), "keys": .array(keys.map { .object(Self.summary(of: $0)) })] }
        if let server { return server }
        var result: JSONObject = ["kind": .string(kind)]
        let claims = members["id_token_claims"]?.object ?? [:]
        result["account"] = (Account.name(in: claims) ?? members["logged_in_as"]?.string).map { .string($0) }
        result["sub"] = claims["sub"]
        for name in Self.shown where members[name]?.isNull == false {
            if name == "expires_at" { result["issued_at"] = issuedAt.map { .integer($0) } }
            result[name] = members[name]?.withoutCredentials
        }
        guard isToken else { return result }
        if let end = members["expires_at"]?.integer { result["seconds_left"] = .integer(end - now) }
        // A refresh token, or a grant that needs no person.
        result["renewed_by"] = TokenDocument.renewalGrant(of: members, now: now).map { .string($0.type) } ?? .null
        let access = members["access_token"]?.string.flatMap { try? JWTView($0) }
        result["bound_to"] = (access?.binding ?? configuredBinding).map { .object($0) } ?? .null
        if let access { result["access_token"] = .object(access.summary(now: now)) }
        if let text = members["id_token"]?.string, let token = try? JWTView(text) {
            let isChecked = token.claims == claims && !claims.members.isEmpty
            let signature = isChecked ? "checked when it was issued" : "not checked"
            result["id_token"] = .object(token.summary(now: now, signature: signature))
        }
        return result
    }

    /// When the access token was asked for, in seconds since 1970.
    private var issuedAt: Int? {
        guard let end = members["expires_at"]?.integer, let lifetime = members["expires_in"]?.integer else {
            return nil
        }
        return end - lifetime
    }

    /// What the document says of a binding, where the token says nothing; null for a thumbprint that is not known. Of a
    /// certificate it says what was asked for: a token that is bound to one is a bearer token (RFC 8705 §3).
    private var configuredBinding: JSONObject? {
        if members["token_type"]?.string?.equalsIgnoringASCIICase("DPoP") == true {
            return ["jkt": members[DPoPBinding.thumbprintMember] ?? .null]
        }
        guard members["tls_client_certificate_bound_access_tokens"] == .bool(true) else { return nil }
        let bytes = certificate.flatMap { try? InputFile.read($0, limit: InputFile.textLimit) } ?? []
        let blocks = PEMBlock.all(in: String(decoding: bytes, as: UTF8.self))
        let thumbprint = Certificate.thumbprint(among: blocks).map { JSON.string($0) } ?? .null
        return ["x5t#S256": thumbprint, "confirmed": .bool(false)]
    }

    /// The members that are shown as they are; none is a secret.
    private static let shown = [
        "issuer", "accept_issuer", "client_id", "grant_type", "scope", "granted_scope", "resource", "audience",
        "authorization_details", "token_type", "issued_token_type", "token_endpoint", "redirect_uri",
        "verification_uri", "expires_at", "refresh_token_expires_at", "authorization_expires_at", "api_base",
    ]
}

/// What a text in PEM says: its certificates, and its first key without the private half.
enum PEMView {
    /// What it says, by the names of this program; `now` is in seconds since 1970.
    ///
    /// - Throws: exit 3 for a certificate or a key that cannot be read.
    static func summary(of text: String, now: Int) throws(Failure) -> JSONObject {
        do throws(JOSEError) {
            let blocks = PEMBlock.all(in: text)
            var result: JSONObject = ["kind": .string("certificates")]
            if let block = blocks.first(where: { $0.label.hasSuffix("KEY") }) {
                let isPrivate = block.label.hasSuffix("PRIVATE KEY")
                let members =
                    try isPrivate
                    ? SigningKey(of: PrivateKeyText(text), passPhrase: nil).publicKey
                    : PublicKeyText.key(in: block.text)
                var key = DocumentView.summary(of: members ?? [:])
                if isPrivate { key["private"] = .bool(true) }
                result = ["kind": .string("keys"), "keys": .array([.object(key)])]
            }
            let certificates = blocks.filter { $0.label == "CERTIFICATE" }
            guard !certificates.isEmpty else { return result }
            result["certificates"] = .array(
                try certificates.map { (block) throws(JOSEError) in
                    let members = try Certificate.members(of: block)
                    let left = members["expires_at"]?.integer.map { JSON.integer($0 - now) }
                    return .object(members.setting("seconds_left", to: left ?? .null))
                })
            return result
        } catch {
            if case .library = error { throw Failure(error) }
            throw Failure(.badInput, .parse, "the PEM cannot be read: \(error)")
        }
    }
}

extension JSON {
    /// This value, or a URL without its password and the parameters that are credentials, for who asks what is stored.
    var withoutCredentials: JSON { string.map { .string(Redactor().redact(url: $0)) } ?? self }
}
