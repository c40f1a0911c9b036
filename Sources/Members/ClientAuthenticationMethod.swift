/// How a client authenticates (`token_endpoint_auth_method`, RFC 7591 §2, OpenID Connect Core §9, RFC 8705 §2).
package enum ClientAuthenticationMethod: String, Sendable, CaseIterable {
    case none
    case basic = "client_secret_basic"
    case post = "client_secret_post"
    case secretJWT = "client_secret_jwt"
    case privateKeyJWT = "private_key_jwt"
    case tls = "tls_client_auth"
    case selfSignedTLS = "self_signed_tls_client_auth"
}
