package import CommandSpec
package import OAuth
internal import Wire

/// The options of `token`, `run` and `call` that name another token of the same login.
package enum DerivedTokenOption {
    private static let section = "Another token"
    package static let scope = Option(
        "scope", argument: "SCOPE", isRepeatable: true, section: section, summary: "a token with this scope alone")
    package static let resource = Option(
        "resource", argument: "URI", isRepeatable: true, section: section, summary: "a token for this API")
    package static let audience = Option(
        "audience", argument: "AUDIENCE", isRepeatable: true, section: section, summary: "a token for this audience")
    package static let exchange = Option("exchange", section: section, summary: "exchange the access token for it")
    package static let all = [scope, resource, audience, exchange]
}

extension DerivedToken {
    /// The token that a command line names; nil for the login's own.
    ///
    /// - Throws: exit 2.
    package init?(_ arguments: Arguments) throws(Failure) {
        guard DerivedTokenOption.all.contains(where: arguments.has) else { return nil }
        let scope = MemberOption.scope(of: arguments.values(DerivedTokenOption.scope))
        let resources = arguments.values(DerivedTokenOption.resource)
        let audiences = arguments.values(DerivedTokenOption.audience)
        guard scope?.utf8.contains(where: { $0 != 0x20 }) ?? true, !audiences.contains("") else {
            throw .usage("--scope and --audience need a value")
        }
        guard resources.allSatisfy({ WebURL($0).map { $0.fragment == nil } ?? false }) else {
            throw .usage("--resource takes an absolute URI without a fragment (RFC 8707 section 2)")
        }
        self.init(
            scope: scope, resources: resources, audiences: audiences,
            isExchange: arguments.has(DerivedTokenOption.exchange))
    }
}
