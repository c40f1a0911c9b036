/// A pending login that the person decides on another device (RFC 8628; OpenID Connect CIBA Core).
final class DeviceAuthorization {
    let grant: GrantType
    let userCode: String
    let clientID: String
    let scope: Scope
    let details: AuthorizationDetails
    let expiresAt: Int
    var interval: Int
    var lastPoll: Int?
    /// Who was asked; nil for who types the code.
    var person: Person?
    /// What the client shows too.
    var message: String?
    var decision = Decision.pending

    /// The possible decisions, with their time in seconds since 1970.
    enum Decision {
        case pending
        case allowed(at: Int)
        case denied
    }

    init(
        _ grant: GrantType, userCode: String, clientID: String, scope: Scope, details: AuthorizationDetails,
        expiresAt: Int, interval: Int
    ) {
        (self.grant, self.userCode, self.clientID, self.scope) = (grant, userCode, clientID, scope)
        (self.details, self.expiresAt, self.interval) = (details, expiresAt, interval)
    }

    /// The seconds for which an expired code gets `expired_token` instead of an error for unknown codes.
    static let memory = 600
}
