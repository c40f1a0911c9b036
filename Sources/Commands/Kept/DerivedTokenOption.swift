internal import CommandSpec
internal import OAuth
internal import Wire

/// The options of `token`, `run` and `call` that name another token of the same login.
enum DerivedTokenOption {
    private static let section = "Another token"
    private static let scope = Option(
        "scope", argument: "SCOPE", section: section, summary: "a token with this scope alone",
        details: "Some of the scope values that the user granted (RFC 6749 section 6).")
    private static let resource = Option(
        "resource", argument: "URI", isRepeatable: true, section: section, summary: "a token for this API",
        details: """
            A resource indicator (RFC 8707 section 2), an absolute URI. The token is sent to the origin of the URI and \
            nowhere else.
            """)
    private static let audience = Option(
        "audience", argument: "AUDIENCE", isRepeatable: true, section: section, summary: "a token for this audience",
        details: """
            The parameter `audience` of a token exchange (RFC 8693 section 2.1), which some servers read in other \
            requests too. A URL is the only place that the token is sent to.
            """)
    private static let exchange = Option(
        "exchange", section: section, summary: "exchange the access token for it",
        details: """
            Gets the token by token exchange (RFC 8693), with the access token of the login as `subject_token`, \
            instead of a refresh.
            """)
    static let all = [scope, resource, audience, exchange]

    /// The manual of these options.
    static let text = """
        `--scope`, `--resource`, `--audience` and `--exchange` get another token of the same login. It is kept beside \
        the login's own, under what was asked for, and renewed by itself; the login's own token and scope stay as they \
        are. It is asked for with the refresh token, with the grant of a machine's token, or with `--exchange`; a \
        refresh token in the response to a refresh replaces the login's. A token with more scope than was asked for causes a \
        warning, with `--strict` an error. The newest 16 are kept, until they expire; `oap \
        logout` revokes them, and a new login drops them. A server that makes earlier tokens invalid at each refresh, or \
        that ties the refresh token to the last scope, such as django-oauth-toolkit, has one token for each login: \
        there, log in under another name, or use `--exchange`.
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
