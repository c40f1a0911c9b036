/// A pending decision of the user.
enum PendingConsent {
    case request(AuthorizationRequest)
    case device(DeviceAuthorization)

    static let lifetime = 600
}
