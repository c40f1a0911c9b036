extension WebURL {
    /// Resolves a reference that a server wrote, relative to this URL (RFC 3986 §5.2). Spaces, double quotes, angle
    /// brackets and what is not ASCII, which no URL may contain but servers write nevertheless, are percent-encoded.
    /// Nil if the result is not a URL.
    package func resolving(written reference: String) -> WebURL? {
        var output: [UInt8] = []
        for byte in reference.utf8 {
            if byte >= 0x80 || " \"<>".utf8.contains(byte) {
                output += [UInt8(ascii: "%"), hexadecimalDigit(byte >> 4), hexadecimalDigit(byte & 15)]
            } else {
                output.append(byte)
            }
        }
        return resolving(String(decoding: output, as: UTF8.self))
    }
}
