package import Wire

/// The request that revokes a token (RFC 7009), or the request of a server with a way of its own.
package struct Revocation: Sendable {
    /// The kind of a token (RFC 7009 §2.1, `token_type_hint`).
    package enum TokenType: String, Sendable, CaseIterable {
        case refresh = "refresh_token"
        case access = "access_token"

        /// The parameters of a request about a token (RFC 7009 §2.1, RFC 7662 §2.1).
        func parameters(for token: String) -> Parameters {
            var parameters = Parameters()
            parameters.add("token", token)
            parameters.add("token_type_hint", rawValue)
            return parameters
        }
    }

    /// How a server wants it (`revocation_style`).
    package enum Style: String, Sendable, CaseIterable {
        /// A POST to the `revocation_endpoint`.
        case rfc7009
        /// `DELETE /applications/CLIENT_ID/token` below the `api_base`, with HTTP Basic: access tokens only.
        case github
        /// A DELETE, or a POST, to the `revocation_endpoint` with the access token as an API gets it: the token revokes itself.
        case delete, post
    }

    package let endpoint: Endpoint
    /// Whether the request has the token as one to an API has it.
    package var carriesToken: Bool { style == .delete || style == .post }
    private let style: Style
    private let headers: [HTTPField]

    /// Finds out where a document's tokens are revoked, and how.
    ///
    /// - Throws: `metadata_missing` where the server has no such endpoint, and what ``Endpoint`` throws.
    package init(of document: Document) throws(OAuthError) {
        style = try document.choice("revocation_style") ?? .rfc7009
        switch style {
        case .rfc7009, .delete, .post:
            endpoint = try Endpoint("revocation_endpoint", in: document)
            headers = style == .rfc7009 ? [] : try Self.headers(of: document)
        case .github:
            let base = try Endpoint("api_base", in: document).url.text
            let path = "applications/\(FormEncoding.encode(try document.required("client_id")))/token"
            endpoint = try document.blaming(Endpoint(base + (base.hasSuffix("/") ? "" : "/") + path, name: "api_base"))
            headers = try Self.headers(of: document)
        }
    }

    private static func headers(of document: Document) throws(OAuthError) -> [HTTPField] {
        try document.parameters("api_headers").map { HTTPField($0.name, $0.value) }
    }

    /// Whether a document says how its tokens are revoked.
    package static func isOffered(by document: Document) -> Bool {
        let style = document.members["revocation_style"]
        return document.members["revocation_endpoint"]?.isNull == false || style == .string(Style.github.rawValue)
    }

    /// The types of token that the server revokes, the refresh token first: it could still get a new access token.
    package var types: [TokenType] {
        switch style {
        case .rfc7009: TokenType.allCases
        case .github, .delete, .post: [.access]
        }
    }

    /// Fails for a client without the secret that the server's way needs.
    package func request(
        for token: String, of type: TokenType, by authentication: ClientAuthentication, at moment: RequestMoment
    ) throws(OAuthError) -> HTTPRequest {
        switch style {
        case .rfc7009:
            return try authentication.request(to: endpoint, parameters: type.parameters(for: token), at: moment)
        case .delete, .post:
            // The sender adds the token.
            return HTTPRequest(method: style.rawValue.uppercased(), url: endpoint.url.text, headers: headers)
        case .github:
            var own = headers.filter { !$0.name.equalsIgnoringASCIICase("Content-Type") }
            if own.first("Accept") == nil { own.append(HTTPField("Accept", "application/json")) }
            own.append(HTTPField("Content-Type", RequestFormat.json.contentType))
            return HTTPRequest(
                method: "DELETE", url: endpoint.url.text, headers: own + [try authentication.basicField()],
                body: RequestFormat.json.body([("access_token", token)]))
        }
    }

    /// Checks the answer (RFC 7009 §2.2). Its content says nothing when it is a success.
    ///
    /// - Throws: `redirect_refused`, `oauth`, `http_status`: the token must be taken for valid still.
    package func check(_ response: EndpointResponse) throws(OAuthError) -> [OAuthWarning] {
        do throws(OAuthError) {
            let status = [.delete, .post].contains(style) ? response.head.status : style == .github ? 204 : 200
            return try response.members(of: "the revocation endpoint", expecting: status, for: .confirmation).warnings
        } catch {
            // The RFC wants a success here, since nothing is left to do: Google says it this way. With 401 it is the client
            // that was refused.
            guard error.code == "invalid_token", error.status == 400 else { throw error }
            return [.revokedBefore]
        }
    }
}
