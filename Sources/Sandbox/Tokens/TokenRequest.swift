/// A token request whose client is known.
struct TokenRequest {
    /// The form.
    let parameters: FormParameters
    /// The client, which has proved who it is.
    let client: Client
    /// The thumbprint of the key that the client has proved to have (RFC 9449 §5).
    let keyThumbprint: String?
}
