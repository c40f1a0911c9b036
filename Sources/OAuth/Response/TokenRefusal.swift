internal import Wire

/// What servers say of a refresh token that does not work any more, or of a sign-in that is over, where RFC 6749 §5.2 wants
/// `invalid_grant`. The lists are data (`refusals.json`), and are compared without case, and with nothing but letters and
/// digits.
enum TokenRefusal {
    private static let data = JSONObject(builtIn: "refusals.json")
    private static let lists = data.members.reduce(into: [:]) { $0[$1.name] = $1.value.strings?.map(squeezed) }

    /// The codes that an endpoint for clients may answer with (the registry of RFC 6749 §11.4).
    static let registered = data["registered"]?.strings ?? []

    /// A list, its words with nothing but letters and digits.
    static func list(_ name: String) -> [String] { lists[name] ?? [] }

    /// What Facebook says of a device code in an `error_subcode`.
    static func code(ofSubcode number: JSON?) -> String? {
        number?.integer.flatMap { data["subcodes"]?.object?[String($0)]?.string }
    }

    /// Whether a refusal says so.
    ///
    /// - Parameters:
    ///   - code: its error code; nil for none.
    ///   - content: what else was sent: a document, or a plain text.
    static func isNamed(code: String?, in content: JSON) -> Bool {
        let code = code.map(squeezed) ?? ""
        guard !(list("other_codes") + list("temporary_codes")).contains(code) else { return false }
        var texts: [String] = []
        collect(from: content, into: &texts)
        if (texts + [code]).contains(where: list("codes").contains) { return true }
        // The codes of standards are no words about a token.
        let words = texts.filter { !list("registered").contains($0) }.joined(separator: " ")
            .replacing("tokenrequest", with: "").replacing("tokenendpoint", with: "")
        // Microsoft Entra ID numbers its errors: `AADSTS70008: …`.
        if let number = words.firstRange(of: "aadsts").map({ words[$0.upperBound...].prefix { $0.isNumber } }) {
            return list("entra").contains(String(number))
        }
        func has(_ name: String) -> Bool { list(name).contains { words.contains($0) } }
        // A refusal of the client is not of the token, but for one that was issued to another.
        if has("client_words"), !words.contains("issuedto") { return false }
        if has("sentences") { return true }
        let isOver = words.contains("expired") || words.contains("revoked")
        let isOfForm = has("request_words") || words.contains("parameter") && !isOver
        return !isOfForm && has("nouns") && has("faults")
    }

    private static func collect(from value: JSON, into texts: inout [String]) {
        guard texts.count < 64 else { return }
        switch value {
        case .string(let text) where !text.hasPrefix("http"): texts.append(squeezed(String(text.prefix(1000))))
        case .array(let elements): for element in elements { collect(from: element, into: &texts) }
        case .object(let object):
            for member in object.members {
                let numbers = data["numbers"]?.object?[member.name]?.strings ?? []
                if case .number(let text) = member.value, numbers.contains(text) { texts.append("invalidgrant") }
                collect(from: member.value, into: &texts)
            }
        default: break
        }
    }

    static func squeezed(_ text: String) -> String {
        String(
            decoding: text.asciiLowercased.utf8.filter { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) },
            as: UTF8.self)
    }
}

extension OAuthError {
    /// Whether the status says that the server is busy or broken for now, or the code, by whatever name.
    package var isTemporary: Bool {
        isTransient || TokenRefusal.list("temporary_codes").contains(TokenRefusal.squeezed(code ?? ""))
    }
}
