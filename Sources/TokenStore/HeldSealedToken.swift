/// A token of a ``SealedStore``, with the lock of the store below.
struct HeldSealedToken<Held: HeldToken & ~Copyable>: HeldToken, ~Copyable {
    let held: Held
    let seal: Seal
    let name: TokenName

    func read() throws(StoreError) -> [UInt8]? {
        guard let bytes = try held.read() else { return nil }
        return try seal.opening(bytes, name)
    }

    func reserve(_ count: Int) throws(StoreError) { try held.reserve(seal.size(of: count)) }

    func releaseRoom() { held.releaseRoom() }

    func write(_ bytes: [UInt8]) throws(StoreError) {
        _ = try read()
        try held.write(try seal.sealing(bytes, name))
    }

    func remove() throws(StoreError) -> Bool { try held.remove() }
}
