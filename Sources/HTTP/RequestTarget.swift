internal import Wire

/// A URL that a request may be sent to.
struct RequestTarget {
    let url: WebURL
    /// The host, for messages.
    let host: String
    /// The port that a connection uses.
    let port: Int

    /// Checks a URL: `https`, or `http` on loopback, with a host and without user information.
    init(_ text: String) throws(HTTPError) {
        guard let url = WebURL(text), let host = url.host, let port = url.effectivePort, url.userinfo == nil else {
            throw .invalidURL(Self.withoutSecrets(text))
        }
        guard url.scheme == "https" || url.isLoopback else { throw .insecureTransport(url: url.withoutQuery) }
        (self.url, self.host, self.port) = (url, host, port)
    }

    /// Host and port for messages: `127.0.0.1 port 9`.
    var place: String { "\(host) port \(port)" }

    /// An invalid URL made safe for messages: without user information and query.
    private static func withoutSecrets(_ text: String) -> String {
        let beforeQuery = text.prefix { $0 != "?" && $0 != "#" }
        guard let at = beforeQuery.lastIndex(of: "@") else { return String(beforeQuery) }
        return "…" + beforeQuery[at...]
    }
}
