internal import Wire

/// The search for the metadata of an authorization server (RFC 8414, OpenID Connect Discovery): where to ask, and whether
/// a response may be used.
package struct ServerDiscovery: Sendable {
    /// The addresses to ask, in this order, until one has metadata.
    package let addresses: [MetadataAddress]
    /// What the issuer in the metadata must be; nil for one whose metadata is at the address that was asked.
    private let expected: KnownIssuer?
    private var tenants: TenantIssuer?

    /// Begins with an issuer, a host name, or the address of a metadata document.
    ///
    /// - Parameters:
    ///   - issuer: the one that the metadata must name, for servers that name another one than the address says.
    ///   - accepted: one that it may name instead.
    /// - Throws: `usage` for what is none of these, or has a query or a fragment (RFC 8414 §2); `insecure_transport`.
    package init(
        _ text: String, expecting issuer: String? = nil, accepting accepted: String? = nil,
        forms: [MetadataAddress.Form] = MetadataAddress.Form.allCases
    ) throws(OAuthError) {
        // `http:/host` lacks a slash: no host is called `http`.
        let isHost = !text.contains("://") && !["http:", "https:"].contains { text.asciiLowercased.hasPrefix($0) }
        guard !text.utf8.contains(where: "?#".utf8.contains) else {
            throw OAuthError(.usage, "the issuer has a query or a fragment", member: "issuer")
        }
        let url = try Self.url(of: isHost ? "https://\(text)" : text)
        if url.path.contains("/.well-known/") {
            addresses = [MetadataAddress(exactly: url)]
        } else {
            var addresses: [MetadataAddress] = []
            for address in forms.map({ MetadataAddress(of: url, as: $0) }) where !addresses.contains(address) {
                addresses.append(address)
            }
            self.addresses = addresses
        }
        let isExact = !isHost && !url.path.contains("/.well-known/")
        expected = (issuer ?? (isExact ? text : nil)).map { KnownIssuer($0, accepting: accepted) }
    }

    /// Begins with the issuer of a document.
    ///
    /// - Throws: as the other.
    package init(of document: Document) throws(OAuthError) {
        try self.init(try document.required("issuer"), accepting: try document.string("accept_issuer"))
        tenants = try TenantIssuer(of: document)
    }

    static func url(of issuer: String) throws(OAuthError) -> WebURL {
        do throws(OAuthError) {
            return try Endpoint(issuer, name: "the issuer").url
        } catch {
            var error = error
            error.member = "issuer"
            let scheme = issuer.firstRange(of: "://").map { issuer[..<$0.lowerBound] } ?? ""
            if error.kind == .usage, !["https", "http"].contains(scheme.lowercased()) {
                error.hint = "begin the issuer with https://"
            }
            throw error
        }
    }

    /// Whether another address may have the metadata: this one has none. A server that is busy, or metadata that is
    /// wrong, ends the search.
    package static func goesOn(after error: OAuthError) -> Bool {
        switch error.kind {
        case .httpStatus: error.status.map { (400..<500).contains($0) && !HTTPStatus.isFailureOfServer($0) } ?? false
        case .oauth, .notJSON: true
        default: false
        }
    }

    /// The metadata of a response: the members as they came, without those that would steer the client.
    ///
    /// - Throws: `redirect_refused`, `http_status`, `not_json`, `parse`; `invalid_response` without an issuer,
    ///   `issuer_mismatch` for another one, `insecure_transport` for an endpoint on this machine.
    package func metadata(
        in response: EndpointResponse, of address: MetadataAddress
    ) throws(OAuthError) -> ServerMetadata {
        let metadata = try ServerMetadata(response)
        let isRight = expected?.isNamed(by: metadata.issuer) ?? Self.leads(metadata.issuer, to: address)
        guard isRight || tenants?.isOfServer(metadata.issuer) == true else { throw mismatch(metadata.issuer) }
        try Self.checkPlaces(metadata.members, of: address)
        return metadata
    }

    /// Checks that only a server on this machine names endpoints on it: otherwise a stranger could make this program ask
    /// services that only this machine reaches.
    private static func checkPlaces(_ members: JSONObject, of address: MetadataAddress) throws(OAuthError) {
        guard WebURL(address.text)?.mayBeLocal == false else { return }
        let aliases = members["mtls_endpoint_aliases"]?.object?.members ?? []
        for member in members.members + aliases where member.name.hasSuffix("_endpoint") || member.name == "jwks_uri" {
            guard let url = member.value.string.flatMap({ WebURL($0) }), url.mayBeLocal else { continue }
            throw OAuthError(
                .insecureTransport, "\(member.name) in the metadata is on this machine, but the issuer is not",
                member: member.name)
        }
    }

    /// Whether the metadata of an issuer is at an address. The scheme and the host are compared in lower case.
    private static func leads(_ issuer: String, to address: MetadataAddress) -> Bool {
        guard let url = WebURL(issuer), url.query == nil, url.fragment == nil, url.userinfo == nil,
            let asked = WebURL(address.text)?.text
        else { return false }
        return MetadataAddress.Form.allCases.contains { form in
            MetadataAddress(of: url, as: form).text.isIdentical(to: asked)
        }
    }

    private func mismatch(_ served: String) -> OAuthError {
        let asked = expected.map { "\"\($0.text)\"" } ?? "the one that was asked"
        let hint =
            served.utf8.contains(UInt8(ascii: "{"))
            ? "the server has an issuer for each tenant: use the issuer of your tenant, or a preset (oap provider)"
            : served.isPlainWord
                ? "if the issuer of the metadata is right: oap discover \(served)"
                : "if the issuer of the metadata is right, give the issuer exactly as the metadata spells it"
        let error = OAuthError(
            .metadataIssuerMismatch, "the metadata is of the issuer \(JSON.string(served).text), not of \(asked)",
            hint: hint, member: "issuer")
        return expected?.namingSlash(in: error, from: served) ?? error
    }
}
