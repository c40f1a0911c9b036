internal import Wire

/// The name of a stored token and of its profile: `[A-Za-z0-9][A-Za-z0-9._@:-]{0,127}`, so that it cannot leave its folder
/// (oap-store(1)).
package struct TokenName: Sendable, Equatable {
    package let text: String

    package init(_ text: String) throws(StoreError) {
        guard text.utf8.first?.isASCIILetterOrDigit == true, text.utf8.count <= 128,
            text.utf8.allSatisfy({ $0.isASCIILetterOrDigit || "._@:-".utf8.contains($0) })
        else { throw .badName(text) }
        self.text = text
    }

    /// A valid name that the program itself uses.
    init(unchecked text: StaticString) { self.text = "\(text)" }
}
