internal import Wire

/// The scope that was granted, read from an answer by what was asked for (RFC 6749 §5.1, §3.3).
struct GrantedScope: Sendable {
    /// The granted values; those asked for, when the server does not say.
    let scope: Scope
    /// Whether the server said.
    let isNamed: Bool
    /// Warnings: a scope narrower or wider than requested, empty, or not a string.
    let warnings: [OAuthWarning]

    /// Reads the `scope` of an answer. It may be missing, null, empty, a string, or (Twitch) an array.
    init(_ value: JSON?, asked: Scope) {
        switch value {
        case nil, .null: self.init(asked, isNamed: false, asked: asked)
        case .string(let text) where Scope(splitting: text).values.isEmpty:
            self.init(asked, isNamed: false, asked: asked, warnings: asked.values.isEmpty ? [] : [.scopeEmpty])
        case .string(let text): self.init(Self.split(text, asked: asked), isNamed: true, asked: asked)
        case .some(let other):
            let values = other.strings.map { Scope($0) }
            self.init(
                values ?? asked, isNamed: values != nil, asked: asked, warnings: [.scopeNotString(kind: other.kind)])
        }
    }

    private init(_ scope: Scope, isNamed: Bool, asked: Scope, warnings: [OAuthWarning] = []) {
        self.scope = scope
        self.isNamed = isNamed
        let missing = asked.subtracting(scope)
        let added = asked.values.isEmpty ? [] : scope.subtracting(asked)
        var all = warnings
        if !missing.isEmpty { all.append(.scopeReduced(missing)) }
        if !added.isEmpty, missing.isEmpty { all.append(.scopeWidened(added)) }
        self.warnings = all
    }

    /// Splits at spaces; at commas only where that yields nothing but what was asked for, since a comma is legal inside
    /// one value (RFC 6750 §3; GitHub joins with commas).
    private static func split(_ text: String, asked: Scope) -> Scope {
        let bySpaces = Scope(splitting: text)
        let commas = text.split(separator: ",").map { $0.drop { $0 == " " } }.map(String.init)
        let byCommas = Scope(commas)
        guard text.contains(","), !asked.contains(text), byCommas.subtracting(asked).isEmpty else {
            return bySpaces
        }
        return byCommas
    }
}
