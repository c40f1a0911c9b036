/// A token request whose client is known.
struct TokenRequest {
    let parameters: FormParameters
    let client: Client
    let binding: TokenBinding
}
