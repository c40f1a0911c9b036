internal import CommandSpec
internal import Glibc
internal import System

/// Shows help: as wide as the terminal, in ASCII without a UTF-8 locale, and a long text in a pager.
enum HelpText {
    /// Prints a text.
    ///
    /// - Parameters:
    ///   - isLong: whether a terminal gets it in a pager.
    ///   - text: makes the text for a number of columns.
    /// - Throws: exit 11.
    static func show(
        isLong: Bool, in environment: Environment, _ text: (_ width: Int) -> String
    ) throws(Failure) {
        let columns = Terminal.isTerminal(1) ? Terminal.size(of: 1)?.columns : nil
        let width = columns.map { max(24, min(TextLayout.width, $0)) } ?? TextLayout.width
        let text = printable(text(width), in: environment)
        if isLong, Terminal.isTerminal(1), let pager = pager(environment), page(text, with: pager) { return }
        try ByteSink.print(text)
    }

    /// The text for the character set of the locale (locale(7)): any, or ASCII.
    static func printable(_ text: String, in environment: Environment) -> String {
        let names = ["LC_ALL", "LC_CTYPE", "LANG"]
        let locale = names.lazy.compactMap { (try? environment.value($0)) ?? nil }.first ?? ""
        let isUTF8 = ["utf-8", "utf8"].contains { locale.lowercased().hasSuffix($0) }
        return isUTF8 || text.utf8.allSatisfy { $0 < 0x80 } ? text : text.map { substitutes[$0] ?? $0.ascii }.joined()
    }

    private static let substitutes: [Character: String] = [
        "…": "...", "→": "->", "§": "section", "‹": "<", "›": ">", "–": "-", "’": "'", "“": "\"", "”": "\"",
    ]

    /// The words of the pager: `PAGER`, else less(1) and more(1), the first that is installed. Nil for none, which an empty
    /// `PAGER` and a dumb terminal ask for too.
    private static func pager(_ environment: Environment) -> [String]? {
        guard (try? environment.value("TERM")).flatMap({ $0 }) != "dumb" else { return nil }
        let words = (try? environment.text("PAGER")).flatMap { $0 }?.split(separator: " ").map(String.init)
        let candidates = words.map { [$0] } ?? [["less"], ["more"]]
        return candidates.first { !$0.isEmpty && $0 != ["cat"] && ProgramSearch.obstacle(to: $0[0]) == nil }
    }

    /// Shows a text in a pager until the user ends it.
    ///
    /// - Returns: whether the pager was started.
    private static func page(_ text: String, with words: [String]) -> Bool {
        // As git does it: a text that fits on the screen needs no key.
        let less = getenv("LESS") == nil ? ["LESS=FRX"] : []
        var start = ProgramStart(words, variables: Environment.forOtherPrograms + less)
        guard var pipe = try? Pipe(), let (input, output) = pipe.ends else { return false }
        start.streams = .given(input: input, output: FileDescriptor(1))
        guard let pager = try? start.start() else { return false }
        // A user who interrupts the pager, or leaves it early, ends neither this process before the pager nor with a message.
        signal(SIGINT, SIG_IGN)
        signal(SIGPIPE, SIG_IGN)
        pipe.closeReading()
        var sink = ByteSink(descriptor: output.number, name: "the pager")
        _ = try? sink.write(Array(text.utf8))
        _ = try? sink.flush()
        pipe.close()
        _ = pager.wait()
        return true
    }
}

extension Character {
    /// The character if it is ASCII, else a question mark.
    fileprivate var ascii: String { isASCII ? String(self) : "?" }
}
