package import Wire

/// The metadata of a protected resource (RFC 9728 §2).
package struct ResourceMetadata: Sendable {
    /// The resource, as it spells itself: what `resource` of a token request must be (RFC 8707).
    package let resource: String
    /// The issuers of the authorization servers whose tokens it takes; possibly empty.
    package let authorizationServers: [String]
    package let scopes: [String]
    package internal(set) var warnings: [OAuthWarning]

    init(_ response: EndpointResponse) throws(OAuthError) {
        let body = try response.members(of: "the metadata address", for: .document)
        guard let resource = body.members["resource"]?.string, !resource.isEmpty else {
            throw OAuthError(.invalidResponse, "the metadata names no resource", member: "resource")
        }
        self.resource = resource
        authorizationServers = try Self.list("authorization_servers", in: body.members)
        scopes = try Self.list("scopes_supported", in: body.members)
        warnings = body.warnings
    }

    /// The issuer of the authorization server to use.
    ///
    /// - Parameters:
    ///   - choice: the issuer that the caller wants; nil if the resource names only one.
    ///   - accepted: the other spelling of an issuer that the caller accepts.
    /// - Throws: `usage` for a choice that is not in the list, `metadata_missing` for none or several without a choice.
    package func authorizationServer(
        _ choice: String?, accepting accepted: String? = nil
    ) throws(OAuthError) -> String {
        let list = authorizationServers.map { JSON.string($0).text }.joined(separator: ", ")
        if let choice {
            let isAccepted = accepted?.isIdentical(to: choice) == true
            let other = authorizationServers.first { isAccepted && KnownIssuer($0).differsInSlash(from: choice) }
            if let other { return other }
            guard authorizationServers.contains(where: { $0.isIdentical(to: choice) }) else {
                let named = authorizationServers.isEmpty ? "it names none" : "it names \(list)"
                let wanted = JSON.string(choice).text
                let error = OAuthError(
                    .usage, "the resource does not name the authorization server \(wanted); \(named)")
                guard authorizationServers.count == 1 else { throw error }
                throw KnownIssuer(authorizationServers[0]).namingSlash(in: error, from: choice)
            }
            return choice
        }
        guard let first = authorizationServers.first else {
            throw OAuthError(
                .metadataMissing, "the resource names no authorization server", member: "authorization_servers")
        }
        guard authorizationServers.count == 1 else {
            throw OAuthError(
                .metadataMissing, "the resource names \(authorizationServers.count) authorization servers: \(list)",
                hint: "choose an authorization server with --authorization-server", member: "authorization_servers")
        }
        return first
    }

    /// The scope to ask for: what the challenge wants, else all that the resource lists; with `offline_access` where the
    /// server lists that, since a refresh token may depend on it.
    ///
    /// - Parameter server: the metadata of the authorization server.
    /// - Returns: nil where neither says anything.
    package func scope(challenged: String?, of server: JSONObject) -> String? {
        var scope = Scope(splitting: challenged ?? scopes.joined(separator: " "))
        guard !scope.values.isEmpty else { return nil }
        let offline = "offline_access"
        if server["scopes_supported"]?.strings?.contains(offline) == true, !scope.contains(offline) {
            scope.values.append(offline)
        }
        return scope.text
    }

    private static func list(_ name: String, in members: JSONObject) throws(OAuthError) -> [String] {
        guard let value = members[name], !value.isNull else { return [] }
        guard let texts = value.strings, texts.count <= 100 else {
            throw OAuthError(.invalidResponse, "\(name) of the metadata is not a list of strings", member: name)
        }
        return texts
    }
}
