package import Wire

package struct SandboxRequest: Sendable {
    /// The method; HEAD is answered like GET, and the transport omits the content.
    package let method: String
    /// The path of the target, nothing decoded.
    package let path: String
    /// The query without its `?`, nothing decoded.
    package let query: String?
    package let headers: [HTTPField]
    package let body: [UInt8]
    package let certificate: ClientCertificate?

    package init(
        method: String, path: String, query: String? = nil, headers: [HTTPField] = [], body: [UInt8] = [],
        certificate: ClientCertificate? = nil
    ) {
        (self.method, self.path, self.query, self.headers, self.body) = (method, path, query, headers, body)
        self.certificate = certificate
    }
}

extension SandboxRequest {
    func at(_ path: String) -> SandboxRequest {
        SandboxRequest(method: method, path: path, query: query, headers: headers, body: body, certificate: certificate)
    }

    func queryParameters() throws(Refusal) -> FormParameters { try FormParameters(query ?? "") }

    /// The parameters of the query of a request to the API, each as often as it appears.
    func apiParameters() throws(Refusal) -> FormParameters { try FormParameters(ofAPI: query ?? "") }

    /// The parameters of a form in the content.
    ///
    /// - Throws: `invalid_request` for content of another type, and for parameters in the URL, where they would be
    ///   written into logs (RFC 6749 §2.3.1, §3.2).
    func formParameters() throws(Refusal) -> FormParameters {
        guard query == nil else { throw .invalidRequest("parameters must be in the content, not in the URL") }
        guard let type = headers.first("Content-Type"), MediaType(type).isForm else {
            throw .invalidRequest("the content must be application/x-www-form-urlencoded")
        }
        guard let text = String(validating: body, as: UTF8.self) else { throw .invalidRequest("the form is not UTF-8") }
        return try FormParameters(text)
    }

    /// The JSON object in the content.
    ///
    /// - Throws: `invalid_client_metadata`: only registration takes JSON (RFC 7591 §3.1).
    func jsonObject() throws(Refusal) -> JSONObject {
        guard let type = headers.first("Content-Type"), MediaType(type).isJSON else {
            throw Refusal("invalid_client_metadata", "the content must be application/json")
        }
        guard let object = (try? JSON(parsing: body))?.object else {
            throw Refusal("invalid_client_metadata", "the content is not a JSON object")
        }
        return object
    }

    /// Scheme and credentials of the `Authorization` field; nil if there is none.
    ///
    /// - Throws: `invalid_request` if there are several, or nothing behind the scheme.
    func authorization() throws(Refusal) -> (scheme: String, credentials: String)? {
        let fields = headers.values(of: "Authorization")
        guard let field = fields.first else { return nil }
        let parts = field.split(separator: " ", maxSplits: 1)
        guard fields.count == 1, parts.count == 2 else {
            throw .invalidRequest("the Authorization field is not a scheme and its credentials")
        }
        return (parts[0].lowercased(), String(parts[1]))
    }
}
