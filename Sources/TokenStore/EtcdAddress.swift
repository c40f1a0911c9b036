internal import Wire

/// A cluster of etcd and the prefix of its keys: `https://HOST:PORT[,...][/PREFIX]`.
package struct EtcdAddress: Sendable, Equatable {
    package let endpoints: [String]
    package let prefix: String

    /// - Throws: `badStore`.
    init(_ text: String) throws(StoreError) {
        var endpoints = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        let last = endpoints.removeLast()
        guard let url = WebURL(last) else { throw .badStore(text) }
        endpoints.append(url.origin)
        for endpoint in endpoints {
            guard let url = WebURL(endpoint), url.scheme == "https" || url.scheme == "http" && url.isLoopback,
                url.origin == endpoint, url.userinfo == nil
            else { throw .badStore(text) }
        }
        guard url.query == nil, url.fragment == nil, url.userinfo == nil else { throw .badStore(text) }
        self.endpoints = endpoints
        var prefix = url.path[...]
        while prefix.hasPrefix("/") { prefix.removeFirst() }
        while prefix.hasSuffix("/") { prefix.removeLast() }
        self.prefix = prefix.isEmpty ? "oap" : String(prefix)
    }
}
