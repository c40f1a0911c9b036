package import Wire

/// The search for the metadata of a protected resource, an API or an MCP server (RFC 9728).
package struct ResourceDiscovery: Sendable {
    package let resource: WebURL

    /// Begins with the address of a resource.
    ///
    /// - Throws: `usage` for what is no https URL, `metadata_invalid` for one with a fragment (RFC 9728 §1.2);
    ///   `insecure_transport`.
    package init(_ text: String) throws(OAuthError) { resource = try Endpoint(text, name: "the resource").url }

    /// A request without a token: the response may name the metadata (RFC 9728 §5.1).
    package var probe: HTTPRequest {
        HTTPRequest(method: "GET", url: resource.text, headers: [HTTPField("Accept", "*/*")])
    }

    /// A request without a token to a resource that answers no GET, as some MCP servers do: `ping`, which does nothing
    /// (Model Context Protocol, Utilities).
    package var ping: HTTPRequest {
        HTTPRequest(
            method: "POST", url: resource.text,
            headers: [
                HTTPField("Accept", "application/json, text/event-stream"),
                HTTPField("Content-Type", "application/json"),
            ], body: Array(#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#.utf8))
    }

    package static func takesNoGET(_ head: HTTPResponseHead) -> Bool { [404, 405, 406].contains(head.status) }

    /// What the response to a request without a token says.
    package struct Challenge: Sendable, Equatable {
        /// Whether the resource wants a token.
        package var isRefusal = false
        package var metadata: String?
        package var scope: String?
    }

    /// Refuses metadata on plain http, and another address that cannot be asked.
    package func challenge(in head: HTTPResponseHead) throws(OAuthError) -> Challenge {
        guard head.status == 401 else { return Challenge() }
        let challenges = head.headers.challenges
        let challenge =
            challenges.first { $0["resource_metadata"] != nil } ?? challenges.first { $0.scheme == "bearer" }
        let address = challenge?["resource_metadata"].map {
            $0.isEmpty ? $0 : (WebURL(head.url) ?? resource).resolving($0)?.text ?? $0
        }
        if let address { try check(address, name: "resource_metadata") }
        return Challenge(isRefusal: true, metadata: address, scope: challenge?["scope"])
    }

    /// Where the metadata is by the rule: between host and path, and for the whole host (RFC 9728 §3.1).
    package var addresses: [String] {
        let base = resource.origin + "/.well-known/oauth-protected-resource"
        let path = resource.path == "/" ? "" : resource.path
        let query = resource.query.map { "?\($0)" } ?? ""
        return path + query == "" ? [base] : [base + path + query, base]
    }

    /// Where the metadata of its own server is, which is the authorization server of a resource without metadata (Model
    /// Context Protocol 2025-03-26, Authorization §2.3).
    package var ownServer: String { resource.origin + "/.well-known/oauth-authorization-server" }

    /// The endpoints of such a server without metadata (the same, §2.3.3).
    package var ownEndpoints: JSONObject {
        [
            "authorization_endpoint": .string("\(resource.origin)/authorize"),
            "token_endpoint": .string("\(resource.origin)/token"),
            "registration_endpoint": .string("\(resource.origin)/register"),
        ]
    }

    package static func request(to address: String) -> HTTPRequest {
        HTTPRequest(method: "GET", url: address, headers: [HTTPField("Accept", "application/json")])
    }

    /// The metadata of a response.
    ///
    /// - Throws: `redirect_refused`, `http_status`, `not_json`, `parse`; `invalid_response` for metadata without a
    ///   resource or authorization servers that can be asked, or of another resource (RFC 9728 §3.3).
    package func metadata(in response: EndpointResponse) throws(OAuthError) -> ResourceMetadata {
        var metadata = try ResourceMetadata(response)
        guard covers(metadata.resource) else {
            throw OAuthError(
                .metadataIssuerMismatch,
                "the metadata is of the resource \(JSON.string(metadata.resource).text), not of \(resource.withoutQuery)",
                member: "resource")
        }
        for server in metadata.authorizationServers { try check(server, name: "authorization_servers") }
        let text = metadata.resource
        if text == resource.text + "/" || text + "/" == resource.text, !["", "/"].contains(resource.path) {
            let name = JSON.string(text).text
            metadata.warnings.append(
                .other("the metadata is of \(name), which differs in a slash at the end (RFC 9728 section 3.3)"))
        }
        return metadata
    }

    /// Whether a resource is the one that was asked for, or one above it at the same origin: RFC 9728 §3.3 wants the same
    /// address, and APIs name their root.
    private func covers(_ text: String) -> Bool {
        if text.isIdentical(to: resource.text) { return true }
        guard let other = WebURL(text), other.origin == resource.origin, other.fragment == nil, other.userinfo == nil,
            other.query == nil
        else { return false }
        let path = other.path.hasSuffix("/") ? String(other.path.dropLast()) : other.path
        return resource.path == path || resource.path.hasPrefix(path + "/") || resource.path.isEmpty && path.isEmpty
    }

    /// Checks an address that the resource named. Only a resource on this machine may name one on it: otherwise a
    /// stranger could make this program ask services that only this machine reaches.
    private func check(_ text: String, name: String) throws(OAuthError) {
        guard let url = WebURL(text), url.host != nil, url.userinfo == nil, url.fragment == nil,
            url.scheme == "https" || url.scheme == "http"
        else {
            throw OAuthError(
                .invalidResponse, "\(name) of the resource names \(JSON.string(text).text), which is not an https URL",
                member: name)
        }
        guard url.scheme == "https" || url.isLoopback, resource.mayBeLocal || !url.mayBeLocal else {
            throw OAuthError(
                .insecureTransport,
                "\(name) of the resource names \(url.withoutQuery), which is "
                    + (url.mayBeLocal ? "on this machine" : "plain http"), member: name)
        }
    }
}
