/// A store of tokens by name. It stores bytes and does not interpret them.
package protocol TokenStoring {
    /// The bytes stored under a name; nil if there are none.
    ///
    /// - Throws: ``StoreError``.
    func read(_ name: TokenName) throws(StoreError) -> [UInt8]?

    /// The names of the stored tokens, sorted.
    ///
    /// - Throws: ``StoreError``.
    func names() throws(StoreError) -> [TokenName]

    /// Waits for the lock of a name. Other processes wait until the value is released.
    ///
    /// - Throws: ``StoreError``.
    func hold(_ name: TokenName) throws(StoreError) -> any HeldToken & ~Copyable
}
