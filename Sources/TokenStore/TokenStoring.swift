package import System

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

    /// What tells whether a token has changed, without a lock; nil if the store cannot say.
    func stamp(_ name: TokenName) -> FileStamp?

    /// Waits for the lock of a name. Other processes wait until the value is released.
    ///
    /// - Parameter seconds: how long to wait; 0 tries once.
    /// - Throws: ``StoreError``; `locked` when the time is over.
    func hold(_ name: TokenName, seconds: Int) throws(StoreError) -> any HeldToken & ~Copyable
}

extension TokenStoring {
    package func stamp(_ name: TokenName) -> FileStamp? { nil }

    /// Waits for the lock of a name as long as `StoreLock.patience`.
    ///
    /// - Throws: ``StoreError``.
    package func hold(_ name: TokenName) throws(StoreError) -> any HeldToken & ~Copyable {
        try hold(name, seconds: StoreLock.patience)
    }
}
