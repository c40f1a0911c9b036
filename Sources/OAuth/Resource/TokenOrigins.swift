package import Wire

/// The origins that a token may be sent to: those that its document names with `api_base`, `resource` and `api_origins`,
/// and that of its `userinfo_endpoint`. A document that names none leaves it to the caller.
package struct TokenOrigins: Sendable {
    private var places: [(origin: String, isSuffix: Bool)] = []
    private let userinfo: String?

    package init(of document: Document) throws(OAuthError) {
        userinfo = try document.string("userinfo_endpoint").flatMap(Self.origin)
        var named = try document.strings("resource")
        if let base = try document.string("api_base") { named.append(base) }
        // A resource may be any URI (RFC 8707 §2); one without a host is no origin.
        places = named.compactMap { Self.origin($0).map { ($0, false) } }
        for text in try document.strings("api_origins") { try add(text, of: document) }
    }

    /// Adds an origin. `https://*.example.com` is every host below `example.com`.
    ///
    /// - Throws: `usage` for text that is no origin.
    package mutating func add(_ text: String, of document: Document = Document([:])) throws(OAuthError) {
        let scheme = ["https://", "http://"].first { text.hasPrefix($0 + "*.") }
        let plain = scheme.map { $0 + text.dropFirst($0.count + 2) } ?? text
        guard let url = WebURL(plain), let origin = Self.origin(plain), [origin, origin + "/"].contains(url.text),
            !plain.utf8.contains(UInt8(ascii: "*")), scheme == nil || url.host?.dropFirst().contains(".") == true
        else {
            throw document.invalid("api_origins", "has an element that is not an origin such as https://api.example")
        }
        places.append((origin, scheme != nil))
    }

    package func allow(_ url: WebURL) -> Bool { places.isEmpty || know(url) }

    /// Whether the document, or who added an origin, names that of a URL.
    package func name(_ url: WebURL) -> Bool {
        let origin = url.origin
        return places.contains { place in
            guard place.isSuffix else { return place.origin.isIdentical(to: origin) }
            let scheme = url.scheme + "://"
            return place.origin.hasPrefix(scheme) && origin.hasSuffix("." + place.origin.dropFirst(scheme.count))
                // What no resolver takes is below no name.
                && !["..", "//.", "["].contains(where: origin.contains)
        }
    }

    /// Whether the document names the origin of a URL, that of its `userinfo_endpoint` included.
    package func know(_ url: WebURL) -> Bool { name(url) || userinfo == url.origin }

    /// The origins, without patterns.
    package var exact: [String] { places.filter { !$0.isSuffix }.map(\.origin) }

    /// The origins, for messages.
    package var text: String {
        var seen: [String] = []
        for (origin, _) in places where !seen.contains(origin) { seen.append(origin) }
        return seen.joined(separator: ", ")
    }

    private static func origin(_ text: String) -> String? {
        guard let url = WebURL(text), url.scheme == "https" || url.scheme == "http", url.userinfo == nil,
            !url.origin.isEmpty
        else { return nil }
        return url.origin
    }
}
