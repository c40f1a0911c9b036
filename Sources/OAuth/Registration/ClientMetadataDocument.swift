package import Wire

/// The document at the URL that is a client's identifier (draft-ietf-oauth-client-id-metadata-document).
package struct ClientMetadataDocument: Sendable {
    package let members: JSONObject

    /// Makes the document of a client, with the members of a native public client where it does not say.
    ///
    /// - Throws: `metadata_missing` without a `client_id`; `usage` for one that is no such URL, or a client that proves
    ///   itself with a secret, which the document cannot hold; what ``ClientMetadata`` throws.
    package init(of document: Document) throws(OAuthError) {
        let id = try document.required("client_id")
        if let problem = Self.problem(with: id) {
            throw document.invalid("client_id", problem, hint: "such as https://app.example/oap.json")
        }
        var client = try ClientMetadata(of: document)
        client.fill("token_endpoint_auth_method", .string("none"))
        try client.fillIn(for: document)
        let method = client.members["token_endpoint_auth_method"]?.string ?? ""
        guard ["none", "private_key_jwt", "tls_client_auth", "self_signed_tls_client_auth"].contains(method) else {
            throw document.invalid(
                "token_endpoint_auth_method", "needs a secret, and a public document cannot hold one",
                hint: "use --token-endpoint-auth-method none")
        }
        var members: JSONObject = ["client_id": .string(id)]
        for member in ClientMetadata.sent(client.members).members { members[member.name] = member.value }
        self.members = members
    }

    /// What is wrong with a URL as a client identifier (section 3); nil if nothing is.
    package static func problem(with id: String) -> String? {
        guard let url = WebURL(id), url.scheme == "https", url.host?.isEmpty == false else {
            return "is not an https URL"
        }
        guard url.userinfo == nil else { return "contains a user name or password" }
        guard url.fragment == nil else { return "has a fragment" }
        guard !url.path.isEmpty else { return "has no path" }
        let segments = url.path.split(separator: "/").map { $0.replacing("%2E", with: ".").replacing("%2e", with: ".") }
        guard !segments.contains("."), !segments.contains("..") else { return "has the segment . or .. in its path" }
        return nil
    }
}
