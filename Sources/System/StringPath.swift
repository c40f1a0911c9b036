/// Paths are cut by bytes: a combining character after a slash would hide it from a search by `Character`.
extension String {
    /// A path up to and with its last slash; empty for a name alone.
    package var folderPrefix: String {
        utf8.lastIndex(of: UInt8(ascii: "/")).map { String(Substring(utf8[...$0])) } ?? ""
    }

    /// The last component: the text after the last slash that is followed by a name.
    package var fileName: String {
        let slash = UInt8(ascii: "/")
        guard let end = utf8.lastIndex(where: { $0 != slash }) else { return "" }
        let start = utf8[...end].lastIndex(of: slash).map { utf8.index(after: $0) } ?? utf8.startIndex
        return String(Substring(utf8[start...end]))
    }

    package var isAbsolutePath: Bool { utf8.first == UInt8(ascii: "/") }
}
