package import Wire

/// What came back from the browser, in one of the shapes in which a person or a program hands it over.
package enum Callback: Sendable, Equatable {
    case url(WebURL)
    /// A request target: path and query.
    case target(path: String, query: String)
    /// A bare query or form, of which nobody can see how it came.
    case bare(String)
    case fragment(String)
    /// The body of a POST, and the URL that it was posted to, when that is known (Form Post Response Mode §2).
    case form(body: String, contentType: String?, url: WebURL?)
}

extension Callback {
    /// Tells the shapes apart. What mail, chat and shells put around a URL and into it is dropped.
    ///
    /// - Throws: `parse` for what has none of the shapes.
    package init(pasted text: String) throws(OAuthError) {
        let text = Self.unwrapped(text)
        switch text.first {
        case nil: throw OAuthError(.unreadableResponse, "the callback is empty")
        case "#": self = .fragment(String(text.dropFirst()))
        case "?": self = .target(path: "", query: String(text.dropFirst()))
        case "/":
            let sides = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
            self = .target(path: String(sides[0]), query: sides.count > 1 ? String(sides[1]) : "")
        default:
            let scheme = text.prefix { $0 != ":" && $0 != "=" && $0 != "&" }
            if scheme.endIndex < text.endIndex, text[scheme.endIndex] == ":" {
                // An address bar shows what is encoded as it reads, and the browser sends what no URL may hold.
                let start = text.firstIndex { "?#".contains($0) } ?? text.endIndex
                guard let url = WebURL(text[..<start] + WebURL.encoding(text[start...].utf8)) else {
                    throw OAuthError(.unreadableResponse, "the callback is not a URL that can be read")
                }
                self = .url(url)
            } else {
                self = .bare(Self.codeAndState(in: text) ?? text)
            }
        }
    }

    /// Whether a text is a URL, or a part of one with parameters, and neither a token nor a name.
    package static func isURL(_ text: String) -> Bool {
        text.contains(":/") || text.contains("?") && text.contains("=")
    }

    /// The text without its line ends, without the marks around it or the words around its URL, and with the signs
    /// that HTML and shells write otherwise.
    private static func unwrapped(_ text: String) -> String {
        var text = trimmed(text.withoutReferences.text[...])
        if text.contains(where: { "=&?".contains($0) }) {
            text = text.split(whereSeparator: \.isNewline).map { String(trimmed($0)) }.joining(with: "")[...]
        }
        let isOfScheme = { (character: Character) in
            character.isLetter || character.isNumber || "+-.".contains(character)
        }
        let scheme = text.firstRange(of: ":/").map { text[..<$0.lowerBound] }
        let opening = [scheme?.lastIndex { !isOfScheme($0) }, text.indices.first].compactMap(\.self)
            .first { closing[text[$0]] != nil || text[$0].isWhitespace }
        if let opening {
            let end = closing[text[opening]] ?? text[opening]
            text = text[text.index(after: opening)...].prefix { $0 != end }
        }
        for sign in ["&", "?", "="] { text = text.replacing("\\\(sign)", with: sign)[...] }
        // What a server's log shows of a request.
        let words = text.split(separator: " ")
        if words.count > 1, words[0] == "GET", words[1].hasPrefix("/") { text = words[1] }
        // A sentence may end behind it, and no state of oap ends so.
        if text.split(whereSeparator: { "?&#".contains($0) }).last?.hasPrefix("state=") == true {
            while text.last.map({ ".,;!".contains($0) }) == true { text.removeLast() }
        }
        // Address bars do not show the scheme.
        let host = text.prefix { !"/?#=&".contains($0) }
        if text[host.endIndex...].hasPrefix("/"), text.contains("?"), host.last != ":",
            host == "localhost" || host.contains(where: { ".:".contains($0) }), let url = WebURL("http://\(host)")
        {
            return (url.isLoopback ? "http://" : "https://") + trimmed(text)
        }
        return String(trimmed(text))
    }

    private static func trimmed(_ text: Substring) -> Substring {
        let isSpace = { (character: Character) in character.isWhitespace || "\u{FEFF}\u{200B}".contains(character) }
        let rest = text.drop(while: isSpace)
        return rest.lastIndex { !isSpace($0) }.map { rest[...$0] } ?? ""
    }

    /// The marks that mail, chat, shells and people put around a URL, and those that end it.
    private static let closing: [Character: Character] = [
        "\"": "\"", "'": "'", "`": "`", "<": ">", "(": ")", "[": "]", "“": "”", "‘": "’", "„": "“", "«": "»", "‹": "›",
    ]

    /// The query that a page for copying stands for, which shows the code with the state behind it: white space or `#`
    /// between them, and none of the signs of a query.
    private static func codeAndState(in text: String) -> String? {
        guard !text.contains(where: { "=&?".contains($0) }) else { return nil }
        let parts = text.split { $0.isWhitespace || $0 == "#" }
        guard parts.count == 2 else { return nil }
        return FormEncoding.encode([("code", String(parts[0])), ("state", String(parts[1]))])
    }

    /// The state that the callback names, by which its flow is found; nothing is checked yet.
    ///
    /// - Throws: `parse`; `state_missing` for no state or more than one.
    package func namedState() throws(OAuthError) -> String {
        let texts: [String?] =
            switch self {
            case .url(let url): [url.query, url.fragment]
            case .target(_, let query): [query]
            case .bare(let text), .fragment(let text): [text]
            case .form(let body, _, _): [body]
            }
        var states: [String] = []
        for text in texts {
            states += try Self.parse(Self.opened(text ?? "")).filter { $0.name == "state" }.map(\.value)
        }
        guard let state = states.first, states.count == 1 else {
            throw OAuthError(
                .stateMissing, states.isEmpty ? "the callback has no state" : "the callback has more than one state",
                hint: "only the state says to which login the callback belongs: give the whole redirected URL")
        }
        return state
    }

    /// The parameters of a query, a fragment or a form. Only those that are compared or sent must decode: servers write
    /// error texts in Latin-1, or cut them in the middle of a `%XX`.
    ///
    /// - Throws: `unreadable_response`.
    package static func parse(_ text: String) throws(OAuthError) -> [(name: String, value: String)] {
        do throws(FormEncodingError) {
            return try FormEncoding.parse(text, checking: ["code", "state", "iss", response])
        } catch {
            let reason =
                switch error {
                case .badPercentEncoding: "a % without two hexadecimal digits"
                case .invalidUTF8: "bytes that are not UTF-8"
                case .nul: "a NUL"
                }
            throw OAuthError(.unreadableResponse, "the callback has \(reason) in its parameters")
        }
    }
}

/// A response in a JWT (JARM, JWT Secured Authorization Response Mode §2).
extension Callback {
    /// The parameter that has the JWT.
    static let response = "response"

    /// The claims of the JWT in a query or form, as a query; the text itself without a JWT. Nothing is checked: this only
    /// tells to which login a callback belongs.
    package static func opened(_ parameters: String) -> String {
        let pairs = (try? parse(parameters)) ?? []
        guard let text = pairs.first(where: { $0.name == response })?.value,
            let token = try? JSONWebToken(parsing: text, as: .authorizationResponse)
        else { return parameters }
        return FormEncoding.encode(claimed(by: token))
    }

    /// The parameters in the claims of a JWT; an `iss` is the one of RFC 9207.
    static func claimed(by token: JSONWebToken) -> [(name: String, value: String)] {
        token.claims.members.filter { !["aud", "exp", "iat", "nbf", "jti"].contains($0.name) }.compactMap { member in
            member.value.isNull ? nil : (member.name, member.value.string ?? member.value.text)
        }
    }
}
