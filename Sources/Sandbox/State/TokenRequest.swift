/// A token request whose client is known.
struct TokenRequest {
    let parameters: FormParameters
    let client: Client
    /// The thumbprint of the key of the DPoP proof (RFC 9449 §5).
    let keyThumbprint: String?
    /// The thumbprint of the certificate that its tokens are bound to (RFC 8705 §3).
    let certificateThumbprint: String?
}
