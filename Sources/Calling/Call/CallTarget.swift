package import CommandSpec
package import OAuth
internal import TokenStore
package import Wire
package import Shell

/// The URL of `call`, and whether the token may be sent there (oap-call(1)).
package enum CallTarget {
    /// The URL of the operand: absolute, or a path relative to the document's `api_base`.
    ///
    /// - Parameter exit: the status for an invalid one: 2 on the command line, 3 in a file.
    /// - Throws: exit 2 or 3 for an invalid URL, exit 9 for plain http outside loopback.
    package static func url(_ operand: String, document: Document, exit: Exit = .usage) throws(Failure) -> WebURL {
        try checkCharacters(of: operand, exit)
        guard operand.hasPrefix("/") else {
            return try check(encoded(operand), name: "URL", document: document, exit)
        }
        guard let base = try asFailure(document.string("api_base"))
        else {
            throw Failure(
                exit, .usage,
                "\(Terminal.escaping(path(of: operand))) is a path, and the token has no api_base",
                hint: "give the whole URL, or --api-base")
        }
        let checked = try check(base, name: "api_base", document: document, exit)
        guard checked.query == nil else {
            throw Failure(OAuthError(.metadataInvalid, "api_base has a query", member: "api_base"))
        }
        let prefix = checked.withoutFragment
        return try check(
            (prefix.hasSuffix("/") ? String(prefix.dropLast()) : prefix) + encoded(operand), name: "URL",
            document: document, exit)
    }

    /// The URL of the operand; without one, the only resource of the document.
    ///
    /// - Parameter name: that of the token, for the hint.
    /// - Throws: as for a URL of the operand; exit 2 if the document has none or several resources.
    package static func url(_ operand: String?, named name: String?, document: Document) throws(Failure) -> WebURL {
        if let operand { return try url(operand, document: document) }
        let resources = try asFailure(document.strings("resource"))
        guard resources.count == 1 else { throw missing(name ?? "NAME") }
        return try url(resources[0], document: document)
    }

    private static func missing(_ name: String) -> Failure {
        .usage(
            "the URL is missing",
            hint: """
                for example: oap call \(name) https://api.example/user; if the token has an api_base, a path is enough
                """)
    }

    /// Checks, before a document is read, that an operand is a URL or a path.
    ///
    /// - Parameter names: the names of stored tokens and profiles.
    /// - Throws: exit 2.
    package static func check(_ operand: String?, names: @autoclosure () -> [String]) throws(Failure) {
        guard let operand else { return }
        try checkCharacters(of: operand)
        guard !operand.hasPrefix("/"), WebURL(encoded(operand)) == nil else { return }
        guard !names().contains(operand) else { throw missing(operand) }
        let isName = (try? TokenName(operand)) != nil
        throw .usage(
            "the operand URL is neither an absolute URL nor a path",
            hint: isName
                ? "begin a path with /; to use a stored token, give its name and a URL: oap call NAME URL"
                : "begin a path with /, and a URL with https://")
    }

    /// Checks that the token of a document may be sent to a URL.
    ///
    /// - Parameter allowed: the origins of `--allow-origin`.
    /// - Throws: exit 9 for another origin than the document names, exit 2 or 3 for one that is none.
    package static func checkOrigin(of text: String, document: Document, allowed: [String]) throws(Failure) {
        let origins = try Origins(document, allowed: allowed)
        if let url = WebURL(text) { try origins.check(url, isOperand: true) }
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
    /// - Throws: exit 2.
    private static func checkCharacters(of operand: String, _ exit: Exit = .usage) throws(Failure) {
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

    /// The operand without its query, which may hold a secret.
    private static func path(of operand: String) -> String {
        String(decoding: operand.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }, as: UTF8.self)
    }

    private static func check(
        _ text: String, name: String, document: Document, _ exit: Exit
    ) throws(Failure) -> WebURL {
        guard let url = WebURL(text), url.scheme == "https" || url.scheme == "http", url.host != nil else {
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
