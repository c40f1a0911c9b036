internal import Wire

/// Why a request is refused, and the error response.
struct Refusal: Error {
    var status: Int
    let error: String
    /// The sentence for developers: printable ASCII without quotes and backslashes (RFC 6749 §5.2).
    let description: String
    /// Further header fields: a challenge, a nonce.
    var headers: [HTTPField] = []
    /// The values of the request and of the client that do not fit, for the error page alone.
    var evidence: [(label: String, value: String)] = []

    init(_ error: String, _ description: String, status: Int = 400, headers: [HTTPField] = []) {
        (self.status, self.error, self.description, self.headers) = (status, error, description, headers)
    }

    static func invalidRequest(_ description: String) -> Refusal { Refusal("invalid_request", description) }
    static func invalidRequest(_ description: String, shows evidence: [(label: String, value: String)]) -> Refusal {
        var refusal = invalidRequest(description)
        refusal.evidence = evidence
        return refusal
    }
    /// Metadata of a client is malformed, or does not fit together (RFC 7591 §3.2.2).
    static func invalidMetadata(_ description: String) -> Refusal { Refusal("invalid_client_metadata", description) }
    static func invalidGrant(_ description: String) -> Refusal { Refusal("invalid_grant", description) }
    static func invalidScope(_ description: String) -> Refusal { Refusal("invalid_scope", description) }
    static func unauthorizedClient(_ description: String) -> Refusal { Refusal("unauthorized_client", description) }
    static func serverError(_ description: String) -> Refusal { Refusal("server_error", description, status: 500) }

    /// The client authentication failed. Any 401 needs a challenge (RFC 6749 §5.2, RFC 9110 §15.5.2).
    static func invalidClient(_ description: String) -> Refusal {
        let challenge = HTTPField("WWW-Authenticate", "Basic realm=\"sandbox\", charset=\"UTF-8\"")
        return Refusal("invalid_client", description, status: 401, headers: [challenge])
    }
}

extension Refusal {
    /// The members of an error response (RFC 6749 §5.2).
    var document: JSONObject { ["error": .string(error), "error_description": .string(description)] }

    /// The response of a JSON endpoint.
    var response: SandboxResponse {
        var response = SandboxResponse(status: status, members: document)
        response.headers += headers
        return response
    }
}
