extension String {
    /// The text as one word of a POSIX shell. Quotes are looked for by bytes: to a search by `Character`, a combining
    /// mark after a quote would make it another character, and the text after it would be a command.
    package var shellWord: String {
        let isSafe = utf8.allSatisfy { $0.isASCIILetterOrDigit || "%+,-./:=@_".utf8.contains($0) }
        guard !isSafe || isEmpty else { return self }
        var word = [UInt8(ascii: "'")]
        for byte in utf8 { word += byte == UInt8(ascii: "'") ? Array("'\\''".utf8) : [byte] }
        return String(decoding: word + [UInt8(ascii: "'")], as: UTF8.self)
    }
}
