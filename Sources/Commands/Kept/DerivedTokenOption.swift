internal import CommandSpec
internal import OAuth
internal import Wire

/// The options of `token`, `run` and `call` that name another token of the same login.
enum DerivedTokenOption {
    private static let section = "Another token"
    private static let scope = Option(
        "scope", argument: "SCOPE", section: section, summary: "a token with this scope alone",
        details: "Gets a token for some of the scope values that the user granted (RFC 6749 section 6).")
    private static let resource = Option(
        "resource", argument: "URI", isRepeatable: true, section: section, summary: "a token for this API",
        details: """
            Gets a token for the API with this URI, a resource indicator (RFC 8707 section 2). The token is sent only \
            to the origin of the URI.
            """)
    private static let audience = Option(
        "audience", argument: "AUDIENCE", isRepeatable: true, section: section, summary: "a token for this audience",
        details: """
            Gets a token for this audience: the parameter `audience` of a token exchange (RFC 8693 section 2.1), which \
            some servers accept in other requests too. If it is a URL, the token is sent only to its origin.
            """)
    private static let exchange = Option(
        "exchange", section: section, summary: "exchange the access token for it",
        details: """
            Gets the token by token exchange (RFC 8693), with the access token of the login as `subject_token`, \
            instead of using the refresh token.
            """)
    static let all = [scope, resource, audience, exchange]

    /// The manual of these options.
    static let text = """
        `--scope`, `--resource`, `--audience` and `--exchange` get another access token of the same login. It is \
        stored together with the first one, found again by the values of these options, and renewed separately; the \
        first token and its scope do not change. It is requested with the refresh token, with the grant of a machine's \
        token, or, with `--exchange`, by token exchange. If the response has a new refresh token, it replaces that of \
        the login. A token with more scope than was asked for causes a warning, or with `--strict` an error. The \
        newest 16 such tokens are kept until they expire. `oap logout` revokes them, and a new login deletes \
        them.

        Some servers, such as django-oauth-toolkit, support only one access token for each login: a refresh \
        makes earlier tokens invalid, or limits the refresh token to the last scope. There, log in under another name, \
        or use `--exchange`.
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
