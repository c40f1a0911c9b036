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
    /// The path, possibly empty.
    package let path: String
    /// The query without its `?`.
    package let query: String?
    /// The fragment without its `#`.
    package let fragment: String?

    /// Splits an absolute URI. Nil for a relative one, for spaces, control characters, non-ASCII characters,
    /// backslashes, double quotes and angle brackets anywhere, for a port that is not a number up to 65535, and for an
    /// http, https or file URI without a host (RFC 9110 §4.2, RFC 8089).
    /// Characters that RFC 3986 forbids but browsers do not encode (`|`, `{`, `}`, `^`, `` ` ``) are accepted.
    package init?(_ text: String) {
        guard text.utf8.allSatisfy(Self.isAllowed), let scheme = Self.scheme(of: text) else { return nil }
        let parts = Self.split(text[scheme.endIndex...].dropFirst())
        guard let authority = Self.parse(authority: parts.authority, of: scheme.lowercased()) else { return nil }
        self.text = text
        self.scheme = scheme.lowercased()
        (userinfo, host, port) = authority
        path = String(parts.path)
        query = parts.query.map(String.init)
        fragment = parts.fragment.map(String.init)
    }
}

extension WebURL {
    /// Scheme, host and port, without the default port: `https://api.example` (RFC 6454 §6.2). Empty for a URI without
    /// a host.
    package var origin: String {
        guard let host else { return "" }
        let shown = effectivePort == Self.defaultPort(of: scheme) ? nil : effectivePort
        return "\(scheme)://\(host)" + (shown.map { ":\($0)" } ?? "")
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
        let numbers = host.split(separator: ".", omittingEmptySubsequences: false)
        return numbers.count == 4 && numbers[0] == "127"
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

    /// The same URI with its port replaced; nil when it has none.
    package func replacingPort(with port: Int) -> WebURL? {
        guard self.port != nil, let slashes = text.firstRange(of: "//") else { return nil }
        let end = text[slashes.upperBound...].firstIndex { "/?#".contains($0) } ?? text.endIndex
        guard let colon = text[..<end].lastIndex(of: ":") else { return nil }
        return WebURL("\(text[...colon])\(port)\(text[end...])")
    }

    /// Resolves a reference relative to this URL (RFC 3986 §5.2); nil when the result is not a URL.
    package func resolving(_ reference: String) -> WebURL? {
        guard Self.scheme(of: reference) == nil else { return WebURL(reference) }
        let parts = Self.split(reference[...])
        let base = text[..<(text.firstIndex(of: ":") ?? text.startIndex)] + ":"
        let authority =
            parts.authority
            ?? Self.split(text[text.index(after: text.firstIndex(of: ":") ?? text.startIndex)...]).authority
        var target = base + (authority.map { "//\($0)" } ?? "")
        var newQuery = parts.query.map(String.init)
        if parts.authority != nil {
            target += Self.removeDotSegments(String(parts.path))
        } else if parts.path.isEmpty {
            target += path
            newQuery = newQuery ?? query
        } else if parts.path.hasPrefix("/") {
            target += Self.removeDotSegments(String(parts.path))
        } else {
            let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "/"
            target += Self.removeDotSegments(folder + parts.path)
        }
        return WebURL(target + (newQuery.map { "?\($0)" } ?? "") + (parts.fragment.map { "#\($0)" } ?? ""))
    }
}

extension WebURL {
    private typealias Parts = (authority: Substring?, path: Substring, query: Substring?, fragment: Substring?)

    /// The text before the first colon, when it is a scheme (RFC 3986 §3.1).
    private static func scheme(of text: String) -> Substring? {
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let scheme = text[..<colon]
        guard let first = scheme.utf8.first, (0x61...0x7A).contains(first.asciiLowercased),
            scheme.utf8.allSatisfy({ $0.isASCIILetterOrDigit || [0x2B, 0x2D, 0x2E].contains($0) })
        else { return nil }
        return scheme
    }

    /// Splits the text after the scheme.
    private static func split(_ text: Substring) -> Parts {
        let (beforeFragment, fragment) = cut(text, at: "#")
        let (hierarchy, query) = cut(beforeFragment, at: "?")
        guard hierarchy.hasPrefix("//") else { return (nil, hierarchy, query, fragment) }
        let rest = hierarchy.dropFirst(2)
        let slash = rest.utf8.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
        return (rest[..<slash], rest[slash...], query, fragment)
    }

    private static func cut(_ text: Substring, at separator: Unicode.Scalar) -> (Substring, Substring?) {
        guard let index = text.utf8.firstIndex(of: UInt8(ascii: separator)) else { return (text, nil) }
        return (text[..<index], text[text.utf8.index(after: index)...])
    }

    private static func parse(
        authority: Substring?, of scheme: String
    ) -> (userinfo: String?, host: String?, port: Int?)? {
        guard let authority else { return (nil, nil, nil) }
        if authority.isEmpty, defaultPort(of: scheme) == nil, scheme != "file" { return (nil, "", nil) }
        let at = authority.firstIndex(of: "@")
        let userinfo = at.map { String(authority[..<$0]) }
        let hostAndPort = at.map { authority[authority.index(after: $0)...] } ?? authority
        let bracket = hostAndPort.first == "[" ? hostAndPort.firstIndex(of: "]") : hostAndPort.startIndex
        guard let bracket else { return nil }
        let colon = hostAndPort[bracket...].firstIndex(of: ":")
        let host = hostAndPort[..<(colon ?? hostAndPort.endIndex)].lowercased()
        guard !host.isEmpty, !host.contains("@"), host.hasPrefix("[") == host.hasSuffix("]") else { return nil }
        guard let colon, hostAndPort.index(after: colon) < hostAndPort.endIndex else { return (userinfo, host, nil) }
        let digits = hostAndPort[hostAndPort.index(after: colon)...]
        guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let port = UInt16(digits) else { return nil }
        return (userinfo, host, Int(port))
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

    private static func isAllowed(_ byte: UInt8) -> Bool {
        (0x21...0x7E).contains(byte) && ![0x22, 0x3C, 0x3E, 0x5C].contains(byte)
    }
}
