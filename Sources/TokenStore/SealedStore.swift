package import JOSE
package import System
internal import Wire

/// A store over another one that seals what it stores (oap-store(1)). Without a key it passes everything on, and refuses
/// what is sealed. A token that cannot be read with this key is not overwritten.
package struct SealedStore: TokenStoring {
    private let store: any TokenStoring
    private let seal: Seal

    /// A store over another.
    ///
    /// - Parameter key: nil for no seal.
    package init(over store: any TokenStoring, key: SymmetricKey?) {
        self.store = store
        seal = Seal(key: key)
    }

    /// Reads the file of a key, a JSON Web Key.
    ///
    /// - Throws: `system`, `unsafe` if others can read it, `corrupt` if it is not a key of 256 bits.
    package static func key(at path: String) throws(StoreError) -> SymmetricKey {
        guard let file = try PrivateFile.read(path, isStrict: false) else {
            throw .corrupt(path: path, reason: "this key file is missing")
        }
        guard !file.isOpenToOthers else { throw .unsafe(path: path, .readable(secret: "the key")) }
        return try key(in: file.bytes, from: path)
    }

    /// A key from its JSON Web Key.
    ///
    /// - Parameter source: the file or the program that it came from, for messages.
    /// - Throws: `corrupt` if it is not a key of 256 bits.
    package static func key(in bytes: [UInt8], from source: String) throws(StoreError) -> SymmetricKey {
        guard let members = (try? JSON(parsing: bytes))?.object else {
            throw .corrupt(path: source, reason: "it is not a JSON Web Key")
        }
        do throws(JOSEError) {
            return try SymmetricKey(members)
        } catch {
            throw .corrupt(path: source, reason: error.description)
        }
    }

    package func read(_ name: TokenName) throws(StoreError) -> [UInt8]? {
        guard let bytes = try store.read(name) else { return nil }
        return try seal.opening(bytes, name)
    }

    package func names() throws(StoreError) -> [TokenName] { try store.names() }

    package func stamp(_ name: TokenName) -> FileStamp? { store.stamp(name) }

    package func hold(_ name: TokenName, seconds: Int) throws(StoreError) -> any HeldToken & ~Copyable {
        hold(try store.hold(name, seconds: seconds), name)
    }

    private func hold(
        _ held: consuming some HeldToken & ~Copyable, _ name: TokenName
    ) -> any HeldToken & ~Copyable {
        HeldSealedToken(held: held, seal: seal, name: name)
    }
}

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
