package import Wire

/// The metadata of an authorization server (RFC 8414 §2, OpenID Connect Discovery §3).
package struct ServerMetadata: Sendable {
    /// The issuer, as the server spells it.
    package let issuer: String
    /// The members as they came, in their order; empty lists are left out (RFC 8414 §3.2).
    package private(set) var members: JSONObject
    package private(set) var warnings: [OAuthWarning]
    /// Whether the server can bind access tokens to certificates (RFC 8705 §3.3). The member would say that of a client.
    private(set) var bindsToCertificates: Bool

    /// Reads a response. Endpoints are checked when they are used.
    ///
    /// - Throws: `redirect_refused`, `http_status`, `not_json`, `parse`, `invalid_response`.
    init(_ response: EndpointResponse) throws(OAuthError) {
        try self.init(response.members(of: "the metadata address", for: .document))
    }

    /// Reads a document that the user has.
    package init(_ document: JSONObject) throws(OAuthError) {
        try self.init(EndpointMembers(members: document, isForm: false, warnings: []))
    }

    private init(_ body: EndpointMembers) throws(OAuthError) {
        guard let issuer = body.members["issuer"]?.string, !issuer.isEmpty else {
            throw OAuthError(
                .invalidResponse, "the metadata has no issuer",
                hint: """
                    without metadata, name the endpoints: oap login NAME --authorization-endpoint URL --token-endpoint \
                    URL --client-id ID
                    """, member: "issuer")
        }
        bindsToCertificates = body.members["tls_client_certificate_bound_access_tokens"] == .bool(true)
        var warnings = body.warnings
        let known = Member.serverMetadata
        var members = body.others(besides: known, keeping: known, &warnings)
        for member in members.members where member.value.array?.isEmpty == true || member.value.isNull {
            members[member.name] = nil
        }
        // Some servers list metadata of clients, most of which no client here has a use for. That of RFC 8705 §3.3 says of
        // a server what the same name says of a client.
        warnings.removeAll {
            guard case .memberDropped(let name) = $0 else { return false }
            return Member.isWithoutEffect(name) || name == "tls_client_certificate_bound_access_tokens"
        }
        (self.issuer, self.members, self.warnings) = (issuer, members, warnings)
    }

    /// Adds the members that another document of the same issuer has, and this one lacks: some servers list an endpoint in
    /// one document only. The document of another issuer adds nothing.
    package mutating func merge(_ other: ServerMetadata) {
        guard other.issuer.isIdentical(to: issuer) else { return }
        for member in other.members.members where members[member.name] == nil { members[member.name] = member.value }
        bindsToCertificates = bindsToCertificates || other.bindsToCertificates
        warnings += other.warnings.filter { !warnings.contains($0) }
    }
}

extension ServerMetadata {
    /// Warnings about endpoints to which no request can go: they are no https URLs. Commands that need one refuse it.
    package var unusableEndpoints: [OAuthWarning] {
        endpoints.compactMap { member in
            guard let text = member.value.string else { return .endpointUnusable("\(member.name) is not a URL") }
            do throws(OAuthError) {
                _ = try Endpoint(text, name: member.name)
                return nil
            } catch {
                return .endpointUnusable(error.message)
            }
        }
    }

    /// The endpoints at another origin than the issuer's, which a server may have, and their origins.
    package var endpointsElsewhere: [(name: String, origin: String)] {
        guard let origin = WebURL(issuer)?.origin, !origin.isEmpty else { return [] }
        return endpoints.compactMap { member in
            guard let url = member.value.string.flatMap({ WebURL($0) }), url.origin != origin else { return nil }
            return (member.name, url.origin)
        }
    }

    var endpoints: [JSONObject.Member] {
        members.members.filter { member in
            (member.name.hasSuffix("_endpoint") || member.name == "jwks_uri")
                && Member.serverMetadata.contains(member.name)
        }
    }
}
