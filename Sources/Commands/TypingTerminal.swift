internal import Glibc

/// The terminal at which a person sits, whatever the standard streams are.
struct TypingTerminal: ~Copyable {
    private let descriptor: Int32
    private let mode: termios

    /// Opens the terminal of the process, and lets lines be longer than the 4,095 bytes that a terminal collects: a
    /// redirected URL may be.
    ///
    /// - Throws: exit 8 where there is none.
    init() throws(Failure) {
        descriptor = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
        var mode = termios()
        guard descriptor >= 0, tcgetattr(descriptor, &mode) == 0 else {
            if descriptor >= 0 { close(descriptor) }
            throw Failure(
                .loginNeeded, "reauth_required", "there is no terminal to paste on",
                hint: "run it in a terminal, or say --device")
        }
        self.mode = mode
        Signals.restoreAtDeath(terminal: descriptor, mode)
        mode.c_lflag &= ~tcflag_t(ICANON)
        tcsetattr(descriptor, TCSANOW, &mode)
    }

    deinit {
        var mode = mode
        tcsetattr(descriptor, TCSANOW, &mode)
        Signals.restoreAtDeath(terminal: nil, mode)
        close(descriptor)
    }

    /// Reads a line. A character is taken back with the backspace key.
    ///
    /// - Returns: the line without its end; nil at the end of what is typed.
    /// - Throws: exit 11 where the terminal is gone, exit 3 for a line that is no text or longer than a mebibyte.
    func line() throws(Failure) -> String? {
        var line: [UInt8] = []
        while true {
            var byte: UInt8 = 0
            let count = read(descriptor, &byte, 1)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .file("cannot read the terminal: \(FileAccess.reason())") }
            guard count > 0 else { return nil }
            switch byte {
            case 0x0A, 0x0D:
                guard let text = String(validating: line, as: UTF8.self) else {
                    throw Failure(.badInput, "parse", "what was pasted is not UTF-8")
                }
                return text
            case 0x04 where line.isEmpty: return nil
            case 0x08, 0x7F: _ = line.popLast()
            case 0x15: line = []
            default:
                line.append(byte)
                guard line.count <= Secrets.limit else {
                    throw Failure(.badInput, "parse", "what was pasted is too long")
                }
            }
        }
    }
}
