internal import OAuth
internal import System
internal import TokenStore
internal import Wire

/// Metadata and public keys in files of the user, `$XDG_CACHE_HOME/oap/metadata`.
struct MetadataCache {
    /// How old an entry may be, in seconds.
    private let maximumAge: Int
    private let folder: CacheFolder

    /// The most seconds for which an entry is used.
    static let limit = 86_400

    /// The cache of a user; nil without a home.
    init?(_ folders: UserFolders, maximumAge: Double) {
        guard let path = try? folders.metadata() else { return nil }
        folder = CacheFolder(path)
        self.maximumAge = Int(min(maximumAge, Double(Self.limit)))
    }

    /// The response that is stored for an address, if it is fresh.
    ///
    /// - Parameter isWhole: whether it must have been stored as such.
    func response(from address: String, isWhole: Bool = false) -> HTTPResponse? {
        guard let bytes = folder.read(Array(address.utf8)),
            let entry = (try? JSON(parsing: bytes))?.object, let content = entry["content"]?.string,
            entry["address"]?.string?.isIdentical(to: address) == true, !isWhole || entry["is_whole"] == .bool(true),
            let fetched = entry["fetched_at"]?.integer, let lifetime = entry["lifetime"]?.integer
        else { return nil }
        let age = Clock.now - fetched
        guard age >= 0, age < min(lifetime, maximumAge) else { return nil }
        let head = HTTPResponseHead(status: 200, headers: [HTTPField("Content-Type", "application/json")])
        return HTTPResponse(head: head, body: Array(content.utf8))
    }

    /// Stores a response that was found to be good. One that may not be stored removes the entry.
    ///
    /// - Parameter isWhole: whether it is that of all addresses of an issuer.
    func store(_ response: HTTPResponse, from address: String, isWhole: Bool = false) {
        let lifetime = min(CacheControl.lifetime(of: response.head.headers) ?? Self.limit, Self.limit)
        guard lifetime > 0, let content = String(validating: response.body, as: UTF8.self) else {
            return folder.remove(Array(address.utf8))
        }
        let entry: JSONObject = [
            "address": .string(address), "fetched_at": .integer(Clock.now), "lifetime": .integer(lifetime),
            "is_whole": .bool(isWhole), "content": .string(content),
        ]
        folder.replace(Array(address.utf8), with: JSON.object(entry).bytes)
    }
}
