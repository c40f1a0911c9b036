package import CommandSpec
internal import Wire

/// The options that are parameters of a token request under names of their own, beside `--param`.
package enum TokenParameterOption {
    /// The names of the types of RFC 8693 §3, which stand for their URIs.
    fileprivate static let types = ["access_token", "refresh_token", "id_token", "saml1", "saml2", "jwt"]
    private static let section = "Request"
    fileprivate static let audience = Option(
        "audience", argument: "AUDIENCE", isRepeatable: true, section: section,
        summary: "the audience that the token is for")
    /// The types of the tokens of an exchange.
    package static let ofExchange = [
        Option(
            "subject-token-type", argument: "TYPE", otherwise: "access_token", completes: .words(types),
            section: section, summary: "what kind of token is exchanged"),
        Option(
            "actor-token-type", argument: "TYPE", otherwise: "access_token", completes: .words(types),
            section: section, summary: "what kind of token the acting party has"),
    ]
    package static let all = [GeneralOption.parameter, audience]
}

/// The parameters that a command line adds to a request, those of `--param` first.
package struct TokenParameters {
    package private(set) var pairs: [(name: String, value: String)]

    /// - Throws: exit 2 for a type that is none.
    package init(_ arguments: Arguments) throws(Failure) {
        pairs = arguments.pairs(GeneralOption.parameter)
        pairs += arguments.values(TokenParameterOption.audience).map { ("audience", $0) }
        let types = TokenParameterOption.types
        for option in TokenParameterOption.ofExchange {
            guard let type = arguments.value(option) else { continue }
            guard types.contains(type) || WebURL(type) != nil else {
                throw .usage("\(option.name) must be \(types.joined(separator: ", ")) or a URI")
            }
            let uri = types.contains(type) ? "urn:ietf:params:oauth:token-type:\(type)" : type
            pairs.append((option.long.replacing("-", with: "_"), uri))
        }
    }
}
