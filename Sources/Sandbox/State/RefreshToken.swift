struct RefreshToken {
    let authorization: Authorization
    let issuedAt: Int
    let binding: TokenBinding
    /// Whether it has been rotated.
    var isUsed = false
}
