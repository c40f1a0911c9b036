import TokenStore

extension TokenStoring {
    /// Stores bytes, with the lock held for as long as that takes.
    func write(_ bytes: [UInt8], as name: TokenName) throws(StoreError) { try hold(name).write(bytes) }

    /// Forgets a token, with the lock held for as long as that takes.
    func remove(_ name: TokenName) throws(StoreError) -> Bool { try hold(name).remove() }
}
