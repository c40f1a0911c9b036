package import Wire

/// The document that `exchange` and `refresh` print, and that everything later works with (oap-documents(5)).
package enum TokenDocument {
    /// Whether a token document can be renewed: it holds or names a refresh token.
    package static func isRenewable(_ document: JSONObject) -> Bool {
        ["refresh_token", "refresh_token_file"].contains { document[$0]?.isNull == false }
    }

    /// What an exchange makes of the document that it was given.
    ///
    /// - Parameters:
    ///   - document: the flow or client document.
    ///   - method: how the client authenticated, for the next time.
    ///   - start: when the request started, in seconds since 1970.
    static func exchanged(
        _ document: JSONObject, for response: TokenResponse, method: ClientAuthentication.Method, start: Int
    ) -> JSONObject {
        var result = document
        result.remove(Member.usedByCallback)
        result.remove(Member.usedByExchange)
        result.remove(Member.ofAccessToken)
        result.remove([
            "refresh_token", "refresh_token_file", "id_token", "id_token_claims", "granted_scope", "logged_in_as",
        ])
        // Null counts as absent, as it did for the request.
        if result["token_endpoint_auth_method"]?.isNull ?? true {
            result["token_endpoint_auth_method"] = .string(method.rawValue)
        }
        return adding(response, to: result, start: start)
    }

    /// What a refresh makes of a token document: what the answer leaves out stays as it was, but for the lifetime
    /// (RFC 6749 §6).
    static func refreshed(_ document: JSONObject, by response: TokenResponse, start: Int) -> JSONObject {
        var result = document
        result.remove(Member.ofAccessToken)
        if response.refreshToken != nil { result["refresh_token_file"] = nil }
        if response.idToken != nil { result["id_token_claims"] = nil }
        return adding(response, to: scoped(result, by: response), start: start)
    }

    /// A token document with the scope of a refresh, and, once a refresh has named a scope, the one that the user granted
    /// where that is another (RFC 6749 §6). Without a word of the server the scope is the one that was asked for (§5.1).
    private static func scoped(_ document: JSONObject, by response: TokenResponse) -> JSONObject {
        var result = document
        let scope = response.scope
        let known = document["granted_scope"]?.string
        let granted = Scope(splitting: known ?? document["scope"]?.string ?? "")
        if !scope.values.isEmpty {
            result["scope"] = .string(scope.text)
        } else if known != nil {
            result["scope"] = nil
        }
        result["granted_scope"] = nil
        guard response.isNarrowed || known != nil else { return result }
        if granted.values.isEmpty {
            if response.isNarrowed { result["granted_scope"] = .string("") }
        } else if !granted.subtracting(scope).isEmpty {
            result["granted_scope"] = .string(Scope(granted.values + scope.subtracting(granted)).text)
        }
        return result
    }

    private static func adding(_ response: TokenResponse, to document: JSONObject, start: Int) -> JSONObject {
        var result = document
        result["access_token"] = .string(response.accessToken)
        result["token_type"] = .string(response.tokenType)
        if let lifetime = response.expiresIn {
            result["expires_in"] = .integer(lifetime)
            result["expires_at"] = .integer(start + lifetime)
        }
        if let refreshToken = response.refreshToken { result["refresh_token"] = .string(refreshToken) }
        if response.namesScope { result["scope"] = .string(response.scope.text) }
        if let idToken = response.idToken { result["id_token"] = .string(idToken) }
        for member in response.others.members { result[member.name] = member.value }
        return result
    }
}
