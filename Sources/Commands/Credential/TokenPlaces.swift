internal import Wire

/// The places that a token is for, as its document names them: `api_base`, `resource` and `api_origins`.
struct TokenPlaces {
    private let urls: [WebURL]

    /// The places of a document, and further origins.
    init(of members: JSONObject, adding origins: [String] = []) {
        let texts = ["api_base", "resource", "api_origins"].flatMap { name -> [String] in
            members[name].map { $0.string.map { [$0] } ?? $0.strings ?? [] } ?? []
        }
        urls = (texts + origins).compactMap { WebURL($0) }.filter { $0.host != nil }
    }

    /// Whether the document names none.
    var isEmpty: Bool { urls.isEmpty }

    /// The origins, each once, in order.
    var origins: [String] {
        var origins: [String] = []
        for url in urls where !origins.contains(url.origin) { origins.append(url.origin) }
        return origins
    }

    /// How well a URL fits: the bytes of the longest path that it is under, 0 for the same origin alone; nil for another
    /// origin.
    func match(_ url: WebURL) -> Int? {
        urls.filter { $0.origin == url.origin }.map { place in
            let path = place.path.hasSuffix("/") ? String(place.path.dropLast()) : place.path
            return url.path == path || url.path.hasPrefix(path + "/") ? path.utf8.count : 0
        }.max()
    }
}
