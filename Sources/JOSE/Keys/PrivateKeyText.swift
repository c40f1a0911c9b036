package import Wire

/// The text of a private key: a JSON Web Key, a set of them, PEM (RFC 7468), where certificates may stand beside it, or the
/// key file of a service account.
package struct PrivateKeyText: Sendable {
    private let form: Form
    /// The SHA-256 thumbprint of the first certificate beside the key, in Base64url (`x5t#S256`, RFC 7515 §4.1.8).
    package let certificateThumbprint: String?

    private enum Form {
        /// The keys of a set, or one.
        case keys([JSONObject])
        /// The first block that holds a private key.
        case pem(PEMBlock, keyID: String?)
    }

    /// - Throws: `JOSEError.keyInvalid` for a text without a private key.
    package init(_ text: String) throws(JOSEError) {
        if text.utf8.first(where: { !" \t\r\n".utf8.contains($0) }) == UInt8(ascii: "{") {
            guard let object = (try? JSON(parsing: Array(text.utf8)))?.object else {
                throw .keyInvalid("it is not JSON")
            }
            (form, certificateThumbprint) = (try Self.form(of: object), nil)
        } else {
            let blocks = PEMBlock.all(in: text)
            form = try Self.key(among: blocks, of: text)
            certificateThumbprint = Certificate.thumbprint(among: blocks)
        }
    }

    private static func form(of object: JSONObject) throws(JOSEError) -> Form {
        if let pem = object["private_key"]?.string {
            // The key file of a service account of Google.
            return try key(among: PEMBlock.all(in: pem), of: pem, object["private_key_id"]?.string)
        }
        guard let set = object["keys"] else { return .keys([object]) }
        guard let keys = set.array?.compactMap(\.object), !keys.isEmpty, keys.count == set.array?.count else {
            throw .keyInvalid("keys of the set is not an array of keys")
        }
        return .keys(keys)
    }

    /// The first private key: users have files with a certificate or parameters in front.
    private static func key(
        among blocks: [PEMBlock], of text: String, _ keyID: String? = nil
    ) throws(JOSEError) -> Form {
        let isKey = { (label: String) in label.hasSuffix("PRIVATE KEY") && !label.hasPrefix("OPENSSH") }
        guard let key = blocks.first(where: { isKey($0.label) }) else {
            throw .keyInvalid(
                ForeignKey.description(of: Array(text.utf8))
                    ?? blocks.first.map { "the PEM file has \($0.label), but no private key" }
                    ?? "it is neither PEM nor a JSON Web Key")
        }
        guard key.isWhole else { throw .keyInvalid("the PEM block \(key.label) has no end") }
        return .pem(key, keyID: keyID)
    }

    /// Whether a key of it may sign, as far as it says (RFC 7517 §4.2 to §4.4).
    package var signs: Bool {
        guard case .keys(let keys) = form else { return true }
        return keys.contains { key in
            let algorithm = key["alg"]?.string ?? ""
            return key["use"].map { $0 == .string("sig") } ?? true
                && key["key_ops"]?.strings.map { $0.contains("sign") } ?? true
                && !["RSA-OAEP", "RSA1_5", "ECDH-ES"].contains(where: algorithm.hasPrefix)
        }
    }

    /// Does something with the key that decrypts. Of a set that is the one with this `kid`, else each that fits in turn,
    /// until one succeeds: some servers name no key.
    ///
    /// - Parameter type: the `kty` of the key.
    /// - Throws: `JOSEError.keyInvalid` for a set without a key that fits; as ``key(passPhrase:keyID:)``, and the body.
    func withDecryptionKey<Value>(
        passPhrase: String?, keyID: String?, type: String,
        _ body: (borrowing PrivateKey) throws(JOSEError) -> Value
    ) throws(JOSEError) -> Value {
        guard case .keys(let keys) = form, keys.count > 1 else {
            return try body(try key(passPhrase: passPhrase, keyID: nil, use: "enc").take())
        }
        var fitting = keys.filter {
            $0["use"].map { $0 == .string("enc") } ?? true && $0["d"] != nil && $0["kty"]?.string == type
        }
        if let keyID {
            let named = fitting.filter { $0["kid"] == .string(keyID) }
            if !named.isEmpty { fitting = named }
        }
        guard let last = fitting.popLast() else {
            throw .keyInvalid("the set has no private key of the type \(type) that decrypts")
        }
        for members in fitting {
            let key = try PrivateKey(jwk: members)
            do throws(JOSEError) { return try body(key) } catch {
                switch error {
                case .decryption, .keyMismatch: continue
                default: throw error
                }
            }
        }
        return try body(try PrivateKey(jwk: last))
    }

    /// The key that signs or decrypts.
    ///
    /// - Parameters:
    ///   - passPhrase: that of an encrypted PEM.
    ///   - keyID: the `kid`: of the key of a set, else of what the key signs; nil for the key's own.
    ///   - use: `sig` or `enc`; a key of a set that says another is not taken.
    /// - Throws: `JOSEError.keyInvalid` for several keys that fit, and for one that breaks its RFC; `.keyUnsupported`;
    ///   `.keyWeak`; `.passPhrase`; `.library`.
    func key(passPhrase: String?, keyID: String?, use: String = "sig") throws(JOSEError) -> ReadKey {
        switch form {
        case .pem(let block, let own):
            let key = try PrivateKey(pem: block, passPhrase: passPhrase)
            return ReadKey(key: key, keyID: keyID ?? own, algorithm: nil)
        case .keys(let keys):
            let members = try Self.chosen(among: keys, keyID, use)
            let algorithm = members["alg"]?.string
            return ReadKey(
                key: try PrivateKey(jwk: members), keyID: keyID ?? members["kid"]?.string, algorithm: algorithm)
        }
    }

    /// The public halves of a set's private keys beside the one that signs: a key that decrypts, or one that takes the place
    /// of the other. They have `kid`, `alg` and `use`.
    package func publicKeys(besides signing: JSONObject) throws(JOSEError) -> [JSONObject] {
        guard case .keys(let keys) = form else { return [] }
        let own = try? JSONWebKey(signing).publicMembers
        var found: [JSONObject] = []
        for key in keys where key["d"] != nil {
            let members = try JSONWebKey(key).publicMembers
            guard members != own else { continue }
            found.append(
                JSONObject(unique: members.members + key.members.filter { ["kid", "alg", "use"].contains($0.name) }))
        }
        return found
    }

    private static func chosen(
        among keys: [JSONObject], _ keyID: String?, _ use: String
    ) throws(JOSEError) -> JSONObject {
        let purpose = use == "sig" ? "signs" : "decrypts"
        if keys.count == 1 {
            guard keys[0]["use"].map({ $0 == .string(use) }) ?? true else {
                throw .keyInvalid("its use is \((keys[0]["use"] ?? .null).text): a key that \(purpose) is needed")
            }
            return keys[0]
        }
        let fitting = keys.filter { key in
            let isNamed = keyID.map { key["kid"] == .string($0) } ?? true
            return isNamed && key["use"].map { $0 == .string(use) } ?? true && key["d"] != nil
        }
        guard let first = fitting.first else {
            let name = keyID.map { " with the kid \(JSON.string($0).text)" } ?? ""
            throw .keyInvalid("the set has no private key that \(purpose)\(name)")
        }
        guard fitting.count == 1 else {
            throw .keyInvalid("the set has \(fitting.count) private keys that fit; its kid must choose one")
        }
        return first
    }
}

/// A private key as a file has it.
struct ReadKey: ~Copyable {
    let key: PrivateKey
    let keyID: String?
    /// The `alg` that the file names.
    let algorithm: String?

    consuming func take() -> PrivateKey { key }
}
