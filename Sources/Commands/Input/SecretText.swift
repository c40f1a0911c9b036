internal import OAuth
internal import Wire

/// The text of a secret, as files, pipes, variables and programs give it.
enum SecretText {
    /// The most bytes of a secret; real ones are far shorter.
    static let limit = 1 << 16

    /// The secret in a file; see ``SecretFile``.
    static func read(_ path: String, as name: String, _ diagnostics: Diagnostics) throws(Failure) -> String {
        try value(of: try SecretFile.read(path, limit: limit, diagnostics), in: path, as: name)
    }

    static func value(of bytes: [UInt8], in path: String, as name: String) throws(Failure) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw Failure(.badInput, .usage, "\(path) is not UTF-8")
        }
        if name == ClientCredential.secret.member, let json = (try? JSON(parsing: bytes))?.object {
            let hint = "the file must contain only the secret; to store a client document: oap profile set NAME < FILE"
            let isGoogle = json["installed"] != nil || json["web"] != nil
            throw Failure(
                .badInput, .usage, "\(path) is not a secret, but a JSON object\(isGoogle ? " of Google's client" : "")",
                hint: hint)
        }
        let value = try check(text, in: path, as: name)
        guard !value.isEmpty else { throw Failure(.badInput, .usage, "\(path) is empty") }
        return value
    }

    /// Removes one line end from the end of a value, and refuses any other control character. A key may have many lines.
    static func check(_ text: String, in place: String, as name: String) throws(Failure) -> String {
        guard ![ClientCredential.key.member, DPoPBinding.keyMember].contains(name) else { return text }
        var bytes = Array(text.utf8)
        if bytes.last == 0x0A {
            bytes.removeLast()
            if bytes.last == 0x0D { bytes.removeLast() }
        }
        guard bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
            let lines = bytes.count { $0 == 0x0A } + 1
            throw Failure(
                .badInput, .usage,
                lines > 1 ? "\(place) has \(lines) lines; a secret is one line" : "\(place) holds a control character",
                hint: "give only the secret, with at most one line end after it")
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
