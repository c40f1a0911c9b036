internal import JOSE
internal import Wire

private struct Credentials {
    let method: Client.AuthenticationMethod
    let clientID: String
    /// The secret or the assertion; empty without one.
    let proof: String
    var algorithm: SignatureAlgorithm?
}

extension SandboxServer {
    /// The authenticated client of a request (RFC 6749 §2.3, RFC 7523 §2.2).
    func authenticate(_ request: SandboxRequest, _ parameters: FormParameters) throws(Refusal) -> Client {
        let credentials = try credentials(of: request, parameters)
        if let id = parameters["client_id"], !id.isIdentical(to: credentials.clientID) {
            throw .invalidRequest("client_id is not the client that authenticates")
        }
        trace.clientID = credentials.clientID
        guard let client = clients[credentials.clientID] else { throw .invalidClient("the client is not known") }
        if credentials.method == .none, let method = client.authenticationMethods.first(where: \.isByCertificate) {
            guard let certificate = request.certificate else {
                throw .invalidClient(
                    "this client must present its certificate, at an endpoint of mtls_endpoint_aliases")
            }
            try certificate.authenticate(client, by: method)
            return client
        }
        // RFC 6749 §2.3.1: an empty secret may be left out, so a public client may also send one.
        if client.isPublic, credentials.method == .basic, credentials.proof.isEmpty { return client }
        guard client.authenticationMethods.contains(credentials.method) else {
            let methods = client.authenticationMethods.map(\.rawValue).joined(separator: " or ")
            throw .invalidClient("this client authenticates with \(methods), not with \(credentials.method.rawValue)")
        }
        switch credentials.method {
        case .none, .tls, .selfSignedTLS: break
        case .basic, .post:
            guard let secret = client.secret, constantTimeEqual(secret, credentials.proof) else {
                throw .invalidClient("the client secret is wrong")
            }
        case .secretJWT, .privateKeyJWT:
            try verify(credentials, of: client, at: request.path)
        }
        return client
    }

    /// The client that a request names, not authenticated.
    func clientID(namedBy request: SandboxRequest, _ parameters: FormParameters) -> String? {
        (try? credentials(of: request, parameters))?.clientID
    }

    /// Verifies a client assertion (RFC 7523 §3).
    ///
    /// - Throws: `invalid_client`, also for another algorithm than the registered one (OpenID Connect Registration §2).
    private func verify(_ credentials: Credentials, of client: Client, at path: String) throws(Refusal) {
        if let algorithm = client.assertionAlgorithm, algorithm != credentials.algorithm {
            let name = algorithm.rawValue
            throw .invalidClient("this client must sign its assertion with \(name) (token_endpoint_auth_signing_alg)")
        }
        let claims: JSONObject
        let allowed = SignatureAlgorithm.allCases.filter { $0.isSymmetric == (credentials.method == .secretJWT) }
        do throws(SandboxError) {
            let header = (try? JSONWebSignature(parsing: credentials.proof))?.header ?? [:]
            try header.checkType("client-authentication+jwt")
            claims = try verifyAssertion(credentials.proof, at: path, by: client, allowing: Set(allowed))
        } catch {
            throw .invalidClient("the assertion is refused: \(error.message)")
        }
        guard claims["iss"]?.string == client.id, claims["sub"]?.string == client.id else {
            throw .invalidClient("iss and sub of the assertion must be the client_id")
        }
    }

    private func credentials(
        of request: SandboxRequest, _ parameters: FormParameters
    ) throws(Refusal) -> Credentials {
        let basic = try request.authorization()
        let inContent = ["client_secret", "client_assertion"].filter { parameters[$0] != nil }
        guard inContent.count + (basic == nil ? 0 : 1) <= 1 else {
            throw .invalidRequest("the client authenticates in more than one way")
        }
        if let basic {
            guard basic.scheme == "basic" else {
                throw .invalidClient("the scheme of the Authorization field must be Basic")
            }
            return try Self.basicCredentials(basic.credentials)
        }
        if let assertion = parameters["client_assertion"] {
            return try Self.assertionCredentials(assertion, parameters)
        }
        guard let id = parameters["client_id"] else { throw .invalidClient("the request names no client") }
        guard let secret = parameters["client_secret"] else {
            return Credentials(method: .none, clientID: id, proof: "")
        }
        return Credentials(method: .post, clientID: id, proof: secret)
    }

    /// Splits HTTP Basic, whose halves are form-encoded before they are joined (RFC 6749 §2.3.1).
    private static func basicCredentials(_ text: String) throws(Refusal) -> Credentials {
        guard let bytes = Base64.decode(text), let decoded = String(validating: bytes, as: UTF8.self),
            let colon = decoded.firstIndex(of: ":"), let id = try? FormEncoding.decode(decoded[..<colon]),
            let secret = try? FormEncoding.decode(decoded[decoded.index(after: colon)...])
        else { throw .invalidClient("the credentials are not form-encoded HTTP Basic") }
        return Credentials(method: .basic, clientID: id, proof: secret)
    }

    /// The client is the one that the assertion names, which is trusted only after verification.
    private static func assertionCredentials(
        _ assertion: String, _ parameters: FormParameters
    ) throws(Refusal) -> Credentials {
        guard parameters["client_assertion_type"] == "urn:ietf:params:oauth:client-assertion-type:jwt-bearer" else {
            throw .invalidClient("client_assertion_type is not jwt-bearer")
        }
        guard let signature = try? JSONWebSignature(parsing: assertion),
            let claims = (try? JSON(parsing: signature.payload))?.object, let id = claims["sub"]?.string
        else { throw .invalidClient("the client assertion is not a JWT with a sub") }
        let algorithm = SignatureAlgorithm(named: signature.algorithmName)
        let method: Client.AuthenticationMethod = algorithm?.isSymmetric == true ? .secretJWT : .privateKeyJWT
        return Credentials(method: method, clientID: id, proof: assertion, algorithm: algorithm)
    }
}
