internal import Wire

/// The words of a success that is none. Some servers answer 200 to what they have not done.
enum Denial {
    private static let flags = ["ok", "success", "succeeded", "successful", "revoked", "deleted"]
    private static let states = ["status", "result", "state", "outcome", "code", "statuscode"]
    private static let errors = [
        "error", "errors", "errcode", "errorcode", "iserror", "errordescription", "errormessage",
    ]
    private static let envelopes = ["data", "response", "meta"]
    private static let words = ["error", "fail", "invalid", "denied", "unauthorized", "forbidden", "notrevoked"]
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
            return flags.contains(name) && isNothing && !member.value.isNull
                || states.contains(name)
                    && (400..<600 ~= member.value.integer ?? 0 || isBad(member.value.string ?? ""))
                || errors.contains(name) && !isNothing
                || envelopes.contains(name) && member.value.object.map(isDenied) ?? false
        }
    }

    private static func isBad(_ text: String) -> Bool {
        let text = TokenRefusal.squeezed(text).replacing("invalidated", with: "")
        return words.contains { text.contains($0) }
    }
}
