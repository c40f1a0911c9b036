/// Texts of another encoding than UTF-8, as editors and PowerShell write them.
enum TextEncoding {
    /// The failure for a text that begins as in another encoding; nil for any other text.
    static func failure(for bytes: [UInt8], in place: String, _ exit: Exit = .badInput) -> Failure? {
        let encoding: String
        switch bytes.prefix(4) {
        case [0xFF, 0xFE, 0, 0], [0, 0, 0xFE, 0xFF]: encoding = "UTF-32"
        case let start where [[0xFF, 0xFE], [0xFE, 0xFF]].contains(start.prefix(2)): encoding = "UTF-16"
        case let start where start.count > 1 && start[0] == 0 && start[1] >= 0x20: encoding = "UTF-16BE"
        case let start where start.count > 1 && start[0] >= 0x20 && start[1] == 0: encoding = "UTF-16LE"
        case let start where start.starts(with: [0xEF, 0xBB, 0xBF]):
            return Failure(
                exit, .parse, "\(place) begins with a byte order mark",
                hint: #"without it: sed '1s/^\xEF\xBB\xBF//' FILE"#)
        default: return nil
        }
        return Failure(
            exit, .parse, "\(place) is \(encoding) text, not UTF-8", hint: "iconv -f \(encoding) -t UTF-8 FILE")
    }
}
