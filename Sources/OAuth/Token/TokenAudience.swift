internal import Wire

/// The audiences that were asked for, with which an access token that is a JWT is compared.
struct TokenAudience: Sendable {
    /// The audiences that were asked for; none for any.
    private let asked: [String]

    init(_ asked: [String] = []) { self.asked = asked }

    /// The audiences of a token for a resource (RFC 8707): it and its origin, and what parameters ask for. A renewal
    /// may bring those of the token before, of which was warned.
    init(_ grant: Grant, of document: Document) throws(OAuthError) {
        let resources = try document.strings("resource") + document.strings("requested_resource")
        var asked = resources + resources.compactMap { WebURL($0)?.origin }
        asked += grant.parameters.pairs.filter { $0.name == "audience" }.map(\.value)
        for name in ["authorization_params", "token_params", "refresh_params"] {
            let value = document.members[name]?.object?["audience"]
            asked += value?.strings ?? value?.string.map { [$0] } ?? []
        }
        if grant.kind.renews, document.origin(of: "resource") == .document {
            asked += Self.named(by: document.members["access_token"]?.string ?? "")
        }
        self.init(resources.isEmpty ? [] : asked)
    }

    /// A warning of a token for none of them.
    func warnings(of token: String) -> [OAuthWarning] {
        let named = asked.isEmpty ? [] : Self.named(by: token)
        let isOther = Set(asked.map(Self.withoutSlash)).isDisjoint(with: named.map(Self.withoutSlash))
        return isOther && !named.isEmpty ? [.audienceOther(named)] : []
    }

    /// The `aud` of an access token that is a JWT, unchecked: it is only compared. What is no string is a
    /// name that nobody asked for.
    private static func named(by token: String) -> [String] {
        let audience = (try? JSONWebToken(parsing: token, as: .other))?.claims["aud"]
        let named = audience?.array ?? audience.map { [$0] } ?? []
        return named.filter { !$0.isNull }.map { $0.string ?? $0.text }
    }

    private static func withoutSlash(_ name: String) -> String { name.hasSuffix("/") ? String(name.dropLast()) : name }
}
