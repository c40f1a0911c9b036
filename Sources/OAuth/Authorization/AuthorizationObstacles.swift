extension AuthorizationRequest {
    /// What a document lacks for the steps after the login, as warnings before it. With an issuer, its metadata has the
    /// rest.
    package static func obstacles(after document: Document) -> [OAuthWarning] {
        let lacks = { (name: String) in document.members[name]?.isNull ?? true }
        var messages: [String] = []
        if !lacks("token_endpoint") {
            messages += message(try Endpoint("token_endpoint", in: document))
        } else if lacks("issuer") {
            messages.append("token_endpoint is missing: without it, the code cannot be exchanged")
        }
        if lacks("issuer") || !lacks("jwks_uri") {
            messages += message(try IDToken.check(document))
        }
        if document.keyUse == nil, (try? Scope(of: document))?.contains("openid") == true {
            messages += message(try JWTDecryption(for: .idToken, of: document, key: nil))
        }
        return messages.map { .other($0) }
    }

    private static func message<Value>(_ step: @autoclosure () throws(OAuthError) -> Value) -> [String] {
        do throws(OAuthError) {
            _ = try step()
            return []
        } catch {
            return [error.message]
        }
    }
}
