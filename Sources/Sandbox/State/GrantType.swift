/// The grants, by their `grant_type`.
enum GrantType: String, CaseIterable {
    case authorizationCode = "authorization_code"
    case refreshToken = "refresh_token"
    case clientCredentials = "client_credentials"
    case deviceCode = "urn:ietf:params:oauth:grant-type:device_code"
    case ciba = "urn:openid:params:grant-type:ciba"
    case tokenExchange = "urn:ietf:params:oauth:grant-type:token-exchange"
    case jwtBearer = "urn:ietf:params:oauth:grant-type:jwt-bearer"
}
