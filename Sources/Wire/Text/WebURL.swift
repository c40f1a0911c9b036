/// An absolute URI, split into its parts (RFC 3986 §3). Only the case of scheme and host is normalised; nothing is
/// decoded.
package struct WebURL: Sendable, Equatable {
    /// The whole URI, unchanged.
    package let text: String
    /// The scheme in lower case.
    package let scheme: String
    /// The user information, when there is an `@`.
    package let userinfo: String?
    /// The host in lower case, an IPv6 address in its brackets; nil if the URI has no authority (`app:/callback`), empty if
    /// that is empty (`app://?a=b`).
    package let host: String?
    /// The port as it was given.
    package let port: Int?
    package let path: String
    /// The query without its `?`.
    package let query: String?
    /// The fragment without its `#`.
    package let fragment: String?

    /// Splits an absolute URI. Nil for a relative one, for spaces, control characters, non-ASCII characters,
    /// backslashes, double quotes and angle brackets anywhere, for a port that is not a number up to 65535, and for an
    /// http or https URI without a host, such as `https:foo`, or a file URI with an empty one (RFC 9110 §4.2).
    /// Characters that RFC 3986 forbids but browsers do not encode (`|`, `{`, `}`, `^`, `` ` ``) are accepted.
    package init?(_ text: String) {
        // The text is ASCII: its bytes are read, since finding the characters of a string takes twenty times as long.
        var contiguous = text
        guard let url = contiguous.withUTF8({ WebURL(text, bytes: $0) }) else { return nil }
        self = url
    }

    private init?(_ text: String, bytes: Bytes) {
        guard bytes.allSatisfy(Self.isAllowed), let colon = Self.endOfScheme(bytes) else { return nil }
        let parts = Parts(of: bytes, from: colon + 1)
        scheme = bytes.text(0..<colon).asciiLowercased
        guard let authority = Self.parse(authority: parts.authority, in: bytes, of: scheme) else { return nil }
        self.text = text
        (userinfo, host, port) = authority
        path = bytes.text(parts.path)
        query = parts.query.map(bytes.text)
        fragment = parts.fragment.map(bytes.text)
    }
}

extension WebURL {
    /// Scheme, host and port, without the default port: `https://api.example` (RFC 6454 §6.2). Empty for a URI without
    /// a host.
    package var origin: String {
        guard let host else { return "" }
        let origin = scheme + "://" + host
        guard let port, port != Self.defaultPort(of: scheme) else { return origin }
        return origin + ":" + String(port)
    }

    /// The port of a connection: the given one, else the scheme's default.
    package var effectivePort: Int? { port ?? Self.defaultPort(of: scheme) }

    /// Whether the host is certainly this machine: an address of 127.0.0.0/8 in four decimal numbers, `[::1]` or
    /// `localhost`; no other spelling (RFC 8252 §8.3).
    package var isLoopback: Bool {
        guard let host else { return false }
        return host == "localhost" || isLoopbackAddress
    }

    /// Whether the host is a loopback address, not a name (RFC 8252 §7.3).
    var isLoopbackAddress: Bool {
        guard let host else { return false }
        if host == "[::1]" { return true }
        guard host.utf8.starts(with: "127.".utf8) else { return false }
        let numbers = host.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
            .map(Substring.init)
        return numbers.count == 4
            && numbers.allSatisfy { number in UInt8(number).map { String($0) == number } ?? false }
    }

    /// The URL without its fragment, as it is sent.
    package var withoutFragment: String {
        guard fragment != nil, let hash = text.firstIndex(of: "#") else { return text }
        return String(text[..<hash])
    }

    /// Scheme, host, port and path: the parts of a URL that may be shown.
    package var withoutQuery: String { "\(scheme)://\(host ?? "")" + (port.map { ":\($0)" } ?? "") + path }

    /// The URL with parameters added to its query, which is kept (RFC 6749 §3.1). A fragment is dropped.
    package func adding(_ pairs: [(name: String, value: String)]) -> String {
        guard !pairs.isEmpty else { return withoutFragment }
        let separator = query == nil ? "?" : query == "" || query?.last == "&" ? "" : "&"
        return withoutFragment + separator + FormEncoding.encode(pairs)
    }

    /// The URI with its port replaced; nil when it has none.
    package func replacingPort(with port: Int) -> WebURL? {
        guard self.port != nil, let slashes = text.firstRange(of: "//") else { return nil }
        let end = text[slashes.upperBound...].firstIndex { "/?#".contains($0) } ?? text.endIndex
        guard let colon = text[..<end].lastIndex(of: ":") else { return nil }
        return WebURL("\(text[...colon])\(port)\(text[end...])")
    }

    /// Resolves a reference relative to this URL (RFC 3986 §5.2); nil when the result is not a URL.
    package func resolving(_ reference: String) -> WebURL? {
        guard !Self.hasScheme(reference) else { return WebURL(reference) }
        let parts = Self.split(reference, from: 0)
        let base = Self.split(text, from: scheme.utf8.count + 1)
        var target = text.prefix(scheme.utf8.count) + ":"
        if let authority = parts.authority ?? base.authority { target += "//\(authority)" }
        var newQuery = parts.query
        if parts.authority != nil || parts.path.hasPrefix("/") {
            target += Self.removeDotSegments(parts.path)
        } else if parts.path.isEmpty {
            target += path
            newQuery = newQuery ?? query
        } else {
            let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "/"
            target += Self.removeDotSegments(folder + parts.path)
        }
        return WebURL(target + (newQuery.map { "?\($0)" } ?? "") + (parts.fragment.map { "#\($0)" } ?? ""))
    }
}

