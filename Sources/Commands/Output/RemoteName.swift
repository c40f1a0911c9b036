/// The file of `-O`, named after the URL.
enum RemoteName {
    /// The last segment of the path of a URL, without decoding, as in curl.
    ///
    /// - Throws: exit 2 for a URL that gives no usable name.
    static func file(of url: String) throws(Failure) -> String {
        let url = url.prefix { $0 != "?" && $0 != "#" }.utf8
        // An authority is no path.
        let segments = url.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        let isAbsolute = segments.count > 1 && segments[0].last == UInt8(ascii: ":") && segments[1].isEmpty
        let name = String(decoding: segments.dropFirst(isAbsolute ? 3 : 1).last ?? "".utf8[...], as: UTF8.self)
        guard !name.isEmpty, name != "-", !name.hasPrefix("."),
            !name.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        else { throw .usage("the URL does not end with the name of a file", hint: "-o FILE names it") }
        return name
    }
}
