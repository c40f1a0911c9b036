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
    ///
    /// - Parameter least: a scope within `asked` that is enough, as a server may keep a token as narrow as it was.
    init(_ value: JSON?, asked: Scope, least: Scope? = nil) {
        var warnings: [OAuthWarning] = []
        var named: Scope?
        switch value {
        case nil, .null: break
        case .string(let text) where Scope(splitting: text).values.isEmpty:
            if !asked.values.isEmpty { warnings.append(.scopeEmpty) }
        case .string(let text): named = Self.split(text, asked: asked)
        case .some(let other):
            named = other.strings.map { Scope($0) }
            warnings.append(.scopeNotString(kind: other.kindNoun))
        }
        scope = named ?? asked
        isNamed = named != nil
        let missing = (least ?? asked).subtracting(scope)
        let added = scope.exceeding(asked)
        if !missing.isEmpty { warnings.append(.scopeReduced(missing)) }
        if !added.isEmpty { warnings.append(.scopeWidened(added)) }
        self.warnings = warnings
    }

    /// Splits at spaces; at commas only if that yields more of what was asked for, or nothing else, since a comma is
    /// allowed inside a value (RFC 6750 §3). GitHub joins with commas, and may grant more than was asked for.
    private static func split(_ text: String, asked: Scope) -> Scope {
        let bySpaces = Scope(splitting: text)
        guard text.contains(","), !asked.contains(text) else { return bySpaces }
        let byCommas = Scope(text.split(separator: ",").map { String($0.drop { $0 == " " }) })
        let isNearer = asked.subtracting(byCommas).count < asked.subtracting(bySpaces).count
        return isNearer || byCommas.subtracting(asked).isEmpty ? byCommas : bySpaces
    }
}
