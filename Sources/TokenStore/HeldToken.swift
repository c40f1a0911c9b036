/// A stored token whose lock is held, for as long as the value lives. Nothing else can change a stored token, so that
/// nobody forgets the lock; how a store locks is its own business.
package protocol HeldToken: ~Copyable {
    /// What is stored; nil where there is nothing.
    ///
    /// - Throws: ``StoreError``.
    func read() throws(StoreError) -> [UInt8]?

    /// Reserves room, as far as that can be done, for so many bytes until they are stored: before a request that makes the
    /// stored token void.
    ///
    /// - Throws: ``StoreError``.
    func reserve(_ count: Int) throws(StoreError)

    /// Gives up the room that was reserved and not used.
    func releaseRoom()

    /// Stores bytes, whole or not at all; they are on the disk when this returns.
    ///
    /// - Throws: ``StoreError``; then what was stored is as it was.
    func write(_ bytes: [UInt8]) throws(StoreError)

    /// Forgets the token.
    ///
    /// - Returns: whether there was one.
    /// - Throws: ``StoreError``.
    func remove() throws(StoreError) -> Bool
}
