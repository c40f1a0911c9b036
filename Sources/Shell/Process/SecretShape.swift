internal import Glibc
internal import Redaction
internal import System
internal import Wire

/// Whether a word that somebody gave looks like a secret that belongs elsewhere: a message must not show it then.
package enum SecretShape {
    /// The characters of a name of a file that may be a secret instead.
    private static let longestName = 20
    /// How many characters of a secret are shown, so that it is recognised.
    package static let shown = 6
    private static let prefixes = [
        "eyJ", "gho_", "ghp_", "ghr_", "ghs_", "ghu_", "github_pat_", "glpat-", "xoxb-", "xoxp-", "GOCSPX-", "sk_live_",
        "ya29.", "-----BEGIN",
    ]

    /// Whether a word has the form of a token: a known beginning, a long run of letters and digits, nothing but 24 digits or
    /// small letters, or more than 30 characters with digits, letters of both cases, and no short words with separators
    /// between them.
    package static func isToken(_ word: String) -> Bool {
        let utf8 = word.utf8
        guard utf8.count >= 20, !word.contains("://") else { return false }
        if prefixes.contains(where: word.hasPrefix) { return true }
        let runs = utf8.split { !$0.isASCIILetterOrDigit }
        let ranges: [ClosedRange<UInt8>] = [0x30...0x39, 0x41...0x5A, 0x61...0x7A]
        let kinds = { (text: Substring.UTF8View) in ranges.count { range in text.contains(where: range.contains) } }
        if runs.contains(where: { $0.count >= 20 && $0.contains(where: ranges[0].contains) && kinds($0) > 1 }) {
            return true
        }
        if utf8.count >= 24, utf8.allSatisfy(ranges[0].contains) || utf8.allSatisfy(ranges[2].contains) { return true }
        return utf8.count > 30 && (runs.map(\.count).max() ?? 0) >= 12 && kinds(word[...].utf8) == 3
    }

    /// What may be secret in a word that is no token as a whole: private keys, a user's password, parameters and members
    /// that are credentials by their names, and tokens between other signs.
    package static func parts(of word: String) -> [String] {
        let bytes = Array(word.utf8)
        let named = SensitiveParts.namedParameters(in: bytes) + SensitiveParts.namedMembers(in: bytes)
        let start = word.prefix { "abcdefghijklmnopqrstuvwxyz0123456789+.-".contains($0) }
        let rest = word[start.endIndex...]
        // An address and a path may be made of digests.
        let isPlace =
            ["/", "~/"].contains(where: word.hasPrefix) || rest.hasPrefix("://")
            || start.contains(".") && [":", "/"].contains(where: rest.hasPrefix)
        let pieces = word.utf8.split { !$0.isASCIILetterOrDigit && !"+/=_-~.".utf8.contains($0) }
        let tokens = pieces.compactMap(String.init).filter {
            ($0.isAbsolutePath ? isNoPath($0, isSecrets: false) : isToken($0))
                && (!isPlace || prefixes.contains(where: $0.hasPrefix))
        }
        let key = word.firstRange(of: "-----BEGIN").map { String(word[$0.lowerBound...]) }
        return (tokens + (key.map { [$0] } ?? [])).map { String($0.dropFirst(shown)) }
            + named.map { String(decoding: bytes[$0.range], as: UTF8.self) }.filter { $0.utf8.count >= shown }
            + (password(in: word).map { [$0] } ?? [])
    }

    /// What follows the first colon in what may be a user and a password; nil for a port, in a filter, and for so little
    /// that it is no password.
    package static func password(in word: String) -> String? {
        guard let user = word.userBeforeHost, !user.contains(where: { "{}[]()|\"".contains($0) }),
            let colon = user.prefix(while: { !"/?#".contains($0) }).firstIndex(of: ":")
        else { return nil }
        let text = user[colon...].dropFirst()
        let port = text.prefix(while: \.isNumber)
        let isPort = !port.isEmpty && text[port.endIndex...].hasPrefix("/")
        return isPort || text.utf8.count < shown ? nil : String(text)
    }

    /// Whether what was given as the name of a file is none, and may be something that no message should show.
    ///
    /// - Parameter isSecrets: whether the file would hold a secret: a word is more likely to be one than to be a path with
    ///   an error, unless it ends as names of files do.
    package static func isNoPath(_ text: String, isSecrets: Bool) -> Bool {
        guard text != "-", !text.isEmpty, access(text, F_OK) != 0 else { return false }
        guard text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }), text.utf8.count < 4096, !text.contains("://"),
            !text.hasPrefix("{"), !text.hasPrefix("-----")
        else { return true }
        let folder = text.folderPrefix
        let top = text.isAbsolutePath ? "/\(DescriptorPath.names(of: text).first ?? "")" : folder
        let isThere = folder.utf8.count > 1 && (access(folder, F_OK) == 0 || access(top, F_OK) == 0)
        let name = String(text.dropFirst(folder.count))
        let (parts, ending) = (
            isThere ? [name] : text.split(separator: "/").map(String.init), name.split(separator: ".")
        )
        if ending.count > 1 && endings.contains(String(ending[ending.count - 1])) { return false }
        if parts.contains(where: { isToken($0) || $0.utf8.count > 255 }) || !isThere && isToken(text) { return true }
        let hasSigns = { (text: String) in text.utf8.contains { "+=%&!$*?#;|<>".utf8.contains($0) } }
        if isThere || text.hasPrefix("./") || text.hasPrefix("../") { return isSecrets && hasSigns(name) }
        guard text.isAbsolutePath else { return isSecrets || hasSigns(text) }
        return isSecrets && (hasSigns(text) || name.utf8.count >= longestName)
    }

    private static let endings: Set = [
        "cer", "conf", "crt", "der", "env", "jq", "json", "jwk", "jwks", "jwt", "key", "p12", "p8", "pass", "pem",
        "pfx", "secret", "token", "toml", "txt", "yaml", "yml",
    ]
}
