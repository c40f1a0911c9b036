/// The members that are this program's own, for the ways of a provider.
extension DocumentsPage {
    /// What a server does in a way of its own; presets are full of it.
    static let ways = [
        Entry(name: "authorization_params", text: "An object of further parameters of the authorization request."),
        Entry(name: "token_params", text: "An object of further parameters of the token request."),
        Entry(name: "refresh_params", text: "An object of further parameters of the refresh request."),
        Entry(
            name: "parameter_names",
            text: "What the server calls a parameter of any request: `{\"client_id\":\"client_key\"}`."),
        Entry(
            name: "grant_types",
            text: "Grants of the server's own that `oap exchange --grant` may name without a URN (RFC 7591 section 2)."),
        Entry(
            name: "scope_separator",
            text: "The character between scope values, in requests and answers; a space by default."),
        Entry(
            name: "pkce",
            text: "With `false`, `oap authurl` leaves PKCE out, for a server that refuses it, and says so."),
        Entry(
            name: "token_request_format",
            text: "`form`, or `json` for a token endpoint that wants its parameters as JSON."),
        Entry(name: "refresh_endpoint", text: "Where tokens are renewed, if not at the token endpoint."),
        Entry(
            name: "access_token_path",
            text: """
                Where the access token is in the answer: names with dots between them, numbers for the elements of \
                arrays. The members beside it belong to it. An answer that has no such object is read as it is.
                """),
        Entry(
            name: "error_path",
            text: """
                Where the error code is in the answer, in the same form. The `message` beside it, or of the answer, \
                describes it.
                """),
        Entry(
            name: "answer_names",
            text: """
                What RFC 6749 calls a member of the answer: `{"scopes":"scope"}`; `null` for one to be passed over.
                """),
        Entry(name: "bearer_token_types", text: "What the server says for `Bearer` in `token_type`, or an array."),
        Entry(name: "revocation_style", text: "How tokens are revoked: `rfc7009`, or `github`."),
        Entry(name: "api_base", text: "What the paths of `oap call` are relative to."),
        Entry(name: "api_headers", text: "An object of header fields that `oap call` sends, where `-H` names no such."),
        Entry(
            name: "authorization_scheme",
            text: "The word before the token in `Authorization`, where it is not `Bearer`."),
        Entry(
            name: "authorization_header",
            text: "The header field that carries the access token alone, in the place of `Authorization`."),
        Entry(name: "documentation", text: "Where the provider describes all this."),
    ]
}
