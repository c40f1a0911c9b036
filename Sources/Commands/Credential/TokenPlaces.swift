internal import OAuth
internal import Wire
internal import Shell

/// The places that a token is for, as its document names them with `api_base`, `resource` and `api_origins`, for programs
/// that ask for a token: what cannot be read is no place, and never every place.
struct TokenPlaces {
    /// Whether the document names none.
    let isOpen: Bool
    private let allowed: TokenOrigins
    private let urls: [WebURL]

    /// The places of a document, and further origins.
    ///
    /// - Throws: exit 2 for a further origin that is none, exit 3 for a member that cannot be read.
    init(of members: JSONObject, adding origins: [String] = []) throws(Failure) {
        let names = ["api_base", "resource", "api_origins"]
        isOpen =
            origins.isEmpty && names.allSatisfy { members[$0]?.isNull ?? true || members[$0]?.array?.isEmpty == true }
        var allowed = try asFailure(TokenOrigins(of: Document(members)))
        for origin in origins {
            guard (try? allowed.add(origin)) != nil else {
                throw .usage("\(CredentialOption.allowOrigin.name) takes an origin such as https://git.example")
            }
        }
        self.allowed = allowed
        urls = names.flatMap { name in members[name]?.string.map { [$0] } ?? members[name]?.strings ?? [] }
            .compactMap { WebURL($0) }
    }

    /// The origins, each once, in order; none of a pattern.
    var origins: [String] { allowed.exact.reduce(into: []) { if !$0.contains($1) { $0.append($1) } } }

    /// How well a URL fits: the bytes of the longest path that it is under, 0 for the same origin alone; nil for another
    /// origin.
    func match(_ url: WebURL) -> Int? {
        guard allowed.name(url) else { return nil }
        return urls.filter { $0.origin == url.origin }.map { place in
            let path = place.path.hasSuffix("/") ? String(place.path.dropLast()) : place.path
            return url.path == path || url.path.hasPrefix(path + "/") ? path.utf8.count : 0
        }.max() ?? 0
    }
}
