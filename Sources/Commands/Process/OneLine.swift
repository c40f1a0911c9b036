/// A value of one line, as a variable, a file, or a program in `$(…)` gives it.
enum OneLine {
    /// The value without one line end, LF or CR LF.
    ///
    /// - Parameter noun: what the value is.
    /// - Throws: exit 3 for any other control character; the message has the place, and not the value.
    static func value(_ text: String, in place: String, as noun: String = "value") throws(Failure) -> String {
        let value = withoutEnd(text)
        if let failure = TextEncoding.failure(for: Array(value.utf8.prefix(3)), in: place) { throw failure }
        guard value.hasControlCharacter else { return value }
        let lines = value.utf8.count { $0 == 0x0A } + 1
        throw Failure(
            .badInput, .usage,
            lines > 1 ? "\(place) has \(lines) lines; a \(noun) is one line" : "\(place) holds a control character",
            hint: "give only the \(noun), with at most one line end after it")
    }

    /// The text without one line end.
    static func withoutEnd(_ text: String) -> String {
        // Swift takes CR LF for one character.
        text.hasSuffix("\n") || text.hasSuffix("\r\n") ? String(text.dropLast()) : text
    }
}
