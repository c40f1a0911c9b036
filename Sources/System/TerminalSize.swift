internal import Glibc

package enum TerminalSize {
    /// The size in characters (ioctl_tty(2)); nil if the descriptor is no terminal, or the terminal does not say.
    package static func of(_ descriptor: Int32) -> (rows: Int, columns: Int)? {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return (size.ws_row > 0 ? Int(size.ws_row) : .max, Int(size.ws_col))
    }

    /// The characters of a line: `COLUMNS`, as in man(1), else what the terminal says; nil for no terminal.
    package static func columns(of descriptor: Int32) -> Int? {
        guard isatty(descriptor) == 1 else { return nil }
        let wanted = getenv("COLUMNS").flatMap { Int(String(cString: $0)) }
        return wanted.flatMap { $0 > 0 ? $0 : nil } ?? of(descriptor)?.columns
    }
}
