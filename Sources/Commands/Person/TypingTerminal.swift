internal import Glibc
internal import System

/// The controlling terminal, independent of the standard streams.
struct TypingTerminal: ~Copyable {
    private let terminal: OpenFile

    /// Opens the terminal of the process, and lets lines be longer than the 4,095 bytes that a terminal collects: a
    /// redirected URL may be.
    ///
    /// - Throws: exit 8 if there is none.
    init() throws(Failure) {
        var mode = termios()
        guard let terminal = try? OpenFile("/dev/tty", O_RDWR | O_NOCTTY),
            tcgetattr(terminal.descriptor.number, &mode) == 0
        else {
            throw Failure(
                .loginNeeded, .loginNeeded, "there is no terminal to paste on",
                hint: "run the command in a terminal, or use --device")
        }
        var own = mode
        own.c_lflag &= ~tcflag_t(ICANON)
        TerminalMode.hold(terminal.descriptor.number, own: own, others: mode)
        self.terminal = terminal
    }

    deinit { TerminalMode.release() }

    /// Reads a line. The last character is taken back with the backspace key, all with Ctrl-U.
    ///
    /// - Returns: the line without its end, and without the marks that a terminal or the user puts around pasted
    ///   text; nil at the end of input.
    /// - Throws: exit 11 if the terminal is gone, exit 3 for a line of more than a mebibyte.
    func line() throws(Failure) -> String? {
        var line: [UInt8] = []
        while true {
            let next = try Failure.system("cannot read the terminal", try terminal.descriptor.read(upTo: 1))
            guard let byte = next.first else { return nil }
            switch byte {
            case 0x0A, 0x0D: return Self.unmarked(line)
            case 0x04 where line.isEmpty: return nil
            case 0x08, 0x7F:
                while let last = line.popLast(), last & 0xC0 == 0x80 {}
            case 0x15: line = []
            default:
                line.append(byte)
                guard line.count <= InputFile.textLimit else {
                    throw Failure(.badInput, .parse, "what was pasted is too long")
                }
            }
        }
    }

    /// The line without the marks of a bracketed paste, white space, and the quotes or brackets of a text around it.
    static func unmarked(_ line: [UInt8]) -> String {
        let text = String(decoding: line, as: UTF8.self).replacing("\u{1B}[200~", with: "").replacing(
            "\u{1B}[201~", with: "")
        let isMark = { (character: Character) in character.isWhitespace || "'\"<>‹›".contains(character) }
        return String(text.drop(while: isMark).reversed().drop(while: isMark).reversed())
    }
}
