/// Texts of another encoding than UTF-8, as editors and PowerShell write them.
enum TextEncoding {
    /// The failure for a text that begins as in another encoding; nil for any other text.
    static func failure(for bytes: [UInt8], in place: String, _ exit: Exit = .badInput) -> Failure? {
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
