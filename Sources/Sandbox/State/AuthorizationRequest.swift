internal import Wire

/// A checked authorization request (RFC 6749 §4.1.1).
struct AuthorizationRequest {
    let clientID: String
    let reply: AuthorizationReply
    /// The `redirect_uri` of the request, which the token request must repeat; nil if there was none.
    let sentRedirectURI: String?
    let person: Person
    let scope: Scope
    let details: AuthorizationDetails
    /// The `nonce` (OpenID Connect Core §3.1.2.1).
    let nonce: String?
    /// The resources (RFC 8707 §2).
    let resources: [String]
    /// Whether no page may be shown: `prompt=none` (OpenID Connect Core §3.1.2.1).
    let forbidsPages: Bool
    /// The challenge of PKCE (RFC 7636 §4.3); nil for a request without PKCE.
    let challenge: String?
    /// Whether the challenge is the verifier itself.
    let isChallengePlain: Bool
    /// The thumbprint of the key that the tokens will be bound to (RFC 9449 §10).
    let keyThumbprint: String?

    /// Checks the parameters.
    ///
    /// - Parameter proof: the thumbprint of the key of a DPoP proof (RFC 9449 §10.1).
    /// - Throws: the errors of RFC 6749 §4.1.2.1.
    init(
        _ parameters: FormParameters, of client: Client, reply: AuthorizationReply, settings: SandboxSettings,
        proof: String? = nil
    ) throws(Refusal) {
        guard parameters.areInObject || !client.requiresSignedRequestObjects else {
            throw .invalidRequest("this client must send a request object (require_signed_request_object)")
        }
        guard try parameters.required("response_type") == "code" else {
            throw Refusal("unsupported_response_type", "the only response_type is code")
        }
        guard client.grantTypes.contains(.authorizationCode) else {
            throw .unauthorizedClient("this client may not use the code grant")
        }
        if let mode = parameters["response_mode"], AuthorizationReply.Mode(rawValue: mode) == nil {
            throw .invalidRequest("response_mode must be query, fragment or form_post, or one of these with .jwt")
        }
        clientID = client.id
        self.reply = reply
        sentRedirectURI = parameters["redirect_uri"]
        scope = try client.scope.granting(parameters["scope"], ignoringAllBut: settings.supportedScope)
        details = try client.details(parameters, settings)
        person = settings.person(hinted: parameters["login_hint"])
        nonce = parameters["nonce"]
        resources = try parameters.resources()
        let prompts = parameters["prompt"]?.split(separator: " ") ?? []
        forbidsPages = prompts.contains("none")
        guard !forbidsPages || prompts.count == 1 else { throw .invalidRequest("prompt=none must be the only value") }
        (challenge, isChallengePlain) = try Self.challenge(parameters, settings)
        keyThumbprint = proof ?? parameters["dpop_jkt"]
    }

    private static func challenge(
        _ parameters: FormParameters, _ settings: SandboxSettings
    ) throws(Refusal) -> (challenge: String?, isPlain: Bool) {
        guard let challenge = parameters["code_challenge"] else {
            guard settings.requiresPKCE else { return (nil, false) }
            guard !parameters.areInObject else { throw parameters.missing("code_challenge") }
            throw .invalidRequest("code_challenge is missing: PKCE is required")
        }
        guard isVerifier(challenge) else {
            throw .invalidRequest("code_challenge is not 43 to 128 unreserved characters")
        }
        switch parameters["code_challenge_method"] ?? "plain" {
        case "S256":
            guard Base64.decodeURL(challenge)?.count == 32 else {
                throw .invalidRequest("code_challenge is no SHA-256 digest in Base64url")
            }
            return (challenge, false)
        case "plain" where settings.allowsPlainChallenge: return (challenge, true)
        case "plain": throw .invalidRequest("code_challenge_method must be S256")
        default: throw .invalidRequest("the code_challenge_method is not known")
        }
    }

    /// Whether a text has the form of a code verifier (RFC 7636 §4.1).
    static func isVerifier(_ text: String) -> Bool {
        (43...128).contains(text.utf8.count)
            && text.utf8.allSatisfy { $0.isASCIILetterOrDigit || "-._~".utf8.contains($0) }
    }
}

/// A pending decision of the user.
enum PendingConsent {
    case request(AuthorizationRequest)
    case device(DeviceAuthorization)

    static let lifetime = 600
}

/// An authorization request that was pushed (RFC 9126).
enum PushedRequest {
    static let lifetime = 60
    /// What a `request_uri` begins with (RFC 9126 §2.2).
    static let prefix = "urn:ietf:params:oauth:request_uri:"
}
