/// A place where tokens are kept by name. What is kept is bytes; what they mean is another module's business.
package protocol TokenStoring {
    /// What is stored under a name; nil where there is nothing.
    ///
    /// - Throws: ``StoreError``.
    func read(_ name: TokenName) throws(StoreError) -> [UInt8]?

    /// Stores bytes under a name, whole or not at all; they are on the disk when this returns.
    ///
    /// - Throws: ``StoreError``; then what was stored is as it was.
    func write(_ bytes: [UInt8], as name: TokenName) throws(StoreError)

    /// Keeps room, as far as that can be done, for so many bytes under a name until they are stored: before a request that
    /// makes the token void which is stored there. The lock must be held.
    ///
    /// - Throws: ``StoreError``.
    func keepRoom(for count: Int, as name: TokenName) throws(StoreError)

    /// Gives up the room that nothing came for.
    func releaseRoom(as name: TokenName)

    /// Forgets what is stored under a name.
    ///
    /// - Returns: whether there was anything.
    /// - Throws: ``StoreError``.
    func remove(_ name: TokenName) throws(StoreError) -> Bool

    /// The names under which something is stored, in order.
    ///
    /// - Throws: ``StoreError``.
    func names() throws(StoreError) -> [TokenName]

    /// Waits until no other process works on this name, and keeps all others waiting until the lock is gone.
    ///
    /// - Throws: ``StoreError``.
    func lock(_ name: TokenName) throws(StoreError) -> StoreLock
}
