package import Members
package import Wire

/// How a client authenticates to the authorization server: one method per request, and no second attempt with another
/// (RFC 6749 §2.3).
package struct ClientAuthentication: Sendable {
    package typealias Method = ClientAuthenticationMethod

    /// The parameters that authenticate, which `--param` must not set (RFC 6749 §2.3.1, RFC 7521 §4.2).
    static let reserved =
        ["client_id", "client_assertion", "client_assertion_type"] + ClientCredential.allCases.map(\.member)

    package let method: Method
    private let proof: any AuthenticationMethod
    private let basic: BasicAuthentication?
    private let names: ParameterNames
    private let sendsAssertion: Bool
    /// Whether the document itself says that the client has nothing to authenticate with.
    private let isPublic: Bool

    /// Authenticates as the document says: by `token_endpoint_auth_method`, else with a secret by what the server
    /// lists, else by HTTP Basic.
    ///
    /// - Parameters:
    ///   - secret: the value of its ``ClientCredential``; nil if there is none.
    ///   - passPhrase: that of an encrypted key.
    ///   - endpoint: the member of the endpoint, which may take other methods than the token endpoint.
    ///   - isNamed: whether the request must name the client.
    /// - Throws: `metadata_missing` for a missing `client_id` or secret, `usage` for an unknown method.
    package init(
        of document: Document, secret: String?, passPhrase: String? = nil, at endpoint: String = "token_endpoint",
        isNamed: Bool = true
    ) throws(OAuthError) {
        _ = try ClientCredential(of: document, isNamed: isNamed)
        names = try ParameterNames(of: document)
        sendsAssertion = try document.bool("assertion_bearer") ?? false
        let _: BasicEncoding? = try document.choice("basic_encoding")
        method = try Self.method(of: document, hasSecret: secret != nil, at: endpoint)
        isPublic = method == .none && document.members["token_endpoint_auth_method"]?.isNull == false
        try SecurityProfile.check(method, for: document)
        let credential = method == .privateKeyJWT && document.hasAssertion ? .assertion : method.credential
        if let credential, secret == nil { throw document.missing(credential) }
        let secret = secret ?? ""
        basic = method.credential == .secret ? try BasicAuthentication(of: document, secret: secret) : nil
        proof =
            switch method {
            case .none: try NamedClient(ofPublic: document)
            case .basic: try BasicAuthentication(of: document, secret: secret)
            case .post: try NamedClient(of: document, secret: secret)
            case .privateKeyJWT where credential == .assertion: try GivenAssertion(of: document, secret)
            case .secretJWT, .privateKeyJWT:
                try AssertionAuthentication(
                    of: document, method, secret: secret, passPhrase: passPhrase, at: endpoint)
            case .tls, .selfSignedTLS: try NamedClient(withCertificate: document, method)
            }
    }

    /// The method that the document names, or HTTP Basic with a secret; in the place of that, one of the same credential
    /// that the server lists, if it does not list that one (RFC 8414 §2). A method that the document names counts at the
    /// token endpoint, and one of an option everywhere.
    private static func method(
        of document: Document, hasSecret: Bool, at endpoint: String
    ) throws(OAuthError) -> Method {
        let named = try Method.named(in: document)
        let isOption = document.origin(of: "token_endpoint_auth_method") == .option
        var method = if let named { named } else { try usual(for: document, hasSecret: hasSecret) }
        for place in ["token_endpoint", endpoint] {
            guard place == "token_endpoint" ? named == nil : !isOption, let credential = method.credential else {
                continue
            }
            let listed = try document.strings("\(place)_auth_methods_supported")
            guard !listed.contains(method.rawValue) else { continue }
            method = Method.allCases.first { $0.credential == credential && listed.contains($0.rawValue) } ?? method
        }
        return method
    }

    /// The method of a client that names none, by what it has.
    private static func usual(for document: Document, hasSecret: Bool) throws(OAuthError) -> Method {
        if document.signsForClient { return .privateKeyJWT }
        if hasSecret { return .basic }
        guard document.hasCertificate else { return .none }
        let listed = try document.strings("token_endpoint_auth_methods_supported")
        if try SecurityProfile(of: document) != nil, listed.isEmpty { return .tls }
        return listed.contains("none") ? .none : [.tls, .selfSignedTLS].first { listed.contains($0.rawValue) } ?? .none
    }
}

extension ClientAuthentication {
    /// Why a server will not take the client as it is. A secret is often given later, a key or a certificate is not.
    static func warnings(of document: Document) throws(OAuthError) -> [OAuthWarning] {
        let named = try Method.named(in: document)?.rawValue
        let listed = if let named { [named] } else { try document.strings("token_endpoint_auth_methods_supported") }
        let names = listed.prefix(5).joined(separator: ", ")
        let whose =
            named == nil ? "the server lists for clients only \(names)" : "the client authenticates with \(names)"
        let lacks = listed.compactMap(Method.init).map { method in
            switch method {
            case .none, .basic, .post, .secretJWT: ""
            case .privateKeyJWT:
                // A client that was registered a moment ago has its key in the document.
                document.keyUse != nil || document.hasAssertion || document.members.holds(ClientCredential.key.member)
                    ? "" : "no key (\(ClientCredential.key.option))"
            case .tls, .selfSignedTLS: document.hasCertificate ? "" : "no certificate (--cert)"
            }
        }
        guard !listed.isEmpty, !lacks.contains("") else { return [] }
        return [.other(whose + (lacks.first.map { ", but the client has \($0)" } ?? ", which oap does not support"))]
    }

    /// The secrets that no trace may show.
    package var secrets: [String] { basic?.secrets ?? [] }

    /// Adds to an error that concerns the client what to do about it, unless it has a hint.
    package func withHint(for error: OAuthError) -> OAuthError {
        guard error.hint == nil else { return error }
        var error = error
        if method == .none {
            error.hint =
                isPublic
                ? """
                the client is public (token_endpoint_auth_method is none), and the server may want one that authenticates; \
                if the client has a secret: \(Member.option(for: "token_endpoint_auth_method")) \(Method.basic.rawValue)
                """
                : "no client secret was given; \(ClientCredential.secret.supply)"
            return error
        }
        var hints: [String] = []
        if error.isRefusalWithoutCode || error.code == "invalid_client" {
            hints = [proof.advice ?? "check client_id, the secret and token_endpoint_auth_method"]
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
        guard let basic else { throw Document([:]).missing(.secret) }
        return basic.field
    }

    /// A POST to one of the server's endpoints, authenticated (RFC 6749 §3.2).
    package func request(
        to endpoint: Endpoint, parameters: Parameters, format: RequestFormat = .form, at moment: RequestMoment
    ) throws(OAuthError) -> HTTPRequest {
        var request = ClientRequest(to: endpoint, parameters: parameters, at: moment)
        try proof.authenticate(&request)
        return request.message(format: format, names: names, sendsAssertion: sendsAssertion)
    }
}
