internal import Glibc
internal import System

/// The controlling terminal, independent of the standard streams.
package struct TypingTerminal: ~Copyable {
    private let terminal: OpenFile

    /// Opens the terminal of the process, which collects no lines from now on.
    ///
    /// - Throws: exit 8 if there is none.
    package init() throws(Failure) {
        guard let terminal = try? OpenFile("/dev/tty", O_RDWR | O_NOCTTY),
            TerminalMode.holdWithoutLines(terminal.descriptor.number)
        else {
            throw Failure(
                .loginNeeded, .loginNeeded, "there is no terminal to paste on",
                hint: "run the command in a terminal, or use --device")
        }
        self.terminal = terminal
    }

    deinit { TerminalMode.release() }

    /// Nil at the end of input; exit 11 if the terminal is gone, exit 3 for a line of more than a mebibyte.
    package func line() throws(Failure) -> String? {
        var line = TypedLine()
        while true {
            let next = try Failure.system("cannot read the terminal", try terminal.descriptor.read(upTo: 1))
            guard let byte = next.first else { return nil }
            switch try line.take(byte) {
            case .line(let text): return text
            case .input: return nil
            case nil: continue
            }
        }
    }
}