extension WebURL {
    private typealias Bytes = UnsafeBufferPointer<UInt8>

    /// Where the parts of a reference are in its bytes.
    private struct Parts {
        var authority: Range<Int>?
        var path: Range<Int>
        var query: Range<Int>?
        var fragment: Range<Int>?

        /// `start` is the place behind the scheme and its colon.
        init(of bytes: Bytes, from start: Int) {
            let hash = bytes[start...].firstIndex(of: UInt8(ascii: "#"))
            fragment = hash.map { $0 + 1..<bytes.count }
            let mark = bytes[start..<(hash ?? bytes.count)].firstIndex(of: UInt8(ascii: "?"))
            query = mark.map { $0 + 1..<(hash ?? bytes.count) }
            path = start..<(mark ?? hash ?? bytes.count)
            guard bytes[path].starts(with: "//".utf8) else { return }
            let rest = start + 2..<path.upperBound
            let slash = bytes[rest].firstIndex(of: UInt8(ascii: "/")) ?? rest.upperBound
            authority = rest.lowerBound..<slash
            path = slash..<rest.upperBound
        }
    }

    private static func split(
        _ text: String, from start: Int
    ) -> (authority: String?, path: String, query: String?, fragment: String?) {
        var text = text
        return text.withUTF8 { bytes in
            let parts = Parts(of: bytes, from: start)
            return (
                parts.authority.map(bytes.text), bytes.text(parts.path), parts.query.map(bytes.text),
                parts.fragment.map(bytes.text)
            )
        }
    }

    private static func hasScheme(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { endOfScheme($0) != nil }
    }

    /// The place of the first colon, if the text before it is a scheme (RFC 3986 §3.1).
    private static func endOfScheme(_ bytes: Bytes) -> Int? {
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), colon > 0,
            (0x61...0x7A).contains(bytes[0].asciiLowercased),
            bytes[..<colon].allSatisfy({ $0.isASCIILetterOrDigit || $0 == 0x2B || $0 == 0x2D || $0 == 0x2E })
        else { return nil }
        return colon
    }

    private static func parse(
        authority: Range<Int>?, in bytes: Bytes, of scheme: String
    ) -> (userinfo: String?, host: String?, port: Int?)? {
        guard let authority else { return defaultPort(of: scheme) == nil ? (nil, nil, nil) : nil }
        if authority.isEmpty, defaultPort(of: scheme) == nil, scheme != "file" { return (nil, "", nil) }
        let at = bytes[authority].firstIndex(of: UInt8(ascii: "@"))
        let userinfo = at.map { bytes.text(authority.lowerBound..<$0) }
        let start = at.map { $0 + 1 } ?? authority.lowerBound
        let hostAndPort = bytes[start..<authority.upperBound]
        let isAddress = hostAndPort.first == UInt8(ascii: "[")
        guard let bracket = isAddress ? hostAndPort.firstIndex(of: UInt8(ascii: "]")) : start else { return nil }
        let colon = hostAndPort[bracket...].firstIndex(of: UInt8(ascii: ":"))
        let host = hostAndPort[..<(colon ?? hostAndPort.endIndex)]
        guard !host.isEmpty, !host.contains(UInt8(ascii: "@")), isAddress == (host.last == UInt8(ascii: "]")) else {
            return nil
        }
        let name = bytes.text(host.startIndex..<host.endIndex).asciiLowercased
        guard let colon, colon + 1 < hostAndPort.endIndex else { return (userinfo, name, nil) }
        let digits = bytes.text(colon + 1..<hostAndPort.endIndex)
        guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let port = UInt16(digits) else { return nil }
        return (userinfo, name, Int(port))
    }

    /// RFC 3986 §5.2.4.
    private static func removeDotSegments(_ path: String) -> String {
        var output: [Substring] = []
        let segments = path.split(separator: "/", omittingEmptySubsequences: false)
        for (index, segment) in segments.enumerated() {
            let isLast = index == segments.count - 1
            switch segment {
            case ".": if isLast { output.append("") }
            case "..":
                if output.count > 1 { output.removeLast() }
                if isLast { output.append("") }
            default: output.append(segment)
            }
        }
        return output.joined(separator: "/")
    }

    private static func defaultPort(of scheme: String) -> Int? {
        switch scheme {
        case "https": 443
        case "http": 80
        default: nil
        }
    }

    /// A text with each byte that no URL may hold as `%XX`.
    package static func encoding(_ bytes: some Sequence<UInt8>) -> String { percentEncoded(bytes, except: isAllowed) }

    /// Whether a URL may hold a byte anywhere.
    package static func isAllowed(_ byte: UInt8) -> Bool {
        (0x21...0x7E).contains(byte) && byte != 0x22 && byte != 0x3C && byte != 0x3E && byte != 0x5C
    }
}

extension UnsafeBufferPointer<UInt8> {
    fileprivate func text(_ range: Range<Int>) -> String {
        String(decoding: UnsafeBufferPointer(rebasing: self[range]), as: UTF8.self)
    }
}

extension WebURL {
    /// Resolves a reference that a server wrote, relative to this URL (RFC 3986 §5.2). Spaces, double quotes, angle
    /// brackets and what is not ASCII, which no URL may contain but servers write nevertheless, are percent-encoded.
    /// Nil if the result is not a URL.
    package func resolving(written reference: String) -> WebURL? {
        let isMisleading = reference.utf8.contains { $0 < 0x20 || $0 == 0x7F || $0 == UInt8(ascii: "\\") }
        return isMisleading ? nil : resolving(Self.encoding(reference.utf8))
    }
}
