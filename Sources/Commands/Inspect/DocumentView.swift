internal import OAuth
internal import Redaction
internal import Wire
internal import Tokens

/// What a document says, without its secrets.
struct DocumentView {
    private let members: JSONObject
    private let now: Int

    /// `now` is in seconds since 1970.
    init(_ members: JSONObject, now: Int) { (self.members, self.now) = (members, now) }

    private var isToken: Bool { members.holds("access_token") || members.holds("refresh_token") }

    /// The kind of document (oap-documents(5)).
    private var kind: String {
        if isToken { return "token" }
        return ["state", "code", "device_code", "auth_req_id", "authorization_url"].contains(where: members.holds)
            ? "flow" : "client"
    }

    /// What the document says, by the names of this program.
    var summary: JSONObject {
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
        result["bound_to"] = (access?.binding ?? configuredBinding).map { .string($0) } ?? .null
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

    /// What the document says of a binding, where the token says nothing.
    private var configuredBinding: String? {
        if members["token_type"]?.string?.equalsIgnoringASCIICase("DPoP") == true { return "a DPoP key" }
        return members["tls_client_certificate_bound_access_tokens"] == .bool(true) ? "a client certificate" : nil
    }

    /// The members that are shown as they are; none is a secret.
    private static let shown = [
        "issuer", "accept_issuer", "client_id", "grant_type", "scope", "granted_scope", "resource", "audience",
        "authorization_details", "token_type", "issued_token_type", "token_endpoint", "redirect_uri",
        "verification_uri", "expires_at", "refresh_token_expires_at", "authorization_expires_at", "api_base",
    ]
}

extension JSON {
    /// This value, or a URL without its password and the parameters that are credentials, for who asks what is stored.
    var withoutCredentials: JSON { string.map { .string(Redactor().redact(url: $0)) } ?? self }
}
