internal import Wire

/// A cluster of etcd and the prefix of its keys: `https://HOST:PORT[,...][/PREFIX]`.
package struct EtcdAddress: Sendable, Equatable {
    package let endpoints: [String]
    package let prefix: String

    init?(_ text: String) {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        var (endpoints, prefix) = ([String](), Substring())
        for (number, part) in parts.enumerated() {
            guard let url = WebURL(part), url.scheme == "https" || url.scheme == "http" && url.isLoopback,
                url.query == nil, url.fragment == nil, url.userinfo == nil,
                number == parts.count - 1 || ["", "/"].contains(url.path)
            else { return nil }
            endpoints.append(url.origin)
            prefix = url.path[...]
        }
        self.endpoints = endpoints
        while prefix.hasPrefix("/") { prefix.removeFirst() }
        while prefix.hasSuffix("/") { prefix.removeLast() }
        self.prefix = prefix.isEmpty ? "oap" : String(prefix)
    }
}
