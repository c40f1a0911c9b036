internal import CommandSpec
internal import OAuth
internal import Wire

/// The options of `token`, `run` and `call` that name another token of the same login.
enum DerivedTokenOption {
    private static let section = "Another token"
    private static let scope = Option(
        "scope", argument: "SCOPE", isRepeatable: true, section: section, summary: "a token with this scope alone")
    private static let resource = Option(
        "resource", argument: "URI", isRepeatable: true, section: section, summary: "a token for this API")
    private static let audience = Option(
        "audience", argument: "AUDIENCE", isRepeatable: true, section: section, summary: "a token for this audience")
    private static let exchange = Option("exchange", section: section, summary: "exchange the access token for it")
    static let all = [scope, resource, audience, exchange]

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
