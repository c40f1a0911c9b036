internal import Members

extension Grant {
    /// A kind of grant, with everything in which it differs from the others. Each has a file of its own, and an entry
    /// in `all`.
    package struct Kind: Sendable {
        typealias Maker = @Sendable (Document, Supplement) throws(OAuthError) -> Grant

        /// What a grant needs besides the document.
        package struct Supplement: Sendable {
            /// The values of its `secretMembers`.
            let secrets: [String: String]
            /// A narrower scope to ask for; nil or empty for the document's own.
            let scope: String?
            /// Whether the grant that brought a token is repeated: with the scope that was asked for then.
            let isRepeated: Bool

            package init(secrets: [String: String] = [:], scope: String? = nil, isRepeated: Bool = false) {
                (self.secrets, self.scope, self.isRepeated) = (secrets, scope, isRepeated)
            }
        }

        /// Whether an ID token comes if `openid` is in the scope, and whether it is checked.
        enum IDTokenRule: Sendable {
            /// An ID token must come (OpenID Connect Core §3.1.3.3).
            case required
            /// An ID token should come, though no standard requires it.
            case expected
            /// An ID token may come, and is checked if there was one before (OpenID Connect Core §12.2).
            case renewed
            /// An ID token may come, but nothing is known to check it against.
            case unchecked
        }

        /// The value of `grant_type`.
        package let type: String
        /// What `--grant` calls the grant.
        let name: String
        let make: Maker
        /// The member whose presence implies it.
        var impliedBy: String?
        /// The secret members that it is made of, which files may hold. A grant that is repeated needs the first.
        package var secretMembers: [String] = []
        var secretParameters: [String] = []
        /// Whether the client must authenticate, so that one without a secret is a mistake.
        package var isOfClient = false
        /// Whether a person takes part, so that it cannot be repeated without one.
        package var isOfPerson = false
        /// Whether a request uses something up, so that it must not be sent twice.
        package var isSpent = false
        /// Whether the request is repeated until the user has decided.
        package var isPolled = false
        /// Whether what a response leaves out is unchanged (RFC 6749 §6), and nothing of the document is used up.
        package var renews = false
        var idToken = IDTokenRule.unchecked
        /// The member that holds further parameters of a provider.
        var presetParameters = "token_params"
        /// The member that names the endpoint of its own that a server may have.
        var ownEndpoint: String?
        /// The kind of error that `invalid_grant` is.
        var refusal = ErrorKind.oauth
        /// What to do after `invalid_grant`.
        var refusalHint: String?
        /// What to do if the response may have been lost.
        package var lossHint: String?
    }
}

extension Grant.Kind {
    /// Whether the request can be sent again for another token, without a person.
    package var isRepeatable: Bool { !isOfPerson && !renews }

    private static let all: [Grant.Kind] = [
        .authorizationCode, .clientCredentials, .deviceCode, .ciba, .refreshToken,
    ]

    /// The names that the document and `--grant` can use without a URN.
    package static let names = all.map(\.name) + known.map(\.name)

    /// The names of those that need no user.
    package static let repeatableNames = all.filter(\.isRepeatable).map(\.name) + known.map(\.name)

    /// Refuses a secret of the grant on the command line, which every process of the machine can read.
    ///
    /// - Parameter extra: the parameters that the caller names (`--param`).
    /// - Throws: `usage`.
    package func refuseSecrets(in extra: [(name: String, value: String)]) throws(OAuthError) {
        guard let name = secretMembers.first(where: { name in extra.contains { $0.name == name } }) else { return }
        throw OAuthError(
            .usage, "--param cannot set the parameter \(name)", hint: Member.named(name)?.supply, member: name)
    }

    static let secretParameters = all.flatMap(\.secretParameters)

    /// The grant of a name, or of a `grant_type`.
    package init(named name: String) {
        self = Self.all.first { name.isIdentical(to: $0.name) || name.isIdentical(to: $0.type) } ?? .other(name)
    }

    /// The grant that a document is made for.
    ///
    /// - Throws: `usage` for a document that is made for more than one.
    package init(impliedBy document: Document) throws(OAuthError) {
        let held = Self.all.filter { $0.impliedBy.map { document.members[$0]?.isNull == false } ?? false }
        guard held.count < 2 else {
            throw OAuthError(
                .usage, "the document has both \(held.compactMap(\.impliedBy).joined(separator: " and "))",
                hint: "choose with --grant", origin: .document)
        }
        self = held.first ?? .authorizationCode
    }
}
