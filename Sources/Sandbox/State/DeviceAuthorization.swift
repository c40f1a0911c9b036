/// A pending device authorization (RFC 8628).
final class DeviceAuthorization {
    let userCode: String
    let clientID: String
    let scope: Scope
    let expiresAt: Int
    var interval: Int
    var lastPoll: Int?
    var decision = Decision.pending

    /// The possible decisions, with their time in seconds since 1970.
    enum Decision {
        case pending
        case allowed(at: Int)
        case denied
    }

    init(userCode: String, clientID: String, scope: Scope, expiresAt: Int, interval: Int) {
        self.userCode = userCode
        self.clientID = clientID
        self.scope = scope
        self.expiresAt = expiresAt
        self.interval = interval
    }

    /// The seconds for which an expired code gets `expired_token` instead of an error for unknown codes.
    static let memory = 600
}
