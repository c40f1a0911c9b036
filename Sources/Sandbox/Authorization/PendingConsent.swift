/// What waits for a person's decision.
struct PendingConsent {
    /// What is to be decided.
    enum Matter {
        case request(AuthorizationRequest)
        case device(DeviceAuthorization)
    }

    /// The matter.
    let matter: Matter
    /// Seconds.
    static let lifetime = 600
}
