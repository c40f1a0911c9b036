package import Wire

/// The file by which Google describes a workload of another platform (`external_account`, AIP-4117). It names files and
/// addresses, so it is trusted like a profile, and never comes by a pipe.
package enum GoogleExternalAccount {
    /// The client document of a file, and the service account that the workload may act as; nil for any other object.
    ///
    /// - Throws: `metadata_invalid` for an endpoint that is not Google's, and for what is missing; `unsupported` for a source of
    ///   identities that is.
    package static func client(in file: JSONObject) throws(OAuthError) -> (client: JSONObject, account: String?)? {
        guard file["type"] == .string("external_account") else { return nil }
        let endpoint = try text("token_url", in: file)
        guard let url = WebURL(endpoint), url.isLoopback || url.host?.hasSuffix(".googleapis.com") == true else {
            throw invalid("token_url", "is not an endpoint of Google")
        }
        guard let source = file["credential_source"]?.object else { throw invalid("credential_source", "is missing") }
        let parameters: JSONObject = [
            "audience": .string(try text("audience", in: file)),
            "requested_token_type": .string("urn:ietf:params:oauth:token-type:access_token"),
            "subject_token_type": .string(try text("subject_token_type", in: file)),
        ]
        let client: JSONObject = [
            "token_endpoint": .string(endpoint), "token_endpoint_auth_method": .string("none"),
            "grant_type": .string("urn:ietf:params:oauth:grant-type:token-exchange"),
            "token_params": .object(parameters), "parameter_names": .object(["client_id": .null]),
            "scope": .string("https://www.googleapis.com/auth/cloud-platform"),
            "api_base": .string("https://www.googleapis.com"), "api_origins": .strings(["https://*.googleapis.com"]),
        ]
        let impersonation = file["service_account_impersonation_url"]?.string
        let account = impersonation?.split(separator: "/").last?.split(separator: ":").first.map(String.init)
        return (client.changed(by: try subject(source)), account)
    }

    /// What gives the identity.
    private static func subject(_ source: JSONObject) throws(OAuthError) -> JSONObject {
        let isText = source["format"]?.object?["type"].map { $0 == .string("text") } ?? true
        if let path = source["file"]?.string, isText { return ["subject_token_file": .string(path)] }
        guard let url = source["url"]?.string.flatMap({ WebURL($0) }),
            let query = try? FormEncoding.parse(url.query ?? "")
        else {
            throw OAuthError(
                .unsupported, "this credential_source of Google is not supported",
                hint:
                    "oap ci-token names the platforms whose identities oap gets; then: oap login NAME --provider google-sts",
                member: "credential_source", origin: .document)
        }
        let isAzure = url.path == "/metadata/identity/oauth2/token"
        let audience = query.first { $0.name == (isAzure ? "resource" : "audience") }?.value
        return [
            "subject_token_from": .string(isAzure ? "ci:azure" : "ci"),
            "identity_audience": audience.map { .string($0) } ?? .null,
        ]
    }

    private static func text(_ name: String, in file: JSONObject) throws(OAuthError) -> String {
        guard let text = file[name]?.string, !text.isEmpty else { throw invalid(name, "is missing") }
        return text
    }

    private static func invalid(_ name: String, _ reason: String) -> OAuthError {
        OAuthError(.metadataInvalid, "\(name) \(reason)", member: name, origin: .document)
    }
}
