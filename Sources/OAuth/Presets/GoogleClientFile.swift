package import Wire

/// The file that Google offers for download when a client is made: `{"installed":{…}}` or `{"web":{…}}`
/// (https://developers.google.com/identity/protocols/oauth2).
package enum GoogleClientFile {
    /// The endpoints that such files have named. A file with any other may come from anywhere.
    private static let endpoints = [
        "auth_uri": ["https://accounts.google.com/o/oauth2/auth", "https://accounts.google.com/o/oauth2/v2/auth"],
        "token_uri": [
            "https://oauth2.googleapis.com/token", "https://accounts.google.com/o/oauth2/token",
            "https://www.googleapis.com/oauth2/v3/token", "https://www.googleapis.com/oauth2/v4/token",
        ],
    ]

    private static let unsupported = [
        "external_account", "external_account_authorized_user", "impersonated_service_account",
    ]

    /// The client document of a service account, whose key stays in its file; nil for any other object.
    ///
    /// - Parameter audience: whom ID tokens are for; nil for access tokens.
    /// - Throws: `metadata_invalid` for an endpoint that is not Google's, or without an account.
    package static func serviceAccount(
        in file: JSONObject, audience: String?
    ) throws(OAuthError) -> JSONObject? {
        guard file["type"] == .string("service_account"), file["private_key"] != nil else { return nil }
        let name = "token_uri"
        guard let endpoint = file[name]?.string,
            endpoints[name]?.contains(endpoint) == true || WebURL(endpoint)?.isLoopback == true
        else {
            throw OAuthError(.metadataInvalid, "\(name) is not an endpoint of Google", member: name, origin: .document)
        }
        guard let account = file["client_email"]?.string, !account.isEmpty else {
            throw OAuthError(
                .metadataInvalid, "the key has no client_email", hint: "download the key again", member: "client_email",
                origin: .document)
        }
        var client: JSONObject = [
            "client_id": .string(account), "token_endpoint": .string(endpoint),
            "token_endpoint_auth_method": .string("none"), "assertion_audience": .string("token_endpoint"),
            "assertion_from": .string("key"), "assertion_scope": .bool(true),
            "parameter_names": .object(["client_id": .null, "scope": .null]),
            "grant_type": .string("urn:ietf:params:oauth:grant-type:jwt-bearer"),
        ]
        if let audience {
            client["assertion_claims"] = .object(["target_audience": .string(audience)])
        } else {
            client["api_origins"] = .strings(["https://*.googleapis.com"])
        }
        return client
    }

    private static var google: Preset? { Preset.builtIn.first { $0.isNamed("google") } }

    /// The client document that a file means: the preset of Google with the client's members. A client of the kind
    /// `installed` may use every port of loopback, so that its `redirect_uris` say nothing.
    ///
    /// What `gcloud auth application-default login` writes for a user is such a client with its refresh token.
    ///
    /// - Returns: nil for any other object.
    /// - Throws: `metadata_invalid` for an endpoint that is not Google's, without a client, and for the key of a service account.
    package static func client(in file: JSONObject) throws(OAuthError) -> JSONObject? {
        guard file["type"] != .string("service_account") || file["private_key"] == nil else {
            throw OAuthError(
                .metadataInvalid, "the document is the key of a Google service account",
                hint: """
                    the key stays in its file: oap login NAME --client-key-file FILE --scope SCOPE, or with --audience \
                    for an ID token
                    """, member: "private_key", origin: .document)
        }
        if let type = file["type"]?.string, unsupported.contains(type) {
            throw OAuthError(
                .metadataInvalid, "credentials of Google of the type \(type) are not supported",
                hint: type == "external_account"
                    ? "it names files and addresses: oap login NAME --cred-file FILE"
                    : "gcloud auth application-default print-access-token | oap store put NAME --raw stores its token",
                member: "type", origin: .document)
        }
        if file["type"] == .string("authorized_user"), file.holds("refresh_token"), let google {
            var token = try google.client(filling: [])
            for name in ["client_id", ClientCredential.secret.member, "refresh_token"] { token[name] = file[name] }
            return token
        }
        guard file.count == 1, let kind = file.members.first?.name, kind == "installed" || kind == "web",
            let own = file[kind]?.object, let google
        else { return nil }
        guard own["client_id"]?.string?.isEmpty == false else {
            throw OAuthError(
                .metadataInvalid, "the client file of Google has no \(kind).client_id",
                hint: "download the file again from the page of the client at Google", member: "client_id",
                origin: .document)
        }
        var client = try google.client(filling: [])
        for (name, member) in [("auth_uri", "authorization_endpoint"), ("token_uri", "token_endpoint")] {
            guard let text = own[name]?.string, endpoints[name]?.contains(where: { $0.isIdentical(to: text) }) == true
            else {
                throw OAuthError(
                    .metadataInvalid, "\(kind).\(name) is not an endpoint of Google",
                    hint: "for another endpoint, use a client document with the member \"\(member)\"", member: name,
                    origin: .document)
            }
            client[member] = .string(text)
        }
        for name in ["client_id", ClientCredential.secret.member] + (kind == "web" ? ["redirect_uris"] : []) {
            client[name] = own[name]
        }
        return client
    }
}
