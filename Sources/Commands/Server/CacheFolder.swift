internal import JOSE
internal import System
internal import TokenStore

/// Files that a later run may use, of mode 0600, in a folder of `$XDG_CACHE_HOME/oap`. Nothing fails because of it: what
/// cannot be read or written is fetched again.
struct CacheFolder {
    private let path: String

    static let limits = (files: 1000, bytes: 256 << 20)

    /// The folder of a path; it is made when a file is stored.
    init(_ path: String) { self.path = path }

    /// The content of the file of a key; nil if it does not exist or is unsafe.
    func read(_ key: [UInt8]) -> [UInt8]? {
        guard (try? PrivateFile.checkFolder(path)) == true else { return nil }
        return (try? PrivateFile.read(file(key)))?.bytes
    }

    /// Replaces the file of a key, whole or not at all. The oldest files are removed if there are too many.
    func replace(_ key: [UInt8], with bytes: [UInt8]) {
        guard (try? PrivateFile.prepareFolder(path)) != nil else { return }
        try? PrivateFile.replace(file(key), with: bytes)
        removeOldest()
    }

    func remove(_ key: [UInt8]) {
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
