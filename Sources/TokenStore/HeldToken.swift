/// A stored token whose lock is held as long as the value lives. Only this type can change a stored token, so no caller
/// can forget the lock. Each store locks in its own way.
package protocol HeldToken: ~Copyable {
    /// The stored bytes; nil if there are none.
    ///
    /// - Throws: ``StoreError``.
    func read() throws(StoreError) -> [UInt8]?

    /// Reserves room for this many bytes, if the store can, before a request that makes the stored token void.
    ///
    /// - Throws: ``StoreError``.
    func reserve(_ count: Int) throws(StoreError)

    /// Releases the reserved room.
    func releaseRoom()

    /// Stores bytes, whole or not at all; they are on the disk when this returns.
    ///
    /// - Throws: ``StoreError``; the stored bytes have not changed then.
    func write(_ bytes: [UInt8]) throws(StoreError)

    /// Removes the token.
    ///
    /// - Returns: whether it existed.
    /// - Throws: ``StoreError``.
    func remove() throws(StoreError) -> Bool
}
