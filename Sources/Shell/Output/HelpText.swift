package import CommandSpec
internal import Glibc
internal import System

/// Shows help: as wide as the terminal, with bold headings on one, in ASCII without a UTF-8 locale, and a long text in a
/// pager.
package enum HelpText {
    /// With `isLong` a terminal gets it in a pager; `text` makes it for a number of columns.
    package static func show(
        isLong: Bool, in environment: Environment, _ text: (_ width: Int, Emphasis) -> String
    ) throws(Failure) {
        if isLong, Terminal.isTerminal(1), let pager = pager(environment) {
            let shown = self.text(on: 1, in: environment) { text($0, pager.showsBold ? $1 : .none) }
            if page(shown, with: pager.words) { return }
        }
        try ByteSink.print(self.text(on: 1, in: environment, text))
    }

    /// The text as a descriptor shows it.
    package static func text(
        on descriptor: Int32, in environment: Environment, _ text: (_ width: Int, Emphasis) -> String
    ) -> String {
        let width = TextLayout.width(on: TerminalSize.columns(of: descriptor))
        let emphasis = Emphasis(isTerminal: Terminal.isTerminal(descriptor)) { try? environment.value($0) }
        return LocaleText.plain(text(width, emphasis), in: environment, isOwn: true)
    }

    /// The words of the pager: the command in `PAGER`, which a shell runs as man(1) has it, else less(1) or more(1), if
    /// one is installed. Nil for none, which an empty `PAGER` and a dumb terminal ask for too. Only less(1) is known to
    /// show bold text, with `-R`.
    private static func pager(_ environment: Environment) -> (words: [String], showsBold: Bool)? {
        guard (try? environment.value("TERM")).flatMap({ $0 }) != "dumb" else { return nil }
        if let command = (try? environment.text("PAGER")).flatMap({ $0 }) {
            let first = command.split(separator: " ").first.map(String.init) ?? "cat"
            let isMissing = first.utf8.allSatisfy(isPlain) && ProgramSearch.obstacle(to: first) != nil
            let isNone = command.split(separator: " ").allSatisfy { $0 == "cat" }
            guard !isMissing, !isNone else { return nil }
            let isSimple = command.utf8.allSatisfy { $0 == UInt8(ascii: " ") || isPlain($0) }
            let isLess = isSimple && (first == "less" || first.hasSuffix("/less"))
            return (["/bin/sh", "-c", command + (isLess ? " -R" : "")], isLess)
        }
        let known = [(words: ["less", "-R"], showsBold: true), (words: ["more"], showsBold: false)]
        return known.first { ProgramSearch.obstacle(to: $0.words[0]) == nil }
    }

    /// Whether a byte means itself to a shell.
    private static func isPlain(_ byte: UInt8) -> Bool { byte.isASCIILetterOrDigit || "/._+-".utf8.contains(byte) }

    /// Shows a text in a pager until the user ends it.
    ///
    /// - Returns: whether the pager was started; the statuses 126 and 127 are a shell's for a command that was not.
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
        let sink = ByteSink(descriptor: output.number, name: "the pager")
        _ = try? sink.write(Array(text.utf8))
        _ = try? sink.flush()
        pipe.close()
        return ![126, 127].contains(pager.wait())
    }
}
