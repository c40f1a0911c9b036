package import Wire

/// What came back from the browser, in one of the shapes in which a person or a program hands it over.
package enum Callback: Sendable, Equatable {
    /// A whole redirected URL.
    case url(WebURL)
    /// A request target: path and query.
    case target(path: String, query: String)
    /// A bare query or form, of which nobody can see how it came.
    case bare(String)
    /// A bare fragment.
    case fragment(String)
    /// The body of a POST, and the URL that it was posted to, when that is known (Form Post Response Mode §2).
    case form(body: String, contentType: String?, url: WebURL?)
}

extension Callback {
    /// Tells the shapes apart. White space around a pasted text is dropped.
    ///
    /// - Throws: `parse` for what has none of the shapes.
    package init(pasted text: String) throws(OAuthError) {
        let trimmed = text.drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed()
        let text = String(trimmed)
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
                guard let url = WebURL(text) else {
                    throw OAuthError(.unreadableResponse, "the callback is not a URL that can be read")
                }
                self = .url(url)
            } else {
                self = .bare(Self.codeAndState(in: text) ?? text)
            }
        }
    }

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
        for text in texts { states += try Self.parse(text ?? "").filter { $0.name == "state" }.map(\.value) }
        guard let state = states.first, states.count == 1 else {
            throw OAuthError(
                .stateMissing, states.isEmpty ? "the callback has no state" : "the callback has more than one state",
                hint: "without a state, the callback could belong to any login")
        }
        return state
    }

    /// The parameters of the callback, those of the redirect URI itself taken out.
    ///
    /// - Throws: `parse`, `redirect_mismatch`, `wrong_channel`.
    func parameters(
        for redirectURI: RedirectURI, mode: ResponseMode
    ) throws(OAuthError) -> [(name: String, value: String)] {
        switch self {
        case .url(let url):
            try Self.check(url, against: redirectURI)
            let query = try Self.withoutRegistered(Self.parse(url.query ?? ""), of: redirectURI)
            let fragment = url.fragment == "_=_" ? "" : url.fragment ?? ""
            return try Self.choose(query: query, fragment: try Self.parse(fragment), mode: mode)
        case .target(let path, let query):
            if !path.isEmpty, !path.isIdentical(to: redirectURI.url.path) { throw Self.mismatch("path") }
            let query = try Self.withoutRegistered(Self.parse(query), of: redirectURI)
            return try Self.choose(query: query, fragment: [], mode: mode)
        case .bare(let text):
            return try Self.withoutRegistered(Self.parse(text), of: redirectURI, isComplete: false)
        case .fragment(let text):
            return try Self.choose(query: [], fragment: try Self.parse(text), mode: mode)
        case .form(let body, let contentType, let url):
            if let url {
                try Self.check(url, against: redirectURI)
                let query = try Self.withoutRegistered(Self.parse(url.query ?? ""), of: redirectURI)
                guard query.isEmpty else { throw Self.wrongChannel("in the query and in the body") }
            }
            guard mode == .formPost else { throw Self.wrongChannel("in a POST body") }
            guard
                contentType.map(MediaType.init)?.essence ?? "application/x-www-form-urlencoded"
                    == "application/x-www-form-urlencoded"
            else { throw Self.wrongChannel("as \(contentType ?? "")") }
            return try Self.parse(body)
        }
    }
}

extension Callback {
    /// RFC 8252 §8.10: scheme and host without case, port, path and user information exactly.
    private static func check(_ url: WebURL, against redirectURI: RedirectURI) throws(OAuthError) {
        let expected = redirectURI.url
        let part: String? =
            if url.scheme != expected.scheme {
                "scheme"
            } else if url.host != expected.host {
                "host"
            } else if url.effectivePort != expected.effectivePort {
                "port"
            } else if url.path != expected.path && !(url.path == "/" && expected.path.isEmpty) {
                "path"
            } else {
                url.userinfo == expected.userinfo ? nil : "user information"
            }
        guard let part else { return }
        let isRequest = (try? parse(url.query ?? ""))?.contains { $0.name == "response_type" } ?? false
        guard isRequest else { throw mismatch(part) }
        throw mismatch(part, hint: "this is the URL of the login page; the URL of the last page after it is needed")
    }

    private static func mismatch(
        _ part: String, hint: String = "this is not the answer to the request that was sent"
    ) -> OAuthError {
        OAuthError(
            .redirectMismatch, "the callback's \(part) is not that of redirect_uri", hint: hint, member: "redirect_uri")
    }

    private static func wrongChannel(_ where: String) -> OAuthError {
        OAuthError(.wrongChannel, "the callback's parameters came \(`where`), which was not asked for")
    }

    /// Takes the parameters of the redirect URI's own query out, once each.
    private static func withoutRegistered(
        _ received: [(name: String, value: String)], of redirectURI: RedirectURI, isComplete: Bool = true
    ) throws(OAuthError) -> [(name: String, value: String)] {
        var rest = received
        for (name, value) in try parse(redirectURI.url.query ?? "") {
            guard let index = rest.firstIndex(where: { $0.name.isIdentical(to: name) }) else {
                if isComplete { throw mismatch("query") }
                continue
            }
            guard rest[index].value.isIdentical(to: value) else { throw mismatch("query") }
            rest.remove(at: index)
        }
        return rest
    }

    private static func choose(
        query: [(name: String, value: String)], fragment: [(name: String, value: String)], mode: ResponseMode
    ) throws(OAuthError) -> [(name: String, value: String)] {
        switch mode {
        case .query:
            guard fragment.isEmpty else { throw wrongChannel("in the fragment") }
            return query
        case .fragment:
            guard query.isEmpty else { throw wrongChannel("in the query") }
            return fragment
        case .formPost:
            guard query.isEmpty, fragment.isEmpty else { throw wrongChannel("in the URL") }
            return []
        }
    }

    private static func parse(_ text: String) throws(OAuthError) -> [(name: String, value: String)] {
        do throws(FormEncodingError) {
            return try FormEncoding.parse(text)
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
