internal import CommandSpec
internal import Redaction
internal import Wire

/// A token that was given where a name is wanted: messages that repeat the name would show it.
enum MistakenToken {
    /// How many characters are shown, so that it is recognised.
    private static let shown = 6
    private static let prefixes = ["eyJ", "gho_", "ghp_", "ghr_", "ghs_", "ghu_", "github_pat_", "glpat-"]

    /// Masks the operands and names of a command line that look like tokens.
    static func mask(in arguments: Arguments, by redactor: Redactor) {
        mask(arguments.operands + arguments.values(GeneralOption.profile), by: redactor)
    }

    /// Masks the words of a command line that look like tokens.
    static func mask(_ words: [String], by redactor: Redactor) {
        for word in words where isLike(word) { redactor.add(String(word.dropFirst(shown))) }
    }

    /// Whether a word that could be a name has the form of a token: a known beginning, or more than 30 characters with
    /// digits, letters of both cases, and no short words with separators between them.
    private static func isLike(_ word: String) -> Bool {
        let utf8 = word.utf8
        guard utf8.count > 20, utf8.allSatisfy({ $0.isASCIILetterOrDigit || "._@:-".utf8.contains($0) }) else {
            return false
        }
        if prefixes.contains(where: word.hasPrefix) { return true }
        let ranges: [ClosedRange<UInt8>] = [0x30...0x39, 0x41...0x5A, 0x61...0x7A]
        let longest = utf8.split { !$0.isASCIILetterOrDigit }.map(\.count).max() ?? 0
        return utf8.count > 30 && longest >= 12 && ranges.allSatisfy { range in utf8.contains(where: range.contains) }
    }
}
