/// A list of scope values (RFC 6749 §3.3).
package struct Scope: Sendable, Equatable {
    /// The values, in order.
    package var values: [String]

    /// Scope values as they are.
    package init(_ values: [String]) { self.values = values }

    /// Splits a text at its spaces; repeated ones are tolerated.
    package init(splitting text: String) { values = text.split(separator: " ").map(String.init) }

    /// Reads the scope of a request: values of `%x21 / %x23-5B / %x5D-7E` with spaces between them.
    ///
    /// - Throws: `usage` for any other character.
    package init(requesting text: String) throws(OAuthError) {
        self.init(splitting: text)
        guard text.utf8.allSatisfy({ (0x20...0x7E).contains($0) && $0 != 0x22 && $0 != 0x5C }) else {
            throw OAuthError(.usage, "scope has a character that RFC 6749 section 3.3 does not allow", member: "scope")
        }
    }

    /// The values with one space between them.
    package var text: String { values.joined(separator: " ") }

    /// Whether a value is among them, compared with case.
    package func contains(_ value: String) -> Bool { values.contains { $0.utf8.elementsEqual(value.utf8) } }

    /// The values of this scope that the other one lacks.
    package func subtracting(_ other: Scope) -> [String] { values.filter { !other.contains($0) } }
}
