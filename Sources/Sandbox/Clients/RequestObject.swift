internal import JOSE
internal import Wire

/// A request object: an authorization request as the claims of a JWT of the client (RFC 9101 §4, OpenID Connect Core
/// §6.1).
struct RequestObject {
    /// The claims. Their signature is verified, unless the client has registered for none.
    private let claims: JSONObject
    private let header: JSONObject
    /// The parameters of the request: those in the object alone (RFC 9101 §6.3).
    let parameters: FormParameters

    /// Verifies the signature (RFC 9101 §6.2).
    init(_ text: String, of client: Client) throws(Refusal) {
        do throws(SandboxError) {
            claims = try Self.claims(of: text, client)
        } catch {
            throw .invalidObject(error)
        }
        header = (try? JSONWebSignature(parsing: text))?.header ?? [:]
        parameters = FormParameters(claims: claims)
    }

    func check(for client: Client, issuer: String, now: Int) throws(Refusal) {
        do throws(SandboxError) {
            try header.checkType("oauth-authz-req+jwt")
            try checkParties(client, issuer)
            try claims.checkTimes(now: now)
            try checkParameters()
        } catch {
            throw .invalidObject(error)
        }
    }

    /// The algorithm is the registered one (OpenID Connect Registration §2), otherwise any that signs. An object without
    /// a signature is anybody's, so it is taken from those who have registered for it alone.
    private static func claims(of text: String, _ client: Client) throws(SandboxError) -> JSONObject {
        let object = try? JSONWebSignature(parsing: text)
        if let object, let wanted = client.requestObjectAlgorithm, wanted != object.algorithmName {
            throw SandboxError(
                "its alg must be \(wanted), which the client has registered as request_object_signing_alg")
        }
        guard let object, object.algorithmName == unsigned else {
            return try client.claims(signedIn: text, allowing: Set(SignatureAlgorithm.allCases))
        }
        guard client.requestObjectAlgorithm == unsigned else {
            throw SandboxError("it is not signed: only a client with request_object_signing_alg none may send alg none")
        }
        guard object.isUnsecured else { throw SandboxError("its alg is none, but it has a signature") }
        guard let claims = (try? JSON(parsing: object.payload))?.object else { throw SandboxError("it has no claims") }
        return claims
    }

    /// The `alg` of an object without a signature (RFC 7518 §3.6).
    static let unsigned = "none"
    /// The values of `request_object_signing_alg` (OpenID Connect Registration §2).
    static let algorithms = SignatureAlgorithm.allCases.map(\.rawValue) + [unsigned]

    /// Checks who made the object, and for whom (RFC 9101 §4, §6.3). With the client as subject it would be an
    /// assertion of the client too (§10.8).
    private func checkParties(_ client: Client, _ issuer: String) throws(SandboxError) {
        guard let id = claims["client_id"]?.string else { throw SandboxError("it has no client_id that is a string") }
        guard id.isIdentical(to: client.id) else {
            throw SandboxError("its client_id is \(id.shown), but the request is of \(client.id.shown)")
        }
        guard claims["iss"].map({ $0 == .string(client.id) }) ?? true else {
            throw SandboxError("its iss is not the client_id")
        }
        guard claims["sub"] != .string(client.id) else { throw SandboxError("its sub may not be the client_id") }
        guard claims["aud"] == nil || claims.audience.contains(where: { $0.isIdentical(to: issuer) }) else {
            throw SandboxError("its aud is not the issuer \(issuer.shown(upTo: 200))")
        }
    }

    /// The parameters have a value that a request can have, and none names another object (RFC 9101 §4).
    private func checkParameters() throws(SandboxError) {
        for name in ["request", "request_uri"] where claims[name] != nil {
            throw SandboxError("it has a \(name), which may not be in it")
        }
        for name in Self.strings where claims[name] != nil && claims[name]?.string == nil {
            throw SandboxError("its \(name) is not a string")
        }
        guard let resource = claims["resource"], resource.string == nil, resource.strings == nil else { return }
        throw SandboxError("its resource is not a string or an array of strings")
    }

    private static let strings = [
        "response_type", "redirect_uri", "response_mode", "scope", "state", "nonce", "prompt", "login_hint",
        "code_challenge", "code_challenge_method", "dpop_jkt",
    ]
}

extension SandboxServer {
    /// The request object of an authorization request, with its signature verified; nil if the request has none.
    func requestObject(in parameters: FormParameters, of client: Client) throws(Refusal) -> RequestObject? {
        guard let text = parameters["request"] else { return nil }
        let object = try RequestObject(text, of: client)
        trace.requestObject = object.parameters.pairs
        return object
    }
}

extension Refusal {
    fileprivate static func invalidObject(_ flaw: SandboxError) -> Refusal {
        Refusal("invalid_request_object", "the request object is refused: \(flaw.message)")
    }
}
