package import Wire

/// Where the metadata of an authorization server may be.
package struct MetadataAddress: Sendable, Equatable {
    package enum Form: String, Sendable, CaseIterable {
        /// The issuer with `/.well-known/openid-configuration` appended (OpenID Connect Discovery §4).
        case appended = "oidc"
        /// `/.well-known/oauth-authorization-server` between host and path (RFC 8414 §3.1).
        case oauth
        /// `/.well-known/openid-configuration` between host and path (RFC 8414 §5).
        case inserted = "oidc-inserted"

        /// The order for the authorization server of a resource, as the Model Context Protocol has it.
        package static let ofResource: [Form] = [.oauth, .inserted, .appended]
    }

    package let text: String

    package init(of issuer: WebURL, as form: Form) {
        let path = issuer.path.hasSuffix("/") ? String(issuer.path.dropLast()) : issuer.path
        let authority = "\(issuer.scheme)://\(issuer.host ?? "")" + (issuer.port.map { ":\($0)" } ?? "")
        text =
            switch form {
            case .appended: "\(authority)\(path)/.well-known/openid-configuration"
            case .oauth: "\(authority)/.well-known/oauth-authorization-server\(path)"
            case .inserted: "\(authority)/.well-known/openid-configuration\(path)"
            }
    }

    init(exactly url: WebURL) { text = url.text }

    /// The request for the metadata (RFC 8414 §3.1).
    package var request: HTTPRequest {
        HTTPRequest(method: "GET", url: text, headers: [HTTPField("Accept", "application/json")])
    }

    /// The issuer whose metadata an address leads to; nil for any other address.
    static func issuer(at url: WebURL) -> String? {
        let mark = "/.well-known/"
        guard let range = url.path.firstRange(of: mark) else { return nil }
        let rest = url.path[range.upperBound...].drop { $0 != "/" }
        return url.origin + url.path[..<range.lowerBound] + rest
    }
}
