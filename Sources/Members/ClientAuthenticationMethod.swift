/// How a client authenticates (`token_endpoint_auth_method`, RFC 7591 §2).
package enum ClientAuthenticationMethod: String, Sendable, CaseIterable {
    case none
    case basic = "client_secret_basic"
    case post = "client_secret_post"
}
