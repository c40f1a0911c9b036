/// A device that waits for a person's decision (RFC 8628).
final class DeviceAuthorization {
    /// The code that a person types.
    let userCode: String
    /// The client on the device.
    let clientID: String
    /// The scope that is asked for.
    let scope: Scope
    /// When it ends, in seconds since 1970.
    let expiresAt: Int
    /// Seconds between two polls.
    var interval: Int
    /// When the device has asked last, in seconds since 1970.
    var lastPoll: Int?
    /// What the person has decided.
    var decision = Decision.pending

    /// What a person may decide; when is in seconds since 1970.
    enum Decision {
        case pending
        case allowed(at: Int)
        case denied
    }

    /// Makes an authorization that waits; see the properties.
    init(userCode: String, clientID: String, scope: Scope, expiresAt: Int, interval: Int) {
        self.userCode = userCode
        self.clientID = clientID
        self.scope = scope
        self.expiresAt = expiresAt
        self.interval = interval
    }

    /// Seconds.
    static let lifetime = 600
    /// The seconds for which a device is told that its code has expired, rather than that it is not known.
    static let memory = 600
}
