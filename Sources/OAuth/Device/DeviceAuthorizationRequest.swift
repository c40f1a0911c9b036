internal import Wire

/// The request for a code that a person types on another device (RFC 8628 §3.1).
package struct DeviceAuthorizationRequest: Sendable {
    /// Where it goes.
    package let endpoint: Endpoint
    /// The parameters, besides those that authenticate the client.
    package private(set) var parameters = Parameters()

    /// Parameters that `--param` may not set.
    package static let reserved: Set<String> = [
        "client_id", "client_secret", "client_assertion", "client_assertion_type",
    ]

    /// Makes the request of a document: its `scope`, and its `resource` (RFC 8707 §2).
    ///
    /// - Parameter extra: what the caller adds (`--param`).
    /// - Throws: `metadata_missing` for a missing `device_authorization_endpoint`, what ``Endpoint`` throws, `usage`.
    package init(of document: Document, extra: [(name: String, value: String)] = []) throws(OAuthError) {
        try AuthorizationRequest.refuseDPoP(document)
        endpoint = try Endpoint("device_authorization_endpoint", in: document)
        parameters.add("scope", try Scope(of: document).parameter(of: document))
        try parameters.addResources(of: document)
        let reserved = try ParameterNames(of: document).reserving(Self.reserved)
        try parameters.addExtra(extra, reserved: reserved)
    }
}
