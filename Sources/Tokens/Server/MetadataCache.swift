internal import JOSE
internal import System
internal import TokenStore
internal import Wire
internal import Shell

/// Metadata and public keys in files of the user, `$XDG_CACHE_HOME/oap/metadata`.
package struct MetadataCache {
    /// How old an entry may be, in seconds.
    private let maximumAge: Int
    private let folder: CacheFolder
    private let world: World

    /// The most seconds for which an entry is used.
    static let limit = 86_400

    /// The cache of a user; nil without a home.
    init?(_ folders: UserFolders, _ world: World, maximumAge: Double) {
        guard let path = try? folders.metadata() else { return nil }
        (folder, self.world) = (CacheFolder(path), world)
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
        let age = world.seconds - fetched
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
            "address": .string(address), "fetched_at": .integer(world.seconds), "lifetime": .integer(lifetime),
            "is_whole": .bool(isWhole), "content": .string(content),
        ]
        folder.replace(Array(address.utf8), with: JSON.object(entry).bytes)
    }
}

/// Files that a later run may use, of mode 0600, in a folder of `$XDG_CACHE_HOME/oap`. Nothing fails because of it: what
/// cannot be read or written is fetched again.
package struct CacheFolder {
    private let path: String

    package static let limits = (files: 1000, bytes: 256 << 20)

    /// The folder of a path; it is made when a file is stored.
    package init(_ path: String) { self.path = path }

    /// The content of the file of a key; nil if it does not exist or is unsafe.
    package func read(_ key: [UInt8]) -> [UInt8]? {
        guard (try? PrivateFile.checkFolder(path)) == true else { return nil }
        return (try? PrivateFile.read(file(key)))?.bytes
    }

    /// Replaces the file of a key, whole or not at all. The oldest files are removed if there are too many.
    package func replace(_ key: [UInt8], with bytes: [UInt8]) {
        guard (try? PrivateFile.prepareFolder(path)) != nil else { return }
        try? PrivateFile.replace(file(key), with: bytes)
        removeOldest()
    }

    package func remove(_ key: [UInt8]) {
        guard (try? PrivateFile.checkFolder(path)) == true else { return }
        _ = try? PrivateFile.remove(file(key))
    }

    /// A key may hold secrets: the name of its file is a digest.
    private func file(_ key: [UInt8]) -> String { "\(path)/\(Digest.sha256.hexadecimal(key))" }

    /// Keeps within the limits. What a killed process has left counts too.
    private func removeOldest() {
        let names = (try? PrivateFile.names(in: path)) ?? []
        let files = names.compactMap { name in (try? FileStatus(ofLink: "\(path)/\(name)")).map { (name, $0) } }
        var (count, size) = (files.count, files.reduce(0) { $0 + $1.1.size })
        guard count > Self.limits.files || size > Self.limits.bytes else { return }
        for (name, status) in files.sorted(by: { $0.1.modified < $1.1.modified }) {
            guard count > Self.limits.files || size > Self.limits.bytes else { return }
            _ = try? PrivateFile.remove("\(path)/\(name)")
            (count, size) = (count - 1, size - status.size)
        }
    }
}
