package import JOSE
internal import Wire

/// A store over another one that keeps everything as a JSON Web Encryption (oap-store(1)). Without a key it passes
/// everything on, and refuses what is sealed.
///
/// The name of a token is bound to it as `oap_name` in the protected header, so that none can be put in the place of
/// another. Nothing is stored over a token that cannot be read with this key.
package struct SealedStore: TokenStoring {
    private let store: any TokenStoring
    private let key: SymmetricKey?

    private static let nameMember = "oap_name"

    /// A store over another.
    ///
    /// - Parameter key: nil where nothing is to be sealed.
    package init(over store: any TokenStoring, key: SymmetricKey?) {
        self.store = store
        self.key = key
    }

    /// Reads the file of a key, a JSON Web Key.
    ///
    /// - Throws: `system`, `unsafe` where others can read it, `corrupt` where it is no key of 256 bits.
    package static func key(at path: String) throws(StoreError) -> SymmetricKey {
        guard let file = try PrivateFile.read(path, isStrict: false) else {
            throw .corrupt(path: path, reason: "the file of the key is missing")
        }
        guard !file.isOpenToOthers else { throw .unsafe(path: path, reason: "others can read the key") }
        guard let members = (try? JSON(parsing: file.bytes))?.object else {
            throw .corrupt(path: path, reason: "it is no JSON Web Key")
        }
        do throws(JOSEError) {
            return try SymmetricKey(members)
        } catch {
            throw .corrupt(path: path, reason: error.description)
        }
    }

    package func read(_ name: TokenName) throws(StoreError) -> [UInt8]? {
        guard let bytes = try store.read(name) else { return nil }
        return try opened(bytes, name)
    }

    package func names() throws(StoreError) -> [TokenName] { try store.names() }

    package func hold(_ name: TokenName) throws(StoreError) -> any HeldToken & ~Copyable {
        hold(try store.hold(name), name)
    }

    private func hold(
        _ held: consuming some HeldToken & ~Copyable, _ name: TokenName
    ) -> any HeldToken & ~Copyable {
        HeldSealedToken(held: held, store: self, name: name)
    }

    /// The bytes as they are kept.
    fileprivate func sealed(_ bytes: [UInt8], _ name: TokenName) throws(StoreError) -> [UInt8] {
        guard let key else { return bytes }
        do throws(JOSEError) {
            let header: JSONObject = ["cty": .string("json"), Self.nameMember: .string(name.text)]
            return Array(try JSONWebEncryption.encrypt(bytes, key: key, header: header).utf8)
        } catch {
            throw .unsealable(error.description)
        }
    }

    /// How many bytes are kept, at most, for so many.
    fileprivate func sealedCount(_ count: Int) -> Int { key == nil ? count : count * 2 }

    /// What was stored, from the bytes as they are kept.
    fileprivate func opened(_ bytes: [UInt8], _ name: TokenName) throws(StoreError) -> [UInt8] {
        // A header is a JSON object in base64url: `{` begins `e`, and no JSON begins so.
        let isSealed = bytes.first == UInt8(ascii: "e")
        guard let key else {
            guard !isSealed else { throw .sealed(name) }
            return bytes
        }
        guard isSealed || bytes.isEmpty else { throw .unsealed(name) }
        let (header, content): (JSONObject, [UInt8])
        do throws(DecryptionError) {
            let encryption = try JSONWebEncryption(
                parsing: String(decoding: bytes.last == 0x0A ? bytes.dropLast() : bytes[...], as: UTF8.self))
            (header, content) = (encryption.header, try encryption.decrypt(with: key))
        } catch {
            throw .unopened(name, reason: error.description)
        }
        guard header[Self.nameMember]?.string?.isIdentical(to: name.text) == true else {
            throw .unopened(name, reason: "it was sealed for another name")
        }
        return content
    }
}

/// A token of a store that seals, with the lock of the store below.
struct HeldSealedToken<Held: HeldToken & ~Copyable>: HeldToken, ~Copyable {
    fileprivate let held: Held
    fileprivate let store: SealedStore
    fileprivate let name: TokenName

    func read() throws(StoreError) -> [UInt8]? {
        guard let bytes = try held.read() else { return nil }
        return try store.opened(bytes, name)
    }

    func reserve(_ count: Int) throws(StoreError) { try held.reserve(store.sealedCount(count)) }

    func releaseRoom() { held.releaseRoom() }

    func write(_ bytes: [UInt8]) throws(StoreError) {
        _ = try read()
        try held.write(try store.sealed(bytes, name))
    }

    func remove() throws(StoreError) -> Bool { try held.remove() }
}
