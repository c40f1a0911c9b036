/// How headings, and the names of options and commands are shown.
package enum Emphasis: Sendable {
    /// As any other text.
    case none
    /// In bold, as a terminal does it (SGR 1, ECMA-48 §8.3.117).
    case bold

    /// That of standard output: bold on a terminal of a known type, unless the user wants none (no-color.org).
    ///
    /// - Parameter variable: the value of an environment variable; nil or empty if it is not set.
    package init(isTerminal: Bool, _ variable: (String) -> String?) {
        let type = variable("TERM") ?? ""
        let showsBold = isTerminal && !type.isEmpty && type != "dumb"
        self = showsBold && (variable("NO_COLOR") ?? "").isEmpty ? .bold : .none
    }

    func mark(_ text: String) -> String { self == .bold ? "\u{1B}[1m\(text)\u{1B}[0m" : text }
}

extension StringProtocol {
    /// The columns that the text takes: its characters without the sequences of ``Emphasis``.
    var columns: Int {
        // Each byte of ASCII is a character, except in a line end of two.
        guard utf8.contains(where: { $0 >= 0x80 || $0 == 0x1B || $0 == 0x0D }) else { return utf8.count }
        guard utf8.contains(0x1B) else { return count }
        let pieces = split(separator: "\u{1B}", omittingEmptySubsequences: false)
        return pieces.dropFirst().reduce(pieces[0].count) { $0 + $1.drop { $0 != "m" }.dropFirst().count }
    }
}
