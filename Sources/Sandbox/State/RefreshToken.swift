struct RefreshToken {
    let authorization: Authorization
    let issuedAt: Int
    /// The thumbprint of the key that it is bound to (RFC 9449 §5).
    let keyThumbprint: String?
    /// The thumbprint of the certificate that it is bound to (RFC 8705 §4).
    let certificateThumbprint: String?
    /// Whether it has been rotated.
    var isUsed = false
}
