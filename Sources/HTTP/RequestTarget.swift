internal import Wire

/// A URL that a request may be sent to.
struct RequestTarget {
    let url: WebURL
    /// The host, for messages.
    let host: String
    /// The port that a connection uses.
    let port: Int

    /// The hosts of metadata services: of AWS, Azure and Google, of ECS, of EKS Pod Identity.
    private static let metadataHosts = [
        "169.254.169.254", "metadata.google.internal", "169.254.170.2", "169.254.170.23", "[fd00:ec2::254]",
        "[fd00:ec2::23]",
    ]

    /// Checks a URL: `https`, or `http` on loopback, with a host and without user information.
    ///
    /// - Parameter reachesMetadata: whether `http` may also go to a metadata service.
    init(_ text: String, reachesMetadata: Bool = false) throws(HTTPError) {
        guard let url = WebURL(text), let host = url.host, let port = url.effectivePort, url.userinfo == nil else {
            throw .invalidURL(Self.withoutSecrets(text))
        }
        let isPlain = url.isLoopback || reachesMetadata && Self.metadataHosts.contains(host)
        guard url.scheme == "https" || isPlain else { throw .insecureTransport(url: url.withoutQuery) }
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
