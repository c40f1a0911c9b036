internal import Wire

/// The words of a success that is none. Some servers answer 200 to what they have not done.
enum Denial {
    private static let flags = ["ok", "success", "succeeded", "successful", "revoked", "deleted"]
    private static let states = ["status", "result", "state", "outcome"]
    private static let codes = ["errcode", "error_code", "errorCode"]
    private static let words = ["error", "fail", "invalid", "denied", "unauthorized", "forbidden", "notrevoked"]

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
        flags.contains { name in
            members[name].map { $0.bool == false || $0.integer == 0 || ["false", "no", "0"].contains($0.string ?? "") }
                ?? false
        }
            || states.contains { members[$0].map { $0.integer ?? 0 >= 400 || isBad($0.string ?? "") } ?? false }
            || codes.contains { members[$0].map { !isNothing($0) } ?? false }
            || ["error", "errors"].contains { members[$0].map { !isNothing($0) } ?? false }
    }

    private static func isNothing(_ value: JSON) -> Bool {
        switch value {
        case .null, .bool(false), .string(""): true
        case .number: value.integer == 0
        case .array(let elements): elements.isEmpty
        case .object(let members): members.members.isEmpty
        case .bool, .string: false
        }
    }

    private static func isBad(_ text: String) -> Bool {
        let text = TokenRefusal.squeezed(text)
        return words.contains { text.contains($0) }
    }
}
