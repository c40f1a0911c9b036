package import Wire

/// Why an API refused a token, by its status and its challenges (RFC 6750 §3.1).
package enum ResourceRefusal: Sendable, Equatable {
    /// The token is not valid any more, or nothing says what is wrong with it: a new one may help.
    case invalidToken
    /// The token lacks a scope; the value is the one that the API names (RFC 6750 §3.1).
    case insufficientScope(String?)
    /// The person must log in more strongly or again (RFC 9470 §3), or for other claims: those that Microsoft's APIs name in
    /// a challenge of `insufficient_claims`.
    case stepUp(contexts: String?, maximumAge: String?, claims: JSONObject? = nil)
    case other

    /// What the next login is to ask for, as members of its document: `acr_values`, `max_age`, `scope` (RFC 9470 §4) and
    /// `claims`; nil where a login would not help.
    package var loginMembers: JSONObject? {
        var members: JSONObject = [:]
        switch self {
        case .insufficientScope(let scope): members["scope"] = scope.map { .string($0) }
        case .stepUp(let contexts, let age, let claims):
            members["claims"] = claims.map { .object($0) }
            members["acr_values"] = contexts.map { .string($0) }
            members["max_age"] = age.flatMap { Int($0) }.flatMap { $0 >= 0 ? .integer($0) : nil }
        case .invalidToken, .other: return nil
        }
        return members.isEmpty ? nil : members
    }

    /// Whether an answer says in so many words that the token is not valid (RFC 6750 §3.1).
    package static func isTokenInvalid(status: Int, headers: [HTTPField]) -> Bool {
        status == 401
            && headers.challenges.contains(where: isOfToken)
    }

    private static func isOfToken(_ challenge: AuthenticationChallenge) -> Bool {
        ["invalidtoken", "expiredtoken", "tokenexpired"].contains(TokenRefusal.squeezed(challenge["error"] ?? ""))
    }

    /// The scheme is the one that the token was sent with.
    package init(status: Int, headers: [HTTPField], scheme: String) {
        guard status == 401 || status == 403 else {
            self = .other
            return
        }
        let challenges = headers.challenges
        let names = [scheme.asciiLowercased, "bearer", "token", "oauth"]
        let ours = challenges.filter { names.contains($0.scheme) }
        for challenge in ours {
            switch challenge["error"] {
            case "insufficient_scope":
                self = .insufficientScope(challenge["scope"])
                return
            case "insufficient_user_authentication":
                self = .stepUp(contexts: challenge["acr_values"], maximumAge: challenge["max_age"])
                return
            case "insufficient_claims":
                self = .stepUp(contexts: nil, maximumAge: nil, claims: challenge["claims"].flatMap(Self.claims))
                return
            default: break
            }
        }
        // A field that cannot be read says nothing: some servers send parameters without a scheme. Challenges of other
        // schemes say nothing of the token: they are what the server offers to anybody.
        let isUnclear = ours.isEmpty || ours.contains { $0["error"]?.isEmpty ?? true || Self.isOfToken($0) }
        self = status == 401 && isUnclear ? .invalidToken : .other
    }

    /// Claims in a challenge, in Base64 of either alphabet.
    private static func claims(_ text: String) -> JSONObject? {
        Base64.decodeLoosely(text).flatMap { try? JSON(parsing: $0) }?.object
    }
}
