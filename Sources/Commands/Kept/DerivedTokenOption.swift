internal import CommandSpec
internal import OAuth
internal import Wire

/// The options of `token`, `run` and `call` that name another token of the same login.
enum DerivedTokenOption {
    private static let section = "Another token"
    private static let scope = Option(
        "scope", argument: "SCOPE", section: section, summary: "a token with this scope alone",
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
            Gets a token for this audience. The value is sent as the parameter `audience`, which RFC 8693 section 2.1 \
            defines for `--exchange`. Without `--exchange`, only some servers accept this parameter. If the audience \
            is a URL, `oap call` sends the token only to the origin of this URL.
            """)
    private static let exchange = Option(
        "exchange", section: section, summary: "exchange the access token for it",
        details: """
            Gets the token by token exchange (RFC 8693): the access token of the login is sent as the `subject_token`. \
            The refresh token is not used.
            """)
    static let all = [scope, resource, audience, exchange]

    /// The manual of these options.
    static let text = """
        With `--scope`, `--resource`, `--audience` or `--exchange`, another access token of the same login is used, a \
        derived token. It is requested with the refresh token, or, with `--exchange`, by token exchange. If no user \
        logged in, as with `client_credentials`, the grant of the login is repeated instead, for the other scope, \
        resource or audience. The derived token is stored together with the token of the login, and is renewed on its \
        own. The same options find it again. The token of the login and its scope do not change. If the response \
        contains a new refresh token, this replaces the one of the login. If the derived token has more scope than \
        requested, there is a warning, or with `--strict` an error. The newest 16 derived tokens are kept until they \
        expire. `oap logout` revokes them, and a new login deletes them.

        Some servers, such as django-oauth-toolkit, support only one access token for each login: a refresh makes the \
        earlier access token invalid, or limits the refresh token to the scope that was requested last. At such a \
        server, log in under another name, or use `--exchange`.
        """

    /// The token that a command line names; nil for the login's own.
    ///
    /// - Throws: exit 2.
    static func token(of arguments: Arguments) throws(Failure) -> DerivedToken? {
        guard all.contains(where: arguments.has) else { return nil }
        let (scope, resources) = (arguments.value(scope), arguments.values(resource))
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
