/// A pending device authorization (RFC 8628).
final class DeviceAuthorization {
    /// The code that the user types.
    let userCode: String
    /// The client on the device.
    let clientID: String
    let scope: Scope
    /// When it expires, in seconds since 1970.
    let expiresAt: Int
    /// Seconds between two polls.
    var interval: Int
    /// The last poll, in seconds since 1970.
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
