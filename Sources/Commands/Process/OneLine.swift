internal import Wire

/// A value of one line, as a variable, a file, or a program in `$(…)` gives it.
enum OneLine {
    /// The value without one line end, LF or CR LF.
    ///
    /// - Parameter noun: what the value is.
    /// - Throws: a failure with this exit status for any other control character. It names the place, and not the value.
    static func value(
        _ text: String, in place: String, as noun: String = "value", exit: Exit = .badInput
    ) throws(Failure) -> String {
        guard text.hasControlCharacter else { return text }
        var bytes = Array(text.utf8)
        if bytes.last == 0x0A {
            bytes.removeLast()
            if bytes.last == 0x0D { bytes.removeLast() }
        }
        let value = String(decoding: bytes, as: UTF8.self)
        guard value.hasControlCharacter else { return value }
        let lines = bytes.count { $0 == 0x0A } + 1
        throw Failure(
            exit, .usage,
            lines > 1 ? "\(place) has \(lines) lines; a \(noun) is one line" : "\(place) holds a control character",
            hint: "give only the \(noun), with at most one line end after it")
    }
}
