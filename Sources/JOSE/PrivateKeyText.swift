internal import Wire

/// The text of a private key: a JSON Web Key, a set of them, or PEM (RFC 7468), where certificates may stand beside it.
package struct PrivateKeyText: Sendable {
    private let form: Form

    private enum Form {
        /// The keys of a set, or one.
        case keys([JSONObject])
        /// The first block that holds a private key, and its label.
        case pem(String, label: String)
    }

    /// - Throws: `JOSEError.keyInvalid` for a text without a private key.
    package init(_ text: String) throws(JOSEError) {
        if text.utf8.first(where: { !" \t\r\n".utf8.contains($0) }) == UInt8(ascii: "{") {
            guard let object = (try? JSON(parsing: Array(text.utf8)))?.object else {
                throw .keyInvalid("it is not JSON")
            }
            guard let set = object["keys"] else {
                form = .keys([object])
                return
            }
            guard let keys = set.array?.compactMap(\.object), !keys.isEmpty, keys.count == set.array?.count else {
                throw .keyInvalid("keys of the set is not an array of keys")
            }
            form = .keys(keys)
        } else {
            form = try Self.block(in: text)
        }
    }

    /// The first private key: users have files with a certificate or parameters in front.
    private static func block(in text: String) throws(JOSEError) -> Form {
        var (label, block, labels) = (String?.none, "", [String]())
        for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            let line = line.trimmingSpaces
            if label == nil, let name = line.between("-----BEGIN ", "-----") {
                labels.append(String(name))
                if name.hasSuffix("PRIVATE KEY") { label = String(name) }
            }
            guard let current = label else { continue }
            block += line + "\n"
            if line == "-----END \(current)-----" { return .pem(block, label: current) }
        }
        if let label { throw .keyInvalid("the PEM block \(label) has no end") }
        throw .keyInvalid(
            labels.isEmpty
                ? "it is neither PEM nor a JSON Web Key" : "the PEM file has \(labels[0]), but no private key")
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
        case .pem(let block, let label):
            let key = try PrivateKey(pem: block, label: label, passPhrase: passPhrase)
            return ReadKey(key: key, keyID: keyID, algorithm: nil)
        case .keys(let keys):
            let members = try Self.chosen(among: keys, keyID, use)
            let algorithm = members["alg"]?.string
            return ReadKey(
                key: try PrivateKey(jwk: members), keyID: keyID ?? members["kid"]?.string, algorithm: algorithm)
        }
    }

    private static func chosen(
        among keys: [JSONObject], _ keyID: String?, _ use: String
    ) throws(JOSEError) -> JSONObject {
        if keys.count == 1 {
            guard keys[0]["use"].map({ $0 == .string(use) }) ?? true else {
                throw .keyInvalid("its use is \((keys[0]["use"] ?? .null).text), not \(use)")
            }
            return keys[0]
        }
        let fitting = keys.filter { key in
            let isNamed = keyID.map { key["kid"] == .string($0) } ?? true
            return isNamed && key["use"].map { $0 == .string(use) } ?? true && key["d"] != nil
        }
        guard let first = fitting.first else {
            throw .keyInvalid(
                "the set has no private key\(keyID.map { " with the kid \(JSON.string($0).text)" } ?? "")")
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

extension Substring {
    fileprivate var trimmingSpaces: Substring {
        var text = self
        while text.first == " " || text.first == "\t" || text.first == "\u{FEFF}" { text.removeFirst() }
        while text.last == " " || text.last == "\t" { text.removeLast() }
        return text
    }

    fileprivate func between(_ start: String, _ end: String) -> Substring? {
        guard hasPrefix(start), hasSuffix(end), count > start.count + end.count else { return nil }
        return dropFirst(start.count).dropLast(end.count)
    }
}
