/// A pending decision of the user.
struct PendingConsent {
    /// The kinds of decision.
    enum Matter {
        case request(AuthorizationRequest)
        case device(DeviceAuthorization)
    }

    /// The kind.
    let matter: Matter
    /// Seconds.
    static let lifetime = 600
}
