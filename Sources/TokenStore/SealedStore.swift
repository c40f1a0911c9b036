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

    package func write(_ bytes: [UInt8], as name: TokenName) throws(StoreError) {
        _ = try read(name)
        guard let key else { return try store.write(bytes, as: name) }
        let sealed: String
        do throws(JOSEError) {
            sealed = try JSONWebEncryption.encrypt(
                bytes, key: key, header: ["cty": .string("json"), Self.nameMember: .string(name.text)])
        } catch {
            throw .unsealable(error.description)
        }
        try store.write(Array(sealed.utf8), as: name)
    }

    package func keepRoom(for count: Int, as name: TokenName) throws(StoreError) {
        try store.keepRoom(for: key == nil ? count : count * 2, as: name)
    }

    package func releaseRoom(as name: TokenName) { store.releaseRoom(as: name) }

    package func remove(_ name: TokenName) throws(StoreError) -> Bool { try store.remove(name) }

    package func names() throws(StoreError) -> [TokenName] { try store.names() }

    package func lock(_ name: TokenName) throws(StoreError) -> StoreLock { try store.lock(name) }

    private func opened(_ bytes: [UInt8], _ name: TokenName) throws(StoreError) -> [UInt8] {
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
