package import OAuth

/// A line that the user types at a terminal that collects none (``TerminalMode``), byte by byte. The last character is
/// taken back with the backspace key, all with Ctrl-U.
package struct TypedLine {
    /// What a byte ends.
    package enum End {
        /// A line, without its end and without marks around it.
        case line(String)
        /// The input: Ctrl-D at the beginning of a line.
        case input
    }

    private var bytes: [UInt8] = []

    package init() {}

    /// Takes the next byte; nil while the line goes on.
    ///
    /// - Throws: exit 3 for a line of more than a mebibyte, which is forgotten.
    package mutating func take(_ byte: UInt8) throws(Failure) -> End? {
        switch byte {
        case 0x0A, 0x0D:
            defer { bytes = [] }
            return .line(unmarked)
        case 0x04 where bytes.isEmpty: return .input
        case 0x08, 0x7F:
            while let last = bytes.popLast(), last & 0xC0 == 0x80 {}
        case 0x15: bytes = []
        default:
            bytes.append(byte)
            guard bytes.count <= InputFile.textLimit else {
                bytes = []
                throw Failure(.badInput, .parse, "what was pasted is too long")
            }
        }
        return nil
    }

    /// The line without the marks of a bracketed paste, white space, and the quotes or brackets of a text around it.
    private var unmarked: String {
        let text = String(decoding: bytes, as: UTF8.self).replacing("\u{1B}[200~", with: "").replacing(
            "\u{1B}[201~", with: "")
        let isMark = { (character: Character) in character.isWhitespace || "'\"<>‹›".contains(character) }
        return String(text.drop(while: isMark).reversed().drop(while: isMark).reversed())
    }
}

/// A URL that was wrapped before it was copied, and arrives as several lines.
package struct WrappedText {
    private var lines = ""

    package init() {}

    /// Reads the next line, which may be the end of a text that has begun.
    package mutating func read<Value>(
        _ line: String, by read: (String) throws(OAuthError) -> Value
    ) throws(OAuthError) -> Value {
        lines = line.contains(":/") ? line : lines + line
        do throws(OAuthError) {
            return try read(line)
        } catch {
            guard error.kind != .authorization, lines != line, let value = try? read(lines) else { throw error }
            return value
        }
    }
}
