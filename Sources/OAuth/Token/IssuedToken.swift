package import Wire

/// A token that was issued and checked.
package struct IssuedToken {
    private let grant: Grant
    private let method: ClientAuthentication.Method
    private let response: TokenResponse
    private let start: Int
    private let claims: JSONObject?
    private let binding: DPoPBinding?

    /// `start` is when the request started, in seconds since 1970; `binding`, the key that it is bound to.
    package init(
        _ response: TokenResponse, for grant: Grant, by method: ClientAuthentication.Method, start: Int,
        claims: JSONObject?, binding: DPoPBinding? = nil
    ) {
        (self.response, self.grant, self.method) = (response, grant, method)
        (self.start, self.claims, self.binding) = (start, claims, binding)
    }

    var isRefreshed: Bool { grant.kind.renews }

    /// The token document that a document becomes.
    package func document(from document: JSONObject) -> JSONObject {
        var result =
            grant.kind.renews
            ? TokenDocument.refreshed(document, by: response, start: start)
            : TokenDocument.exchanged(document, for: response, of: grant, method: method, start: start)
        if let claims { result["id_token_claims"] = .object(claims) }
        return binding?.addingNonces(to: result) ?? result
    }
}
