internal import Wire

extension Grant.Kind {
    package static let refreshToken: Grant.Kind = .init(
        type: "refresh_token", name: "refresh_token",
        make: { document, supplement throws(OAuthError) in
            try Grant.refresh(
                document, refreshToken: supplement.secrets["refresh_token"] ?? "", scope: supplement.scope)
        },
        secretMembers: ["refresh_token"], secretParameters: ["refresh_token"], isSpent: true, renews: true,
        idToken: .renewed, presetParameters: "refresh_params", ownEndpoint: "refresh_endpoint",
        refusal: .refreshRefused, refusalHint: "the refresh token was used, revoked or has expired; log in again",
        lossHint: "run the command again; if the server does not know the refresh token any more, log in again")
}

extension Grant {
    /// The refresh grant (RFC 6749 §6). The scope is sent only when it is asked for, within what the user granted, which
    /// is also what a request without scope means. A narrower token can so be widened again. The resources of the first
    /// request are named again (RFC 8707 §2.2).
    ///
    /// - Parameter scope: a narrower scope; nil or empty for the same one.
    /// - Throws: `nothing_to_renew_with` without a token, `usage` for a scope beyond the one granted.
    static func refresh(
        _ document: Document, refreshToken: String, scope narrower: String?
    ) throws(OAuthError) -> Grant {
        guard !refreshToken.isEmpty else {
            throw OAuthError(
                .nothingToRenewWith, "refresh_token is missing",
                hint: document.ownHint(forMissing: "refresh_token", isSecret: true)
                    ?? """
                    log in again; some servers issue a refresh token only if offline_access is in --scope, and others \
                    never issue a refresh token
                    """)
        }
        let current = Scope(splitting: try document.string("scope") ?? "")
        let granted = try document.string("granted_scope").map { Scope(splitting: $0) } ?? current
        let named = try Scope(requesting: narrower ?? "", at: try Scope.separator(of: document))
        let asked = named.values.isEmpty ? nil : named
        let isOpen = try document.bool("refresh_other_scope") ?? false
        if let asked, !isOpen, !granted.values.isEmpty, let beyond = asked.subtracting(granted).first {
            throw OAuthError(
                .usage, "scope \(beyond) was not granted",
                hint: """
                    a refresh can only narrow the scope (RFC 6749 section 6): log in again for more scope; to send it all the \
                    same, for a test: --param scope=SCOPE
                    """,
                member: "scope")
        }
        var grant = Grant(.refreshToken, scope: asked ?? granted)
        if asked == nil { grant.renewedScope = current }
        grant.parameters.add("refresh_token", refreshToken)
        grant.parameters.add("scope", try asked?.parameter(of: document))
        if try document.bool("refresh_resource") ?? true { try grant.parameters.addResources(of: document) }
        return grant
    }
}
