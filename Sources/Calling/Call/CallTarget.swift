package import CommandSpec
package import OAuth
internal import TokenStore
package import Wire
package import Shell

/// What the operand of `call` is, where it leads, and whether the token may be sent there (oap-call(1)).
package enum CallTarget {
    case whole(WebURL)
    /// A path, relative to the document's `api_base`, as it is written.
    case path(String)

    /// Reads a text. Nil for one that is neither an absolute URL nor a path.
    ///
    /// - Throws: the given exit for a character that has to be percent-encoded.
    package init?(_ text: String, exit: Exit = .usage) throws(Failure) {
        try Self.checkCharacters(of: text, exit)
        let target = text.hasPrefix("/") ? Self.path(text) : WebURL(Self.encoded(text)).map(Self.whole)
        guard let target else { return nil }
        self = target
    }

    /// Reads the operand, before a document is read; nil without one.
    ///
    /// - Parameter names: the names of stored tokens and profiles.
    /// - Throws: exit 2 for what is neither a URL nor a path.
    package static func read(_ operand: String?, names: @autoclosure () -> [String]) throws(Failure) -> CallTarget? {
        guard let operand else { return nil }
        if let target = try CallTarget(operand) { return target }
        guard !names().contains(operand) else { throw missing(operand) }
        let hint = "begin a path with /, and a URL with https://"
        guard (try? TokenName(operand)) != nil else {
            throw .usage("the operand URL is neither an absolute URL nor a path", hint: hint)
        }
        // It is not repeated: it may be a secret.
        throw .usage(
            "no token is stored under this name, and it is neither an absolute URL nor a path",
            hint: "find the name with oap store list; \(hint)")
    }

    /// Where an operand leads; without one, to the only resource of the document.
    ///
    /// - Parameter name: that of the token, for the hint.
    /// - Throws: as for another target; exit 2 if the document has none or several resources.
    package static func url(_ target: Self?, named name: String?, document: Document) throws(Failure) -> WebURL {
        if let target { return try url(target, document: document) }
        let resources = try asFailure(document.strings("resource"))
        guard resources.count == 1 else { throw missing(name ?? "NAME") }
        return try url(CallTarget(resources[0]), document: document)
    }

    /// Where a target leads: a path is relative to the document's `api_base`.
    ///
    /// - Parameters:
    ///   - target: nil for a text that is none.
    ///   - exit: the status for an invalid one: 2 on the command line, 3 in a file.
    /// - Throws: exit 2 or 3 for an invalid URL, exit 9 for plain http outside loopback.
    package static func url(_ target: Self?, document: Document, exit: Exit = .usage) throws(Failure) -> WebURL {
        guard case .path(let path) = target else {
            let url: WebURL? = if case .whole(let url) = target { url } else { nil }
            return try check(url, name: "URL", document: document, exit)
        }
        guard let base = try asFailure(document.string("api_base")) else {
            throw Failure(
                exit, .usage,
                "\(Terminal.escaping(withoutQuery(path))) is a path, and the token has no api_base",
                hint: "give the whole URL, or --api-base")
        }
        let checked = try check(WebURL(base), name: "api_base", document: document, exit)
        guard checked.query == nil else {
            throw Failure(OAuthError(.metadataInvalid, "api_base has a query", member: "api_base"))
        }
        let prefix = checked.withoutFragment
        let whole = (prefix.hasSuffix("/") ? String(prefix.dropLast()) : prefix) + encoded(path)
        return try check(WebURL(whole), name: "URL", document: document, exit)
    }

    private static func missing(_ name: String) -> Failure {
        .usage(
            "the URL is missing",
            hint: """
                for example: oap call \(name) https://api.example/user; if the token has an api_base, a path is enough
                """)
    }

    /// Checks that the token of a document may be sent to a URL.
    ///
    /// - Parameter allowed: the origins of `--allow-origin`.
    /// - Throws: exit 9 for another origin than the document names, exit 2 or 3 for one that is none.
    package static func checkOrigin(of url: WebURL, document: Document, allowed: [String]) throws(Failure) {
        try Origins(document, allowed: allowed).check(url, isOperand: true)
    }

    /// The origins that the token of a document may be sent to.
    struct Origins {
        private let named: TokenOrigins
        private var origins: TokenOrigins

        /// Takes the origins that the document names, and those of `--allow-origin`.
        ///
        /// - Throws: exit 2 or 3 for one that is none.
        init(_ document: Document, allowed: [String]) throws(Failure) {
            named = try asFailure(TokenOrigins(of: document))
            origins = named
            for origin in allowed {
                guard (try? origins.add(origin)) != nil else {
                    throw .usage("\(CallOption.allowOrigin.name) takes an origin such as https://api.example")
                }
            }
        }

        var isEmpty: Bool { origins.text.isEmpty }

        /// Refuses another origin.
        ///
        /// - Parameter isOperand: whether the caller has given the URL: a document that names no origin leaves it to them.
        /// - Throws: exit 9.
        func check(_ url: WebURL, isOperand: Bool = false) throws(Failure) {
            guard !origins.allow(url), !isOperand || !named.allow(url) else { return }
            let owner = named.text.isEmpty ? origins.text : named.text
            throw Failure(
                .insecure, .originRefused, "the token is for \(owner), not for \(url.origin)",
                hint: "to send the token to \(url.origin), use \(CallOption.allowOrigin.name) \(url.origin)")
        }
    }

    /// Refuses a URL or a path for the first character in it that has to be percent-encoded.
    ///
    /// - Throws: the given exit.
    private static func checkCharacters(of operand: String, _ exit: Exit) throws(Failure) {
        let isPath = operand.hasPrefix("/")
        guard isPath || operand.contains("://"),
            let place = operand.utf8.firstIndex(where: { $0 < 0x80 && !WebURL.isAllowed($0) })
        else { return }
        let byte = operand.utf8[place]
        let isInQuery = operand.utf8[..<place].contains(UInt8(ascii: "?"))
        let noun = isInQuery ? "query" : isPath ? "path" : "URL"
        let character =
            switch byte {
            case UInt8(ascii: " "): "a space"
            case 0..<0x20, 0x7F: "a control character"
            default: "the character \(UnicodeScalar(byte)), which a URL cannot hold"
            }
        let code = String(decoding: CallData.percentEncoded([byte]), as: UTF8.self)
        throw Failure(
            exit, .usage, "the \(noun) has \(character)",
            hint: "write \(code) instead" + (isInQuery ? ", or use \(CallOption.query.name) NAME=VALUE" : ""))
    }

    /// A path without its query, which may hold a secret.
    private static func withoutQuery(_ path: String) -> String {
        String(decoding: path.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }, as: UTF8.self)
    }

    private static func check(
        _ url: WebURL?, name: String, document: Document, _ exit: Exit
    ) throws(Failure) -> WebURL {
        guard let url, url.scheme == "https" || url.scheme == "http", url.host != nil else {
            let reason = "\(name) is not an absolute http or https URL"
            guard name == "URL" else { throw Failure(document.blame(OAuthError(.usage, reason, member: name))) }
            throw Failure(exit, .usage, reason, hint: "give an https URL; or begin a path with /, and set api_base")
        }
        guard url.userinfo == nil else {
            throw Failure(exit, .usage, "\(name) contains a user name or password")
        }
        guard url.scheme == "https" || url.isLoopback else {
            throw Failure(
                .insecure, .insecureTransport,
                "plain http to \(url.host ?? "") is refused: everybody on the way could read and change it",
                hint: "use https; http is for loopback only")
        }
        return url
    }

    /// The text with everything beyond ASCII percent-encoded, as browsers send it.
    private static func encoded(_ text: String) -> String {
        guard text.hasBytes({ $0 >= 0x80 }) else { return text }
        return String(
            decoding: text.utf8.flatMap { $0 < 0x80 ? [$0] : CallData.percentEncoded([$0]) }, as: UTF8.self)
    }
}

