package import Members
package import Wire

/// How a client authenticates to the authorization server: one method per request, and no second attempt with another
/// (RFC 6749 §2.3).
package struct ClientAuthentication: Sendable {
    /// The methods.
    package typealias Method = ClientAuthenticationMethod

    /// The parameters that authenticate, which `--param` must not set (RFC 6749 §2.3.1, RFC 7521 §4.2).
    static let reserved = ["client_id", "client_secret", "client_assertion", "client_assertion_type"]

    /// The method that is used.
    package let method: Method
    private let proof: any AuthenticationMethod
    private let basic: BasicAuthentication?

    /// The member of the secret that the client of a document needs, or may have if it names no method.
    ///
    /// - Parameter isNamed: whether the request must name the client.
    /// - Throws: `metadata_missing` for a missing `client_id`, `usage` for an unknown method.
    package static func secretMember(of document: Document, isNamed: Bool = true) throws(OAuthError) -> String? {
        if isNamed || document.members["client_id"] != nil { _ = try document.required("client_id") }
        return (try named(in: document) ?? .basic).facts.secretMember
    }

    /// Authenticates as the document says: by `token_endpoint_auth_method`, else with a secret by what the server
    /// lists, else by HTTP Basic.
    ///
    /// - Parameters:
    ///   - secret: the value of the `secretMember(of:)`; nil if there is none.
    ///   - endpoint: the member of the endpoint, which may take other methods than the token endpoint.
    ///   - isNamed: whether the request must name the client.
    /// - Throws: `metadata_missing` for a missing `client_id` or secret, `usage` for an unknown method.
    package init(
        of document: Document, secret: String?, at endpoint: String = "token_endpoint", isNamed: Bool = true
    ) throws(OAuthError) {
        let _: BasicEncoding? = try document.choice("basic_encoding")
        let standard = try Self.standard(for: document, hasSecret: secret != nil)
        method = try Self.listed(try Self.named(in: document) ?? standard, at: endpoint, in: document)
        if let member = method.facts.secretMember, secret == nil { throw document.missing(member) }
        let isNameless = !isNamed && method == .none && document.members["client_id"] == nil
        proof = isNameless ? NoAuthentication() : try method.facts.make(document, secret ?? "")
        let hasClientSecret = method.facts.secretMember == "client_secret"
        basic = hasClientSecret ? try BasicAuthentication(of: document, secret: secret ?? "") : nil
    }

    private static func named(in document: Document) throws(OAuthError) -> Method? {
        guard let name = try document.string("token_endpoint_auth_method") else { return nil }
        guard let method = Method(rawValue: name) else {
            throw document.invalid(
                "token_endpoint_auth_method", "\(name) is not supported",
                hint: "oap supports \(Method.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        return method
    }

    private static func standard(for document: Document, hasSecret: Bool) throws(OAuthError) -> Method {
        guard hasSecret else { return .none }
        let listed = try document.strings("token_endpoint_auth_methods_supported")
        return listed.contains(Method.post.rawValue) && !listed.contains(Method.basic.rawValue) ? .post : .basic
    }

    /// A method with a secret, or the other one where the server lists that alone for an endpoint besides the token
    /// endpoint (RFC 8414 §2), unless an option names the method.
    private static func listed(
        _ method: Method, at endpoint: String, in document: Document
    ) throws(OAuthError) -> Method {
        let name = "token_endpoint_auth_method"
        guard endpoint != "token_endpoint", method.facts.secretMember == "client_secret",
            document.origin(of: name) != .option
        else { return method }
        let listed = try document.strings("\(endpoint)_auth_methods_supported")
        guard !listed.contains(method.rawValue) else { return method }
        return [Method.basic, .post].first { listed.contains($0.rawValue) } ?? method
    }
}

extension ClientAuthentication {
    /// The secrets that no trace may show.
    package var secrets: [String] { basic?.secrets ?? [] }

    /// Adds to an error that concerns the client what to do about it, unless it has a hint.
    package func explained(_ error: OAuthError) -> OAuthError {
        guard error.hint == nil else { return error }
        var error = error
        if method == .none {
            error.hint = "no client secret was given; \(Member.named("client_secret")?.supply ?? "")"
            return error
        }
        var hints: [String] = []
        if error.isRefusalWithoutCode || error.code == "invalid_client" {
            hints = ["check client_id, the secret and token_endpoint_auth_method"]
        }
        if method == .basic, basic?.isEncoded == true {
            let option = "\(Member.option(for: "basic_encoding")) \(BasicEncoding.raw.rawValue)"
            hints.append(
                """
                oap encodes characters of the client_id or the secret; if the server expects them unencoded, use \
                \(option)
                """)
        }
        error.hint = hints.isEmpty ? nil : hints.joined(separator: "; ")
        return error
    }

    /// HTTP Basic, for an API of the server that takes nothing else (RFC 7617).
    ///
    /// - Throws: `metadata_missing` for a client without a secret.
    func basicField() throws(OAuthError) -> HTTPField {
        guard let basic else { throw Document([:]).missing("client_secret") }
        return basic.field
    }

    /// A POST to one of the server's endpoints, authenticated (RFC 6749 §3.2).
    ///
    /// - Parameters:
    ///   - format: how the parameters are written.
    ///   - names: what the server calls them.
    package func request(
        to endpoint: Endpoint, parameters: Parameters, format: RequestFormat = .form, names: ParameterNames = .standard,
        at moment: RequestMoment
    ) throws(OAuthError) -> HTTPRequest {
        var request = ClientRequest(to: endpoint, parameters: parameters, at: moment)
        try proof.authenticate(&request)
        return request.message(format: format, names: names)
    }
}

extension ClientAuthenticationMethod {
    fileprivate typealias Maker = (Document, _ secret: String) throws(OAuthError) -> any AuthenticationMethod

    /// The member of the secret or key that a method needs, nil for none, and how it is made with that.
    fileprivate var facts: (secretMember: String?, make: Maker) {
        switch self {
        case .none: (nil, NoAuthentication.init)
        case .basic: ("client_secret", BasicAuthentication.init)
        case .post: ("client_secret", PostAuthentication.init)
        }
    }
}
