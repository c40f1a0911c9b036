package import Wire

/// A token that was issued and checked.
package struct IssuedToken {
    private let grant: Grant
    private let method: ClientAuthentication.Method
    private let response: TokenResponse
    private let idToken: String?
    private let claims: JSONObject?
    private let start: Int
    private let binding: DPoPBinding?

    /// `idToken` is the one that is kept, opened if it was encrypted, and `claims` are what it says; `start` is when the
    /// request started, in seconds since 1970; `binding`, the key that the token is bound to.
    package init(
        _ response: TokenResponse, idToken: String?, claims: JSONObject?, for grant: Grant,
        by method: ClientAuthentication.Method, start: Int, binding: DPoPBinding? = nil
    ) {
        (self.response, self.idToken, self.claims) = (response, idToken, claims)
        (self.grant, self.method, self.start, self.binding) = (grant, method, start, binding)
    }

    var isRefreshed: Bool { grant.kind.renews }

    /// The token document that a document becomes.
    package func document(from document: JSONObject) -> JSONObject {
        var result =
            grant.kind.renews
            ? TokenDocument.refreshed(document, by: response, idToken: idToken, start: start)
            : TokenDocument.exchanged(
                document, for: response, idToken: idToken, of: grant, method: method, start: start)
        if let claims { result["id_token_claims"] = .object(claims) }
        return binding?.addingNonces(to: result) ?? result
    }
}
