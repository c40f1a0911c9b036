package import Wire

/// How a client proves itself to the authorization server (RFC 6749 §2.3).
package struct ClientAuthentication: Sendable {
    /// The methods that are offered (RFC 7591 §2, `token_endpoint_auth_method`).
    package enum Method: String, Sendable, CaseIterable {
        case none
        case basic = "client_secret_basic"
        case post = "client_secret_post"
    }

    /// Whether the parts of HTTP Basic are form-encoded first, as RFC 6749 §2.3.1 says, or sent as they are.
    package enum BasicEncoding: String, Sendable, CaseIterable {
        case form
        case raw
    }

    /// The method, one for a request (RFC 6749 §2.3).
    package let method: Method
    /// The client's identifier.
    package let clientID: String
    private let secret: String?
    private let encoding: BasicEncoding

    /// Authenticates as a client with what is known of it.
    package init(method: Method, clientID: String, secret: String?, encoding: BasicEncoding = .form) {
        self.method = method
        self.clientID = clientID
        self.secret = secret
        self.encoding = encoding
    }

    /// Authenticates as the document says: by `token_endpoint_auth_method`, else by what the server lists, else by
    /// HTTP Basic where there is a secret and not at all where there is none. There is no second try (RFC 6749 §2.3).
    ///
    /// - Parameter secret: gives the client secret where the method needs one; it may read a file.
    /// - Throws: `metadata_missing` for a missing `client_id` or secret, `usage` for a method that is not offered, and
    ///   what `secret` throws.
    package init(
        of document: Document, secret: () throws(OAuthError) -> String?
    ) throws(OAuthError) {
        let clientID = try document.required("client_id")
        let encoding = try document.string("basic_encoding") ?? BasicEncoding.form.rawValue
        guard let encoding = BasicEncoding(rawValue: encoding) else {
            throw document.invalid("basic_encoding", "must be form or raw")
        }
        let named = try document.string("token_endpoint_auth_method")
        if let named {
            guard let method = Method(rawValue: named) else {
                throw document.invalid(
                    "token_endpoint_auth_method", "\(named) is not offered",
                    hint: "one of \(Method.allCases.map(\.rawValue).joined(separator: ", "))")
            }
            let secret = method == .none ? nil : try secret()
            guard method == .none || secret != nil else { throw document.missing("client_secret") }
            self.init(method: method, clientID: clientID, secret: secret, encoding: encoding)
            return
        }
        guard let secret = try secret() else {
            self.init(method: .none, clientID: clientID, secret: nil)
            return
        }
        let listed = try document.strings("token_endpoint_auth_methods_supported")
        let prefersPost = listed.contains(Method.post.rawValue) && !listed.contains(Method.basic.rawValue)
        self.init(method: prefersPost ? .post : .basic, clientID: clientID, secret: secret, encoding: encoding)
    }
}

extension ClientAuthentication {
    /// What authenticates, for a request: fields for its head and parameters for its body (RFC 6749 §2.3.1, §3.2.1).
    package var parts: (headers: [HTTPField], parameters: [(name: String, value: String)]) {
        switch method {
        case .none: ([], [("client_id", clientID)])
        case .post: ([], [("client_id", clientID), ("client_secret", secret ?? "")])
        case .basic: ([basicField], [])
        }
    }

    /// HTTP Basic, for an API of the server that knows no other way (RFC 7617).
    ///
    /// - Throws: `metadata_missing` for a client without a secret.
    func basicHeaders() throws(OAuthError) -> [HTTPField] {
        guard secret != nil else { throw Document([:]).missing("client_secret") }
        return [basicField]
    }

    private var basicField: HTTPField { HTTPField("Authorization", "Basic \(basicCredentials)") }

    /// The secrets that no trace may show.
    package var secrets: [String] { secret.map { [$0, basicCredentials] } ?? [] }

    private var basicCredentials: String {
        let (id, secret) =
            switch encoding {
            case .form: (FormEncoding.encode(clientID), FormEncoding.encode(secret ?? ""))
            case .raw: (clientID, secret ?? "")
            }
        return Base64.encode(Array("\(id):\(secret)".utf8))
    }

    /// A POST to one of the server's endpoints, authenticated (RFC 6749 §3.2).
    ///
    /// - Parameters:
    ///   - format: how the parameters are written.
    ///   - names: what the server calls them.
    package func request(
        to endpoint: Endpoint, parameters: Parameters, format: RequestFormat = .form, names: ParameterNames = .standard
    ) -> HTTPRequest {
        let (headers, own) = parts
        let type = HTTPField("Content-Type", format.contentType)
        let pairs = parameters.pairs.filter { pair in !own.contains { $0.name == pair.name } } + own
        return HTTPRequest(
            method: "POST", url: endpoint.url.text, headers: [HTTPField("Accept", "application/json"), type] + headers,
            body: format.body(names.renaming(pairs)))
    }
}
