/// The endpoints; the raw value is the name in a fault.
package enum Endpoint: String, Sendable, CaseIterable {
    case authorize
    case token
    case par
    case device
    case introspect
    case revoke
    case register
    case discovery
    case jwks
    case userinfo
    case api
}
