internal import OAuth
internal import System
internal import Wire
package import Shell

/// The text of a secret, as files, pipes, variables and programs give it.
package enum SecretText {
    /// The most bytes of a secret; real ones are far shorter.
    package static let limit = 1 << 16
    /// The secrets that are private keys.
    package static let keys = [ClientCredential.key.member, DPoPBinding.keyMember]

    /// The secret in a file; see ``SecretFile``.
    package static func read(_ path: String, as name: String, _ diagnostics: Diagnostics) throws(Failure) -> String {
        try value(of: try SecretFile.read(path, limit: limit, diagnostics), in: path, as: name)
    }

    package static func value(of bytes: [UInt8], in path: String, as name: String) throws(Failure) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            if keys.contains(name), let form = ForeignKey.description(of: bytes) {
                throw Failure(.badInput, .usage, "\(path) cannot be used: \(form)")
            }
            throw TextEncoding.failure(for: bytes, in: path) ?? Failure(.badInput, .usage, "\(path) is not UTF-8")
        }
        if !keys.contains(name), let failure = TextEncoding.failure(for: bytes, in: path) { throw failure }
        let value = try check(text, in: path, as: name)
        guard !value.isEmpty else { throw Failure(.badInput, .usage, "\(path) is empty") }
        return value
    }

    /// Removes one line end from the end of a value, and refuses any other control character, and a document in the place of
    /// a token: whoever names the files may not be who owns them. A key may have many lines.
    package static func check(_ text: String, in place: String, as name: String) throws(Failure) -> String {
        guard !keys.contains(name) else { return text }
        // The grant refuses an assertion that is none.
        if name != "assertion", text.utf8.first(where: { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }) == UInt8(ascii: "{")
        {
            try refuseDocument(text, in: place, as: name)
        }
        return try OneLine.value(text, in: place, as: "secret")
    }

    /// What is odd about a secret that would be sent, behind its place: it is more than the value, or less.
    ///
    /// - Parameter variable: the variable that holds it.
    static func oddity(of text: String, in variable: String? = nil) -> String? {
        let (name, value) = text.cut(at: "=") ?? ("", "")
        let word = name.hasPrefix("export ") ? String(name.dropFirst("export ".count)) : name
        let isName = word.utf8.allSatisfy { $0.isASCIILetterOrDigit || $0 == UInt8(ascii: "_") }
        let words = ["secret", "token", "password", "passphrase"]
        if isName, words.contains(where: word.asciiLowercased.contains), !value.isEmpty, !value.hasPrefix("=") {
            // Not the name itself, which is masked as a part of the secret.
            return "has the form NAME=VALUE: a secret is the value alone"
        }
        if text.count > 1, let quote = text.first, "\"'".contains(quote), text.last == quote {
            return "has quotes at both ends: a secret is the value alone"
        }
        guard let variable, text.isAbsolutePath, (try? FileStatus(at: text))?.isFile == true else { return nil }
        return "is the path of a file: \(variable)_FILE takes a path"
    }

    /// What a secret in a variable may be instead, once a server has refused it; nil for nothing else.
    static func doubt(of text: String, in variable: String?) -> String? {
        if let oddity = oddity(of: text, in: variable) { return oddity }
        guard let variable, text.isAbsolutePath, text.folderPrefix != "/",
            (try? FileStatus(at: text.folderPrefix)) != nil
        else { return nil }
        return "looks like the path of a file that is not there: \(variable)_FILE takes a path"
    }

    /// Refuses what begins as a JSON object in the place of a token, and a whole object in that of another secret.
    private static func refuseDocument(_ text: String, in place: String, as name: String) throws(Failure) {
        let json = (try? JSON(parsing: text))?.object
        let isWord = [ClientCredential.secret.member, "password"].contains(name) || name.hasSuffix("_passphrase")
        guard !isWord || json != nil else { return }
        let noun = isWord ? "secret" : "token"
        let owner = json?["installed"] != nil || json?["web"] != nil ? " of Google's client" : ""
        let other = isWord ? "to store a client document: oap profile set NAME < FILE" : "a document: --token-file FILE"
        throw Failure(
            .badInput, .usage, "\(place) is not a \(noun), but a JSON object\(owner)",
            hint: "the file must contain only the \(noun); \(other)")
    }
}
