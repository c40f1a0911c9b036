package import Errands
package import JOSE
internal import Wire

/// A store over another one that seals what it stores (oap-store(1)). Without a key it passes everything on, and refuses
/// what is sealed. A token that cannot be read with this key is not overwritten.
package struct SealedStore: TokenStoring {
    private let store: any TokenStoring
    private let seal: Seal

    /// Seals what a store has, unless the key is nil. A seal names the store by `place`.
    package init(over store: any TokenStoring, key: SymmetricKey?, older: SymmetricKey? = nil, place: String) {
        self.store = store
        seal = Seal(key: key, older: older, place: place)
    }

    /// Reads the file of a key, a JSON Web Key.
    ///
    /// - Throws: `system`, `unsafe` if others can read it, `corrupt` if it is not a key of 256 bits.
    package static func key(at path: String) throws(StoreError) -> SymmetricKey {
        guard let file = try PrivateFile.read(path, isStrict: false) else {
            throw .keyMissing(path)
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

    package func load(_ name: TokenName) -> Attempt<StoredToken?, StoreError> { seal.opening(store.load(name), name) }

    package func list() -> Attempt<[TokenName], StoreError> { store.list() }

    package func revision(of name: TokenName) -> Revision? { store.revision(of: name) }

    package func tryHold(_ name: TokenName, waits: Bool) -> Attempt<any HeldToken, StoreError> {
        store.tryHold(name, waits: waits).reading { [seal] (held) throws(StoreError) in
            HeldSealedToken(held: held, seal: seal, name: name)
        }
    }
}

extension Seal {
    fileprivate func opening(
        _ token: Attempt<StoredToken?, StoreError>, _ name: TokenName
    ) -> Attempt<StoredToken?, StoreError> {
        token.reading { (token) throws(StoreError) in
            guard let token else { return nil }
            return StoredToken(bytes: try opening(token.bytes, name), revision: token.revision)
        }
    }
}

final class HeldSealedToken: HeldToken {
    private let held: any HeldToken
    private let seal: Seal
    private let name: TokenName

    var lock: StoreLock { held.lock }

    init(held: any HeldToken, seal: Seal, name: TokenName) { (self.held, self.seal, self.name) = (held, seal, name) }

    func load() -> Attempt<StoredToken?, StoreError> { seal.opening(held.load(), name) }

    func reserve(_ count: Int) throws(StoreError) { try held.reserve(seal.size(of: count)) }

    func releaseRoom() { held.releaseRoom() }

    func save(_ bytes: [UInt8], over revision: Revision?) -> Attempt<Void, StoreError> {
        held.load().then { [held, seal, name] result in
            attempting { () throws(StoreError) in
                switch result {
                // A token that cannot be opened is not replaced.
                case .success(let kept?): _ = try seal.opening(kept.bytes, name)
                // One that its helper cannot give now is no reason to lose the new one.
                case .success(nil), .failure(.helper): break
                case .failure(let error): throw error
                }
                return held.save(try seal.sealing(bytes, name), over: revision)
            }
        }
    }

    func remove() -> Attempt<Bool, StoreError> { held.remove() }
}
