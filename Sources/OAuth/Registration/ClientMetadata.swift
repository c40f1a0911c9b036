internal import Members
package import Wire

/// The metadata of a client, as a registration sends it (RFC 7591 §2).
package struct ClientMetadata: Sendable {
    package private(set) var members: JSONObject

    /// The members that may have a language tag behind `#` (RFC 7591 §2.2).
    private static let translated: Set<String> = ["client_name", "client_uri", "logo_uri", "tos_uri", "policy_uri"]

    /// Takes the metadata of a client from a document: no secret, no token, no name of a file, nothing of the server.
    ///
    /// - Throws: `usage` for a member of the wrong form, and for a private key in `jwks`; `insecure_transport` for a
    ///   redirect URI on plain http.
    init(of document: Document) throws(OAuthError) {
        members = JSONObject(
            unique: document.members.members.filter { member in
                let name = member.name.split(separator: "#", maxSplits: 1).first.map(String.init) ?? ""
                let isTranslated = name != member.name && Self.translated.contains(name)
                return !member.value.isNull && (isTranslated || Member.clientMetadata.contains(member.name))
            })
        try checkKeys(of: document)
        for name in ["grant_types", "response_types", "contacts"] where members[name] != nil {
            members[name] = .strings(try document.strings(name))
        }
        let own = try document.string("redirect_uri").map { [$0] } ?? []
        let isChosen = document.origin(of: "redirect_uri") != .document
        let listed = isChosen ? [] : try document.strings("redirect_uris")
        if !(own + listed).isEmpty { members["redirect_uris"] = try Self.registered(listed + own, of: document) }
    }

    /// Members under the names that they have in a registration: in a document `jwks_uri` is the server's, and that of the
    /// client is `client_jwks_uri`.
    static func sent(_ members: JSONObject) -> JSONObject { renaming("client_jwks_uri", to: "jwks_uri", in: members) }

    static func received(_ members: JSONObject) -> JSONObject {
        renaming("jwks_uri", to: "client_jwks_uri", in: members)
    }

    private static func renaming(_ name: String, to other: String, in members: JSONObject) -> JSONObject {
        JSONObject(
            unique: members.members.filter { $0.name != other }.map { member in
                member.name == name ? JSONObject.Member(name: other, value: member.value) : member
            })
    }

    /// Fills in what a native public client registers (RFC 8252), where the document does not say.
    mutating func fillIn(for document: Document) throws(OAuthError) {
        let grants = members["grant_types"]?.strings ?? ["authorization_code", "refresh_token"]
        fill("client_name", .string("oap"))
        // Also where the server's metadata does not list refresh tokens: glewlwyd's does not, and it has them.
        fill("grant_types", .strings(grants))
        if grants.contains(Self.ciba) { fill("backchannel_token_delivery_mode", .string("poll")) }
        let hasCode = grants.contains("authorization_code")
        fill("response_types", .strings(hasCode ? ["code"] : []))
        if hasCode { fill("redirect_uris", try Self.registered([RedirectURI.standard], of: document)) }
        fill("token_endpoint_auth_method", .string(try Self.method(for: document, grants)))
        let uris = members["redirect_uris"]?.strings?.compactMap(WebURL.init) ?? []
        if uris.allSatisfy({ $0.isLoopback || $0.scheme != "https" && $0.scheme != "http" }) {
            fill("application_type", .string("native"))
        }
    }

    mutating func fill(_ name: String, _ value: JSON) { if members[name] == nil { members[name] = value } }

    private static let ciba = "urn:openid:params:grant-type:ciba"

    /// No authentication where the server offers that and the grant allows it; else the first method with a secret that
    /// the server lists: the MCP SDK's server lists HTTP Basic second, and refuses it without `client_id` in the form.
    private static func method(for document: Document, _ grants: [String]) throws(OAuthError) -> String {
        let listed = try document.strings("token_endpoint_auth_methods_supported")
        let needsSecret = grants.contains { ["client_credentials", Self.ciba].contains($0) }
        if !needsSecret, listed.isEmpty || listed.contains("none") { return "none" }
        let methods = [ClientAuthenticationMethod.basic, .post].map(\.rawValue)
        return listed.first(where: methods.contains) ?? (needsSecret ? methods[0] : "none")
    }

    /// The URIs as they are registered, each once: a loopback URI for any port has none (RFC 8252 §7.3).
    private static func registered(_ uris: [String], of document: Document) throws(OAuthError) -> JSON {
        var registered: [String] = []
        for text in uris {
            let uri = try document.blaming(RedirectURI(text))
            let form = uri.wantsFreePort ? uri.withoutPort : text
            if !registered.contains(where: form.isIdentical) { registered.append(form) }
        }
        return .strings(registered)
    }

    /// A set of public keys, for `private_key_jwt`, or where it is.
    private func checkKeys(of document: Document) throws(OAuthError) {
        if members["client_jwks_uri"] != nil {
            _ = try Endpoint("client_jwks_uri", in: document)
            guard members["jwks"] == nil else {
                throw document.invalid(
                    "client_jwks_uri", "cannot be given beside jwks", hint: "leave client_jwks_uri or jwks out")
            }
        }
        let keys = members["jwks"]?.object?["keys"]?.array ?? []
        guard !keys.contains(where: { $0.object?["d"] != nil || $0.object?["k"] != nil }) else {
            throw document.invalid("jwks", "holds a private key", hint: "put only public keys into jwks")
        }
    }
}
