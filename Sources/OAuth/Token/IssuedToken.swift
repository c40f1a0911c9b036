package import Wire

/// A token that was issued and checked.
package struct IssuedToken: Sendable {
    private let grant: Grant
    private let method: ClientAuthentication.Method
    private let response: TokenResponse
    private let start: Int
    private let claims: JSONObject?

    /// - Parameters:
    ///   - grant: what it was traded for.
    ///   - method: how the client authenticated.
    ///   - start: when the request started, in seconds since 1970.
    ///   - claims: those of the ID token, when one was checked.
    package init(
        _ response: TokenResponse, for grant: Grant, by method: ClientAuthentication.Method, start: Int,
        claims: JSONObject?
    ) {
        self.grant = grant
        self.method = method
        self.response = response
        self.start = start
        self.claims = claims
    }

    var isRefreshed: Bool { grant.kind.renews }

    /// The token document that a document becomes.
    package func document(from document: JSONObject) -> JSONObject {
        var result =
            grant.kind.renews
            ? TokenDocument.refreshed(document, by: response, start: start)
            : TokenDocument.exchanged(document, for: response, of: grant, method: method, start: start)
        if let claims { result["id_token_claims"] = .object(claims) }
        return result
    }
}
