internal import Wire

/// The words of a success that is none. Some servers answer 200 to what they have not done. The lists are data
/// (`refusals.json`).
enum Denial {
    private static let nothing: [JSON] = [
        .null, .bool(false), .number("0"), .string(""), .string("0"), .string("false"), .string("no"), .array([]),
        .object([:]),
    ]

    /// What content says against a success, behind a message; nil where it says nothing, and for what is not known.
    static func words(in content: JSON) -> String? {
        switch content {
        case .bool(false): return ""
        case .string(let text): return isBad(text) ? ": \(text)" : nil
        case .array(let elements): return elements.lazy.compactMap(words).first
        case .object(let members) where isDenied(members):
            return ErrorResponse.said(in: content).map { ": \($0)" } ?? ""
        case .null, .bool, .number, .object: return nil
        }
    }

    private static func isDenied(_ members: JSONObject) -> Bool {
        members.members.contains { member in
            let (name, isNothing) = (TokenRefusal.squeezed(member.name), nothing.contains(member.value))
            func isOf(_ list: String) -> Bool { TokenRefusal.list(list).contains(name) }
            return isOf("denial_flags") && isNothing && !member.value.isNull
                || isOf("denial_states") && 400..<600 ~= member.value.integer ?? 0
                || isOf("denial_errors") && !isNothing
                || (isOf("denial_states") || isOf("sayings")) && isBad(member.value.string ?? "")
                || isOf("denial_envelopes") && member.value.object.map(isDenied) ?? false
        }
    }

    private static func isBad(_ text: String) -> Bool {
        var text = TokenRefusal.squeezed(text)
        for word in TokenRefusal.list("denial_exceptions") { text = text.replacing(word, with: "") }
        return TokenRefusal.list("denial_words").contains { text.contains($0) }
    }
}
