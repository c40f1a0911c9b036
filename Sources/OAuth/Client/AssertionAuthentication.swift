internal import JOSE
internal import Members
internal import Wire

/// `private_key_jwt` and `client_secret_jwt`: a JWT that the client signs anew for each request (RFC 7523 §2.2 and §3,
/// OpenID Connect Core §9).
struct AssertionAuthentication: AuthenticationMethod {
    private let clientID: String
    private let signer: JWTSigner
    private let audience: AssertionAudience
    /// The `typ` of the header; nil for servers that refuse one that they do not know.
    private let type: String?

    /// - Parameters:
    ///   - secret: the client's secret, or its key.
    ///   - endpoint: the member of the endpoint.
    /// - Throws: `metadata_missing` without a `client_id`, or an issuer to sign for; `usage`; the kinds of ``JWTSigner``.
    init(
        of document: Document, _ method: ClientAuthenticationMethod, secret: String, passPhrase: String?,
        at endpoint: String
    ) throws(OAuthError) {
        clientID = try document.required("client_id")
        audience = try AssertionAudience(of: document)
        type = try SecurityProfile(of: document) == .fapi2 ? "client-authentication+jwt" : nil
        let use = JWTSigner.Use.authentication(at: endpoint)
        signer =
            try method == .secretJWT
            ? JWTSigner(of: document, secret: secret, for: use)
            : JWTSigner(of: document, key: secret, passPhrase: passPhrase, for: use)
    }

    func authenticate(_ request: inout ClientRequest) throws(OAuthError) {
        try audience.check(for: request.endpoint)
        let now = request.moment.now
        let claims: JSONObject = [
            "iss": .string(clientID), "sub": .string(clientID), "aud": .string(audience.text(for: request.endpoint)),
            "jti": .string(Base64.encodeURL(request.moment.random)), "iat": .integer(now),
            "exp": .integer(now + Self.lifetime),
        ]
        request.set("client_id", clientID)
        request.set("client_assertion_type", Self.assertionType)
        request.set("client_assertion", try signer.sign(claims, type: type))
    }

    /// What the JWT of the client said, since servers differ in what they want there.
    var advice: String? {
        // The profile allows no other audience.
        """
        the JWT of the client had \(audience.description), \(signer.description) and \(type.map { "the typ \($0)" } ?? "no typ"); check client_id and the key \
        that the server has registered for it\(type == nil ? ", or try --assertion-audience with \(audience.others)" : "")
        """
    }

    /// Seconds (RFC 7523 §3: as short as it can be).
    private static let lifetime = 60
    fileprivate static let assertionType = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
}

/// `private_key_jwt` with a JWT that somebody else has signed: the platform of a job, or a program (RFC 7521 §4.2). Where the
/// server knows the client by it, the client need not be named.
struct GivenAssertion: AuthenticationMethod {
    private let clientID: String?
    private let assertion: String

    init(of document: Document, _ assertion: String) throws(OAuthError) {
        (clientID, self.assertion) = (try document.string("client_id"), assertion)
    }

    func authenticate(_ request: inout ClientRequest) throws(OAuthError) {
        if let clientID { request.set("client_id", clientID) }
        request.set("client_assertion_type", AssertionAuthentication.assertionType)
        request.set("client_assertion", assertion)
    }

    var advice: String? {
        "the client's JWT was signed elsewhere: check client_id, and that the server trusts its iss, sub and aud"
    }
}

/// Whom a client's JWT is for (`assertion_audience`): the issuer, if nothing else is said. The URL of an endpoint is what
/// some servers want, and what lets another server use the JWT.
///
/// A malicious issuer can name the token endpoint of another server beside endpoints of its own. So a JWT for the token
/// endpoint that a document names goes to its origin only. A URL as the audience is what the user has chosen.
package struct AssertionAudience {
    private let name: String
    /// The `aud`; nil for the URL of the endpoint that is asked.
    private let text: String?

    private static let names = ["issuer", "token_endpoint", "endpoint"]

    /// - Throws: `metadata_missing` without an issuer; `usage`.
    init(of document: Document) throws(OAuthError) {
        let member = "assertion_audience"
        name = try document.string(member) ?? "issuer"
        switch name {
        case "issuer":
            guard try document.string(name) != nil else {
                var error = document.missing(name)
                error.hint =
                    """
                    the client's JWT is for the issuer: use --issuer URL; for a server that wants the URL of its token \
                    endpoint, use \(Member.option(for: member)) token_endpoint
                    """
                throw error
            }
            text = try document.required(name)
        case "token_endpoint": text = try document.required(name)
        case "endpoint": text = nil
        default:
            guard WebURL(name)?.scheme != nil else {
                throw document.invalid(member, "must be issuer, token_endpoint, endpoint or a URL")
            }
            text = name
        }
    }

    /// Whom a JWT is for that goes to an endpoint.
    ///
    /// - Throws: as `init(of:)` and `check(for:)`.
    package static func text(of document: Document, for endpoint: Endpoint) throws(OAuthError) -> String {
        let audience = try AssertionAudience(of: document)
        try audience.check(for: endpoint)
        return audience.text(for: endpoint)
    }

    /// Refuses an endpoint whose server could use the JWT at the token endpoint.
    ///
    /// - Throws: `origin_refused`.
    func check(for endpoint: Endpoint) throws(OAuthError) {
        guard name == "token_endpoint", let text, WebURL(text)?.origin != endpoint.url.origin else { return }
        throw OAuthError(
            .originRefused,
            "the client's JWT is for the token endpoint \(text), but would go to \(endpoint.description)",
            hint: """
                if the server takes its issuer as the audience, use --assertion-audience issuer; only if all of these \
                belong to one provider, use --assertion-audience with the URL of the token endpoint
                """, member: "assertion_audience")
    }

    func text(for endpoint: Endpoint) -> String { text ?? endpoint.url.text }

    /// The audience for messages: `aud https://as.example`.
    var description: String { text.map { "the aud \(JSON.string($0).text)" } ?? "the URL of the endpoint as its aud" }

    /// The values that were not tried.
    var others: String {
        let others = Self.names.filter { $0 != name }
        return others.dropLast().joined(separator: ", ") + " or \(others.last ?? "")"
    }
}
