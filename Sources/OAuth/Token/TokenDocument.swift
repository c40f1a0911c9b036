package import Wire

/// The document that `exchange` and `refresh` print, and that everything later works with (oap-documents(5)).
package enum TokenDocument {
    /// Whether a token document can be renewed without a person.
    package static func isRenewable(_ document: JSONObject, now: Int) -> Bool {
        renewalGrant(of: document, now: now) != nil
    }

    /// The grant that renews a token: its refresh token, else the grant that brought it if that needs no person and what
    /// it sent is still there; nil if nothing renews it. A refresh token that is known to have expired renews nothing.
    package static func renewalGrant(of document: JSONObject, now: Int) -> Grant.Kind? {
        if document.holds("refresh_token"), (end(ofRenewing: document).map { $0 > now }) ?? true {
            return .refreshToken
        }
        guard let type = document["grant_type"]?.string, !type.isEmpty else { return nil }
        let kind = Grant.Kind(named: type)
        guard kind.isRepeatable else { return nil }
        guard let secret = kind.secretMembers.first else { return kind }
        return document.holds(secret) || document["token_params"]?.object?[secret] != nil ? kind : nil
    }

    /// When the refresh token or the whole authorization ends, in seconds since 1970; nil if the server did not say.
    package static func end(ofRenewing document: JSONObject) -> Int? {
        ends.compactMap { document[$0.member]?.seconds }.min()
    }

    /// What an exchange makes of the document that it was given.
    ///
    /// - Parameters:
    ///   - idToken: the one to keep, opened if it was encrypted.
    ///   - start: when the request started, in seconds since 1970.
    static func exchanged(
        _ document: JSONObject, for response: TokenResponse, idToken: String?, of grant: Grant,
        method: ClientAuthentication.Method, start: Int
    ) -> JSONObject {
        var result = document
        // The grant that brought the token is no other login: it gets the one token anew, and the others stay.
        let gone = grant.isRepeated ? Member.ofAll(but: .scope, .login) : Member.ofAll(but: .scope)
        // Who sends a grant renews the token from then on.
        result.remove(gone + TokenEnd.foreignNames(in: result) + ["renewed_by"])
        result["grant_type"] = .string(grant.kind.type)
        // Null counts as absent, as it did for the request.
        if result["token_endpoint_auth_method"]?.isNull ?? true {
            result["token_endpoint_auth_method"] = .string(method.rawValue)
        }
        if grant.kind.isRepeatable { result["scope"] = grant.scope.member }
        result = adding(response, idToken, to: result, start: start)
        if grant.kind.isRepeatable, (result["scope"]?.string ?? "") != grant.fullScope.text {
            result["requested_scope"] = .string(grant.fullScope.text)
        }
        return result
    }

    /// The document of a grant that can be repeated, with the parameters that were given by hand in its `token_params`, to
    /// be sent again; secrets are left out.
    package static func remembering(
        _ extra: [(name: String, value: String)], of kind: Grant.Kind, in document: JSONObject
    ) -> JSONObject {
        kind.isRepeatable ? remembering(extra, as: "token_params", in: document) : document
    }

    /// A document with the parameters that were given by hand in a member of it; secrets are left out.
    package static func remembering(
        _ extra: [(name: String, value: String)], as member: String, in document: JSONObject
    ) -> JSONObject {
        let extra = extra.filter { !Member.masked.contains($0.name) }
        guard !extra.isEmpty else { return document }
        var parameters = document[member]?.object ?? [:]
        for (name, _) in extra {
            let values = extra.filter { $0.name.isIdentical(to: name) }.map { JSON.string($0.value) }
            parameters[name] = values.count == 1 ? values[0] : .array(values)
        }
        var result = document
        result[member] = .object(parameters)
        return result
    }

    /// What a refresh makes of a token document: what the answer leaves out stays as it was, but for the lifetime
    /// (RFC 6749 §6).
    static func refreshed(
        _ document: JSONObject, by response: TokenResponse, idToken: String?, start: Int
    ) -> JSONObject {
        var result = document
        result.remove(Member.of(.accessToken, .refusal) + TokenEnd.foreignNames(in: result))
        if response.refreshToken != nil { result.remove(Member.of(.refreshToken)) }
        // The same one again has the same claims, and its end was asked about before.
        if let idToken, result["id_token"] != .string(idToken) { result.remove(Member.of(.idToken)) }
        return adding(response, idToken, to: scoped(result, by: response), start: start)
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

    /// The ends of the right to renew, and the names that servers have for the lifetimes from which they follow.
    package static let ends: [(member: String, lifetimes: [String])] = [
        ("refresh_token_expires_at", ["refresh_token_expires_in", "refresh_expires_in", "refresh_token_timeout"]),
        ("authorization_expires_at", ["authorization_expires_in"]),
    ]

    private static func adding(
        _ response: TokenResponse, _ idToken: String?, to document: JSONObject, start: Int
    ) -> JSONObject {
        var result = document
        result["access_token"] = .string(response.accessToken)
        result["token_type"] = .string(response.tokenType)
        if let lifetime = response.expiresIn {
            result["expires_in"] = .integer(lifetime)
            result["expires_at"] = .integer(start + lifetime)
        } else if let end = response.expiresAt {
            result["expires_at"] = .integer(end)
        }
        if let refreshToken = response.refreshToken { result["refresh_token"] = .string(refreshToken) }
        if response.namesScope { result["scope"] = .string(response.scope.text) }
        if let idToken { result["id_token"] = .string(idToken) }
        for member in response.others.members { result[member.name] = member.value }
        for (name, lifetimes) in ends {
            // 0 is what Keycloak says for no end.
            guard let seconds = lifetimes.lazy.compactMap({ response.others[$0]?.seconds }).first else { continue }
            result[name] = seconds > 0 ? .integer(start + min(seconds, Int(Int32.max))) : nil
        }
        // Some servers say the end in another member.
        return response.expiresIn == nil ? TokenEnd.normalized(result).document : result
    }
}
