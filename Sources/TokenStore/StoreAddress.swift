/// What `--store` and `OAP_STORE` say: which store it is (contract §7).
package enum StoreAddress: Sendable, Equatable {
    /// `file:DIR`, the store of a folder.
    case file(String)

    /// Reads an address.
    ///
    /// - Throws: `badStore`.
    package init(_ text: String) throws(StoreError) {
        guard text.hasPrefix("file:"), text.utf8.count > "file:".utf8.count else { throw .badStore(text) }
        self = .file(String(text.dropFirst("file:".count)))
    }
}
