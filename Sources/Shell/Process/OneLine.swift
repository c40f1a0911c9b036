/// A value of one line, as a variable, a file, or a program in `$(…)` gives it.
package enum OneLine {
    /// The value without one line end, LF or CR LF.
    ///
    /// - Parameter noun: what the value is.
    /// - Throws: exit 3 for any other character that nobody sees; the message has the place, and not the value.
    package static func value(_ text: String, in place: String, as noun: String = "value") throws(Failure) -> String {
        let value = withoutEnd(text)
        guard let unseen = value.unseenCharacter else { return value }
        let lines = value.utf8.count { $0 == 0x0A } + 1
        throw Failure(
            .badInput, .usage,
            lines > 1 ? "\(place) has \(lines) lines; a \(noun) is one line" : "\(place) holds \(unseen)",
            hint: "give only the \(noun), with at most one line end after it")
    }

    /// The text without one line end.
    static func withoutEnd(_ text: String) -> String {
        // Swift takes CR LF for one character.
        text.hasSuffix("\n") || text.hasSuffix("\r\n") ? String(text.dropLast()) : text
    }
}

/// Texts of another encoding than UTF-8, as editors and PowerShell write them.
package enum TextEncoding {
    /// The failure for a text that begins as in another encoding; nil for any other text.
    package static func failure(for bytes: [UInt8], in place: String, _ exit: Exit = .badInput) -> Failure? {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
            let hint = #"without it: sed '1s/^\xEF\xBB\xBF//' FILE"#
            return Failure(exit, .parse, "\(place) begins with a byte order mark", hint: hint)
        }
        let forms: [(start: [UInt8], name: String)] = [
            ([0xFF, 0xFE], "UTF-16"), ([0xFE, 0xFF], "UTF-16"), ([0x7B, 0], "UTF-16LE"), ([0, 0x7B], "UTF-16BE"),
        ]
        guard let name = forms.first(where: { bytes.starts(with: $0.start) })?.name else { return nil }
        return Failure(
            exit, .parse, "\(place) is \(name) text, not UTF-8", hint: "iconv -f \(name) -t UTF-8 FILE")
    }
}
