package import OAuth
package import Wire

/// The next page as the filter of `--next` gives it (oap-call(1), PAGES).
package struct PageCursor: Equatable {
    /// A URL, relative to that of the page; nil for that of the page itself.
    var url: String?
    /// Parameters of the query to set; nil removes one.
    var query: [String: String?] = [:]
    var body: JSONObject?

    /// Nil for null, an empty string, and an object of nothing else: there is no next page. A word such as `MjA` is
    /// refused: it is the value of a parameter, and no URL.
    package init?(_ value: JSON) throws(PageError) {
        switch value {
        case .null: return nil
        case .string(let text):
            guard !Self.isWord(text) else {
                throw Self.error("a string that is no URL, path or query", hint: Self.hint)
            }
            url = text
        case .object(let members):
            guard !members.isEmpty, members.members.allSatisfy({ ["url", "query", "body"].contains($0.name) }) else {
                throw Self.error("an object that is empty or has unknown members")
            }
            try read(members)
        case .number: throw Self.error("a value of type \(value.kind)", hint: Self.hint)
        case .bool, .array: throw Self.error("a value of type \(value.kind)")
        }
        if url == "" { url = nil }
        if url == nil, body == nil, query.values.allSatisfy({ $0 ?? "" == "" }) { return nil }
    }

    private mutating func read(_ members: JSONObject) throws(PageError) {
        url = try Self.value(of: "url", in: members, \.string)
        body = try Self.value(of: "body", in: members, \.object)
        for member in try Self.value(of: "query", in: members, \.object)?.members ?? [] {
            switch member.value {
            case .null: query.updateValue(nil, forKey: member.name)
            case .string(let text), .number(let text): query[member.name] = text
            case .bool(let value): query[member.name] = value ? "true" : "false"
            case .array, .object: throw Self.error("a query parameter of type \(member.value.kind)")
            }
        }
    }

    private static func value<Value>(
        of name: String, in members: JSONObject, _ read: (JSON) -> Value?
    ) throws(PageError) -> Value? {
        guard let member = members[name], !member.isNull else { return nil }
        guard let value = read(member) else { throw error("a \(name) of type \(member.kind)") }
        return value
    }

    /// Whether a text has only characters of an identifier or of Base64 without `/`. A relative path of one word can be
    /// written `./WORD`.
    private static func isWord(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { $0.isASCIILetterOrDigit || [0x2B, 0x2D, 0x3D, 0x5F].contains($0) }
    }

    private static let hint = "for a cursor, name its parameter: --next '{query: {cursor: .next_cursor}}'"

    private static func error(_ given: String, hint: String? = nil) -> PageError {
        PageError(
            kind: .filter,
            message: """
                the filter of --next gave \(given); the filter must give a URL, an object of url, query and \
                body, or null
                """, hint: hint)
    }
}

/// Why the next page is not requested.
package struct PageError: Error, Sendable, Equatable {
    /// The kind: `link_cross_origin` for another origin, and for what is no web URL or has user information;
    /// `insecure_transport`, `pagination_loop`, `invalid_response`; `filter` for a cursor that cannot be used.
    package var kind: ErrorKind
    /// The sentence for the user, with the URL without its query: lower case, no full stop, no secret.
    package var message: String
    /// The origin of the page, if the user may allow it.
    package var origin: String?
    package var hint: String?
}
