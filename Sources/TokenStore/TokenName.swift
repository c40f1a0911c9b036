/// The name of a stored token and of its profile: `[A-Za-z0-9][A-Za-z0-9._@:-]{0,127}`, so that it cannot leave its folder
/// (oap-store(1)).
package struct TokenName: Sendable, Equatable {
    package let text: String

    package init(_ text: String) throws(StoreError) {
        let isWord = { (byte: UInt8) in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
        }
        guard let first = text.utf8.first, isWord(first), text.utf8.count <= 128,
            text.utf8.allSatisfy({ isWord($0) || [0x2E, 0x5F, 0x40, 0x3A, 0x2D].contains($0) })
        else { throw .badName(text) }
        self.text = text
    }

    /// A valid name that the program itself uses.
    init(unchecked text: StaticString) { self.text = "\(text)" }
}
