internal import Wire

/// A list of scope values (RFC 6749 §3.3).
package struct Scope: Sendable, Equatable {
    var values: [String]

    package init(_ values: [String]) { self.values = values }

    /// Splits a text at its spaces, and at a server's own separator; repeated ones are tolerated.
    package init(splitting text: String, at separator: String = " ") {
        values = text.split { $0 == " " || String($0).isIdentical(to: separator) }.map(String.init)
    }

    /// Reads the scope of a request: values of `%x21 / %x23-5B / %x5D-7E` with spaces between them.
    ///
    /// - Parameter separator: what else the server has between values.
    /// - Throws: `usage` for any other character.
    package init(requesting text: String, at separator: String = " ") throws(OAuthError) {
        self.init(splitting: text, at: separator)
        guard text.utf8.allSatisfy({ (0x20...0x7E).contains($0) && $0 != 0x22 && $0 != 0x5C }) else {
            throw OAuthError(.usage, "scope has a character that RFC 6749 section 3.3 does not allow", member: "scope")
        }
    }

    /// The values of several scopes, each once, with one space between them.
    package static func union(of texts: [String]) -> String {
        var union = Scope([])
        for text in texts { union.values += Scope(splitting: text).subtracting(union) }
        return union.text
    }

    /// The values with one space between them.
    var text: String { values.joining(with: " ") }

    /// The scope as a member; nil without values.
    var member: JSON? { values.isEmpty ? nil : .string(text) }

    /// What to do where a server refuses this scope, if a value looks like several with commas between them.
    func hint(for code: String?) -> String? {
        let hasComma = values.contains { $0.utf8.contains(UInt8(ascii: ",")) }
        return code == "invalid_scope" && hasComma ? "put spaces between the scope values, not commas" : nil
    }

    /// Whether a value is among them, compared with case.
    package func contains(_ value: String) -> Bool { values.contains { $0.utf8.elementsEqual(value.utf8) } }

    package func isContained(in other: Scope) -> Bool { subtracting(other).isEmpty }

    func subtracting(_ other: Scope) -> [String] {
        // A server's answer may hold a hundred thousand of them.
        let others = Set(other.values.map { Array($0.utf8) })
        return values.filter { !others.contains(Array($0.utf8)) }
    }
}

extension Scope {
    /// The values of this scope, as it was granted, that are more than what was asked for: none that only spells another
    /// value that was asked for in another way, and is not granted.
    func exceeding(_ asked: Scope) -> [String] {
        guard !asked.values.isEmpty else { return [] }
        let missing = Set(asked.subtracting(self).map { $0.lowercased() })
        return subtracting(asked).filter { !missing.contains($0.lowercased()) }
    }

    package init(of document: Document) throws(OAuthError) {
        self = try document.blaming(Scope(requesting: document.string("scope") ?? "", at: Self.separator(of: document)))
    }

    /// The values as the document's server wants them, with its `scope_separator` between them.
    ///
    /// - Throws: `usage`.
    func parameter(of document: Document) throws(OAuthError) -> String {
        values.joining(with: try Self.separator(of: document))
    }

    /// The option that asks for a value more; nil for a scope that has it, or has what no hint may hold.
    package func option(adding value: String) -> String? {
        guard !contains(value), values.allSatisfy(\.isPlainWord) else { return nil }
        return "\(Member.option(for: "scope")) '\((values + [value]).joining(with: " "))'"
    }

    /// The one character that a server has between scope values: a space, unless `scope_separator` names another.
    ///
    /// - Throws: `usage` for more than one, or none.
    static func separator(of document: Document) throws(OAuthError) -> String {
        let separator = try document.string("scope_separator") ?? " "
        guard separator.utf8.count == 1, separator.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else {
            throw document.invalid("scope_separator", "must be one character")
        }
        return separator
    }
}
