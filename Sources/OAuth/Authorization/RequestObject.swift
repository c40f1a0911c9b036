internal import Wire

extension AuthorizationRequest {
    /// Whether a document wants its authorization requests signed: its client is registered so, or its server takes no
    /// others (RFC 9101 §10.5).
    ///
    /// - Throws: `usage`.
    package static func isSigned(for document: Document) throws(OAuthError) -> Bool {
        let algorithm = try document.string("request_object_signing_alg")
        return try document.bool("require_signed_request_object") == true || algorithm != nil && algorithm != "none"
    }

    /// This request as a signed JWT, the request object: only `client_id` stands beside it (RFC 9101 §5), and in a
    /// request of OpenID Connect also what makes it one, with the same values (Core §6.1).
    ///
    /// - Parameter isPushed: whether it goes to the server at once. Else a person may open the URL minutes later.
    /// - Throws: `metadata_missing` without an issuer, whom the JWT is for; `usage` for a parameter made by hand that would
    ///   be a claim of the JWT itself; `library`.
    package func signed(
        by signer: JWTSigner, for document: Document, at moment: RequestMoment, isPushed: Bool
    ) throws(OAuthError) -> AuthorizationRequest {
        let client = JSON.string(try document.required("client_id"))
        var claims: JSONObject = [
            "iss": client, "aud": .string(try document.required("issuer")),
            // The client's own JWT may have the octets of the same moment.
            "jti": .string("request-" + Base64.encodeURL(moment.random)), "iat": .integer(moment.now),
            "nbf": .integer(moment.now),
            "exp": .integer(moment.now + (isPushed ? 60 : 600)),
        ]
        for (name, value) in parameters.pairs {
            let value = Self.claim(name, value)
            if name == "resource", let known = claims[name] {
                claims[name] = .array((known.array ?? [known]) + [value])
            } else if claims[name] == nil, name != "sub" {
                claims[name] = value
            } else {
                throw OAuthError(
                    .usage, "the parameter \(name) cannot be set: it is a claim of the signed request itself")
            }
        }
        var request = self
        request.parameters = Parameters()
        request.parameters.add("client_id", client.string)
        if Scope(splitting: parameters["scope"] ?? "", at: try Scope.separator(of: document)).contains("openid") {
            for name in ["response_type", "scope"] { request.parameters.add(name, parameters[name]) }
        }
        request.parameters.add("request", try signer.sign(claims, type: "oauth-authz-req+jwt"))
        return request
    }

    /// A parameter as a claim: what is a number or JSON keeps its type (RFC 9101 §4).
    private static func claim(_ name: String, _ value: String) -> JSON {
        switch name {
        case "max_age": Int(value).map { .integer($0) } ?? .string(value)
        case "claims", "authorization_details": (try? JSON(parsing: value)) ?? .string(value)
        default: .string(value)
        }
    }
}

/// The response of the pushed authorization request endpoint (RFC 9126 §2.2).
package struct PushedAuthorizationResponse: Sendable {
    /// Stands for the request, once.
    package let requestURI: String
    package let warnings: [OAuthWarning]

    package init(_ response: EndpointResponse) throws(OAuthError) {
        let body = try response.members(of: "the pushed authorization request endpoint", expecting: 201)
        guard let requestURI = body.members["request_uri"]?.string, !requestURI.isEmpty else {
            throw OAuthError(.invalidResponse, "the server's answer has no request_uri", member: "request_uri")
                .saying(.object(body.members))
        }
        var warnings = body.warnings
        _ = try body.lifetime(&warnings)
        (self.requestURI, self.warnings) = (requestURI, warnings)
    }
}
