internal import JOSE
package import Wire

/// The client's redirection endpoint (RFC 6749 §3.1.2).
package struct RedirectURI: Sendable, Equatable {
    package let url: WebURL

    /// Where the answer arrives when the document names no other place; the port is chosen when it is used.
    static let standard = "http://127.0.0.1:0\(standardPath)"
    private static let standardPath = "/callback"

    /// Checks a redirect URI: absolute, no fragment, no user information, and plain http on loopback only (RFC 6749
    /// §3.1.2, §3.1.2.1, RFC 8252 §7). User information before an `@` can be mistaken for the host (RFC 3986 §7.6).
    ///
    /// - Throws: `usage`, `insecure_transport`.
    package init(_ text: String) throws(OAuthError) {
        if let whole = Self.completing(text) {
            throw OAuthError(
                .usage, "redirect_uri does not begin with http:// or https://", hint: "did you mean \(whole)?",
                member: "redirect_uri")
        }
        guard let url = WebURL(text) else {
            let problem =
                Self.hasOtherPort(text)
                ? "the port of redirect_uri is not a number from 0 to 65535" : "redirect_uri is not an absolute URI"
            throw OAuthError(.usage, problem, member: "redirect_uri")
        }
        guard url.fragment == nil else {
            throw OAuthError(.usage, "redirect_uri has a fragment", member: "redirect_uri")
        }
        guard url.userinfo == nil else {
            throw OAuthError(.usage, "redirect_uri contains a user name or password", member: "redirect_uri")
        }
        guard url.scheme != "http" || url.isLoopback else {
            throw OAuthError(
                .insecureTransport, "redirect_uri is plain http to \(url.host ?? "")",
                hint: "use https, a loopback address or a private-use scheme", member: "redirect_uri")
        }
        self.url = url
    }

    /// The URI of a host and port without a scheme, such as `localhost:8080/callback`; nil for other text. By the grammar
    /// of a URI, `localhost` is a scheme there.
    private static func completing(_ text: String) -> String? {
        guard let url = WebURL("http://\(text)"), url.port != nil, url.userinfo == nil else { return nil }
        return url.isLoopback ? url.text : "https://\(text)"
    }

    /// Whether a text is a URI but for its port.
    private static func hasOtherPort(_ text: String) -> Bool {
        guard let start = text.firstRange(of: "://")?.upperBound else { return false }
        let end = text[start...].firstIndex { "/?#".contains($0) } ?? text.endIndex
        guard let colon = text[start..<end].lastIndex(of: ":") else { return false }
        return WebURL(String(text[..<colon] + text[end...])) != nil
    }

    /// The redirect URI of a client: `redirect_uri`, else the only one of `redirect_uris`, or the only one
    /// of them on loopback, else `standard`.
    ///
    /// - Throws: `usage` when there are several to choose from, besides what `init` throws.
    package init(of document: Document) throws(OAuthError) {
        if let single = try document.string("redirect_uri") {
            self = try document.blaming(RedirectURI(single))
            return
        }
        let registered = try document.strings("redirect_uris")
        let local = registered.filter { WebURL($0).map { $0.scheme == "http" && $0.isLoopback } ?? false }
        let choice = local.count == 1 ? local : registered
        guard choice.count <= 1 else {
            throw document.invalid(
                "redirect_uris", "has \(registered.count) entries: \(registered.joined(separator: ", "))",
                hint: "choose one with \(Member.option(for: "redirect_uri"))")
        }
        self = try document.blaming(RedirectURI(choice.first ?? Self.standard))
    }

    /// Whether a free port has to be put in the place of port 0 (RFC 8252 §7.3).
    package var wantsFreePort: Bool { url.port == 0 && url.isLoopback }

    package func replacingPort(with port: Int) -> RedirectURI {
        guard wantsFreePort, let replaced = url.replacingPort(with: port) else { return self }
        return RedirectURI(checked: replaced)
    }

    /// The URI with a path of its own for an issuer in the place of the standard path, or of that of another issuer; any
    /// other path stays. A client of another server, whose login page a malicious issuer may name (RFC 9700 §4.4.2), does
    /// not have it, unless the issuer registers it there. It does not begin with the standard path: some servers take every
    /// path below a registered one.
    package func own(to issuer: String) -> RedirectURI {
        guard url.scheme == "http", url.isLoopback, url.path.hasPrefix("/") else { return self }
        let (count, words) = (24, url.path.dropFirst().split(separator: "/", omittingEmptySubsequences: false))
        let isDigest = { (word: Substring) in
            word.utf8.count == count && word.utf8.allSatisfy { hexadecimalValue(of: $0) != nil }
        }
        let others = words.filter { !isDigest($0) }
        guard words.count <= 2, others.count == 1, "/\(others[0])" == Self.standardPath else { return self }
        let path = "/\(Digest.sha256.hexadecimal(issuer).prefix(count))\(Self.standardPath)"
        return url.resolving(path + (url.query.map { "?\($0)" } ?? "")).map(RedirectURI.init(checked:)) ?? self
    }

    /// The URI without its port: what is registered of one whose port is chosen when it is used.
    var withoutPort: String { Self.loopback(url, port: nil) }

    /// What a client uses whose registered URI leaves the port open: the same with port 0; nil for any other URI.
    package static func withFreePort(_ registered: String) -> String? {
        guard let url = WebURL(registered), url.scheme == "http", url.isLoopback, url.port == nil else { return nil }
        return loopback(url, port: 0)
    }

    private static func loopback(_ url: WebURL, port: Int?) -> String {
        let authority = "\(url.host ?? "")" + (port.map { ":\($0)" } ?? "")
        return "\(url.scheme)://\(authority)\(url.path)" + (url.query.map { "?\($0)" } ?? "")
    }

    private init(checked url: WebURL) { self.url = url }
}
