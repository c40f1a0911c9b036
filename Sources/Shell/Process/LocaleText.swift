/// Text in the character set of the locale (locale(7)).
enum LocaleText {
    /// The text with the signs of `oap`'s own texts in ASCII, if the locale has no UTF-8: a message may hold a name or a path
    /// too, which stays as it is. Without any, all of it becomes ASCII.
    static func plain(_ text: String, in environment: Environment, isOwn: Bool = false) -> String {
        guard !text.utf8.allSatisfy({ $0 < 0x80 }), !isUTF8(environment) else { return text }
        return text.map { substitutes[$0] ?? (isOwn && !$0.isASCII ? "?" : String($0)) }.joined()
    }

    static func isUTF8(_ environment: Environment) -> Bool {
        let names = ["LC_ALL", "LC_CTYPE", "LANG"]
        let locale = names.lazy.compactMap { (try? environment.value($0)) ?? nil }.first ?? ""
        return ["utf-8", "utf8"].contains { locale.lowercased().hasSuffix($0) }
    }

    private static let substitutes: [Character: String] = [
        "…": "...", "→": "->", "§": "section", "‹": "<", "›": ">", "–": "-", "’": "'", "“": "\"", "”": "\"",
    ]
}