/// What the operands of `call` were meant to be, where they cannot be a name and a URL.
package enum CallOperands {
    /// What to do about a word too many.
    package static func hint(for operands: [String], among options: [Option]) -> String? {
        if let method = operands.first(where: isMethod) { return hint(for: method) }
        guard operands.contains(where: isFilter) else { return nil }
        return options.contains(OutputOption.jq)
            ? "the word after -q is the filter: in joined letters, q comes last, as in -rq FILTER"
            : "\(OutputOption.jq.name) FILTER filters the response"
    }

    /// Refuses a method, a filter and a name in the place of another operand.
    ///
    /// - Parameter names: the names of stored tokens and profiles.
    /// - Throws: exit 2.
    package static func check(_ first: String?, _ url: String?, names: () -> [String]) throws(Failure) {
        guard let first, let url else { return }
        if isMethod(first), !names().contains(first) {
            throw .usage("the method is the value of an option, not an operand", hint: hint(for: first))
        }
        guard isTarget(first), !isTarget(url) else { return }
        if isFilter(url) {
            throw .usage(
                "the filter is the value of an option, not an operand",
                hint: "\(OutputOption.jq.name) FILTER filters the response")
        }
        guard (try? TokenName(url)) != nil else { return }
        throw .usage("the name of the stored token comes before the URL", hint: "oap call \(url) URL")
    }

    private static func hint(for method: String) -> String { "\(CallOption.method.names[0]) \(method) sets the method" }

    private static func isMethod(_ word: String) -> Bool { CallOption.methods.contains(word) }

    private static func isFilter(_ word: String) -> Bool { word.utf8.first == UInt8(ascii: ".") }

    private static func isTarget(_ word: String) -> Bool { word.hasPrefix("/") || word.contains("://") }
}
