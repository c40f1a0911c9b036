internal import CommandSpec
internal import OAuth
internal import Wire

/// The options of `token`, `run` and `call` that name another token of the same login.
enum DerivedTokenOption {
    private static let section = "Another token"
    private static let scope = Option(
        "scope", argument: "SCOPE", isRepeatable: true, section: section, summary: "a token with this scope alone",
        details: "Gets a token for only some of the scope values that the user granted (RFC 6749 section 6).")
    private static let resource = Option(
        "resource", argument: "URI", isRepeatable: true, section: section, summary: "a token for this API",
        details: """
            Gets a token for one API. URI is the resource indicator of this API (RFC 8707 section 2). `oap call` sends \
            this token only to the origin of URI.
            """)
    private static let audience = Option(
        "audience", argument: "AUDIENCE", isRepeatable: true, section: section, summary: "a token for this audience",
        details: """
            Gets a token for this audience. `oap` sends the value as the parameter `audience`. RFC 8693 section 2.1 \
            defines this parameter for a token exchange (`--exchange`). Without `--exchange`, only some servers accept \
            this parameter. If the audience is a URL, `oap call` sends the token only to the origin of this URL.
            """)
    private static let exchange = Option(
        "exchange", section: section, summary: "exchange the access token for it",
        details: """
            Gets the token by token exchange (RFC 8693). `oap` sends the access token of the login as the \
            `subject_token`, and does not use the refresh token.
            """)
    static let all = [scope, resource, audience, exchange]

    /// The manual of these options.
    static let text = """
        With `--scope`, `--resource`, `--audience` or `--exchange`, the command uses a derived token: another access \
        token of the same login. `oap` requests the derived token with the refresh token of the login. With \
        `--exchange`, `oap` requests the derived token by token exchange instead. If no user logged in \
        (`client_credentials`), `oap` requests the derived token with the grant of the login, for the given scope, \
        resource or audience. `oap` stores the derived token together with the token of the login, but renews the two \
        tokens separately. A later command with the same options uses the stored derived token. The token of the login \
        and its scope do not change. If the response to a refresh contains a new refresh token, the new one replaces \
        the refresh token of the login. If the derived token has more scope than requested, if it is a JWT for another \
        audience, or if it is the token of the login itself, `oap` prints a warning at each use. With `--strict`, the \
        command fails instead. If neither `--resource` nor `--audience` is a URL, `oap call` sends the derived token \
        only to the origins to which it sends the token of the login. `oap` keeps the newest 16 derived tokens of a login until they \
        expire. `oap logout` revokes all derived tokens of the login. A new login deletes all derived tokens of the \
        earlier login.

        Some servers, such as django-oauth-toolkit, allow only one valid access token at a time for each login. At \
        these servers, a refresh makes the earlier access token invalid, or limits the refresh token to the last \
        requested scope. For a second token from such a server, log in under another name, or use `--exchange`.
        """

    /// The token that a command line names; nil for the login's own.
    ///
    /// - Throws: exit 2.
    static func token(of arguments: Arguments) throws(Failure) -> DerivedToken? {
        guard all.contains(where: arguments.has) else { return nil }
        let (scope, resources) = (MemberOption.scope(of: arguments.values(scope)), arguments.values(resource))
        guard scope?.utf8.contains(where: { $0 != 0x20 }) ?? true, !arguments.values(audience).contains("") else {
            throw .usage("--scope and --audience need a value")
        }
        guard resources.allSatisfy({ WebURL($0).map { $0.fragment == nil } ?? false }) else {
            throw .usage("--resource takes an absolute URI without a fragment (RFC 8707 section 2)")
        }
        return DerivedToken(
            scope: scope, resources: resources, audiences: arguments.values(audience),
            isExchange: arguments.has(exchange))
    }
}
