/// A place where tokens are kept by name. What is kept is bytes; what they mean is another module's business.
package protocol TokenStoring {
    /// What is stored under a name; nil where there is nothing.
    ///
    /// - Throws: ``StoreError``.
    func read(_ name: TokenName) throws(StoreError) -> [UInt8]?

    /// The names under which something is stored, in order.
    ///
    /// - Throws: ``StoreError``.
    func names() throws(StoreError) -> [TokenName]

    /// Waits for the lock of a name, which keeps all other processes waiting until the value is gone.
    ///
    /// - Throws: ``StoreError``.
    func hold(_ name: TokenName) throws(StoreError) -> any HeldToken & ~Copyable
}
