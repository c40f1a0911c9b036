extension WebURL {
    /// Resolves a reference that a server wrote, relative to this URL (RFC 3986 §5.2). Spaces, double quotes, angle
    /// brackets and what is not ASCII, which no URL may contain but servers write nevertheless, are percent-encoded.
    /// Nil if the result is not a URL.
    package func resolving(written reference: String) -> WebURL? {
        let isMisleading = reference.utf8.contains { $0 < 0x20 || $0 == 0x7F || $0 == UInt8(ascii: "\\") }
        return isMisleading ? nil : resolving(Self.encoding(reference.utf8))
    }
}
