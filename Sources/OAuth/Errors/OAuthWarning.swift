/// A deviation that did not stop the work; `--strict` makes it an error.
package enum OAuthWarning: Sendable, Equatable {
    // Any response: its label, its status, its members.
    case contentType(String?)
    case status(subject: String, Int, expected: Int)
    case memberDropped(String)
    case membersDropped(Int)

    // The metadata of a server.
    case endpointUnusable(String)

    // The token response.
    case tokenTypeMissing
    case expiresInZero
    case expiresInInvalid
    case expiresInClamped(to: Int)
    case refreshTokenInvalid(kind: String)
    case issuedTokenTypeMissing
    case idTokenMissing
    /// The `acr` of the login is none of those that were asked for; nil for none.
    case contextNotMet(wanted: String, String?)
    case idTokenUnverified(isRequested: Bool)
    case idTokenDropped(reason: String)
    case idTokenNotReplaced(reason: String)
    case scopeReduced([String])
    case scopeWidened([String])
    case scopeEmpty
    case scopeNotString(kind: String)

    // Another token of a login, by what was asked for.
    case audienceOther([String])
    case tokenOfLogin

    // ID tokens and keys.
    case subjectTooLong
    case subjectUnchecked
    case foreignAuthorizedParty
    case privateKeyMember

    // Authorization requests and responses, polling, revocation.
    case noPKCE
    case plainPKCE
    case unlisted(String)
    case issuerUnchecked
    case intervalInvalid
    case revokedBefore

    // Registration (RFC 7591 §3.2.1, RFC 7592 §3).
    case expiryMissing(of: String)
    case managementUnusable(missing: String)
    case registeredOther(_ member: String, String)

    /// A renewal failed, by an error of this kind, while the token is good until then, in seconds since 1970.
    case notRenewed(ErrorKind, until: Int, message: String)

    /// What the caller says of its own files and profiles.
    case other(String)
}

extension OAuthWarning {
    /// Whether the warning says that another scope was registered.
    package var isOfScope: Bool { if case .registeredOther("scope", _) = self { true } else { false } }

    /// The sentence for the user: lower case, no full stop, no secret.
    package var message: String {
        switch self {
        case .contentType(let type):
            "the server sends JSON \(type.map { "with the Content-Type \($0)" } ?? "without a Content-Type")"
        case .status(let subject, let status, let expected): "\(subject) with status \(status), not \(expected)"
        case .memberDropped(let name): "the server's answer has a member \(name), which was dropped"
        case .membersDropped(let count): "the server's answer has \(count) more members that were dropped"
        case .endpointUnusable(let reason): "in the server's metadata, \(reason)"
        case .tokenTypeMissing: "the server names no token_type; oap assumes Bearer"
        case .expiresInZero: "expires_in is 0; oap takes the lifetime as unknown"
        case .expiresInInvalid: "expires_in is not a number of seconds; oap takes the lifetime as unknown"
        case .expiresInClamped(let most): "expires_in is too large; oap uses \(most)"
        case .refreshTokenInvalid(let kind): "refresh_token is \(kind), not a string; oap ignores it"
        case .issuedTokenTypeMissing: "the server does not say which type of token it issued"
        case .idTokenMissing: "the server sent no id_token, though openid was asked for"
        case .contextNotMet(let wanted, let found):
            "the server did not say that the login was \(wanted)" + (found.map { ": its acr is \($0)" } ?? "")
        case .idTokenUnverified(let isRequested):
            """
            the server sent an id_token \(isRequested ? "for this grant" : "that oap did not request"), and oap did \
            not check it
            """
        case .idTokenDropped(let reason):
            "the server sent an id_token that oap did not request, and oap dropped it: \(reason)"
        case .idTokenNotReplaced(let reason):
            "oap does not use the ID token of the refresh, and keeps the earlier ID token: \(reason)"
        case .scopeReduced(let missing): "the server did not grant the scope \(missing.joined(separator: " "))"
        case .scopeWidened(let added): "the server granted more scope than requested: \(added.joined(separator: " "))"
        case .scopeEmpty: "the granted scope is empty; oap assumes the requested scope"
        case .scopeNotString(let kind): "the granted scope is \(kind), not a string"
        case .audienceOther(let named):
            "the token is for another audience than requested: \(named.joined(separator: " "))"
        case .tokenOfLogin: "the server sent the access token of the login itself, not another token"
        case .subjectTooLong: "the sub of the ID token is longer than 255 bytes"
        case .subjectUnchecked: "oap cannot compare the sub: the document has no claims of an ID token"
        case .foreignAuthorizedParty: "the ID token was issued to another client (azp)"
        case .privateKeyMember: "the issuer publishes a private key"
        case .noPKCE: "the code is sent without PKCE: anybody who sees it can use it"
        case .plainPKCE: "the plain challenge shows the code verifier to the browser"
        case .unlisted(let what): "the server's metadata does not offer \(what)"
        case .issuerUnchecked: "the callback names an issuer, but the document has none to compare"
        case .intervalInvalid: "interval is not a number of seconds; oap uses 5"
        case .revokedBefore: "the server says that the token was not valid any more"
        case .expiryMissing(let member): "the server does not say when the \(member) expires"
        case .managementUnusable(let missing):
            "the server sent no usable \(missing): the registration cannot be read, updated or deleted"
        case .registeredOther(let member, let value):
            "the server registered another \(member) than was asked for" + Self.shown(value)
        case .notRenewed(_, _, let message), .other(let message): message
        }
    }

    /// A value behind a text; nothing for a long one. It is never cut: a secret in it could not be masked any more.
    private static func shown(_ value: String) -> String { value.utf8.count > 100 ? "" : ": \(value)" }
}
