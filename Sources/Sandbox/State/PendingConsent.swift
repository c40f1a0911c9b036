/// A pending decision of the user.
struct PendingConsent {
    enum Matter {
        case request(AuthorizationRequest)
        case device(DeviceAuthorization)
    }

    let matter: Matter
    static let lifetime = 600
}
