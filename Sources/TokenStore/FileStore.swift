package import System

/// The store of a folder: a file `NAME.json` of mode 0600 for each token, with `NAME.lock` beside it (oap-store(1)).
package struct FileStore: TokenStoring {
    private let folder: String

    /// A store in a folder, which is made at the first write.
    package init(folder: String) {
        // A link followed by a slash would be resolved.
        var path = folder[...]
        while path.utf8.last == UInt8(ascii: "/") { path.removeLast() }
        self.folder = String(path)
    }

    package func read(_ name: TokenName) throws(StoreError) -> [UInt8]? {
        guard try PrivateFile.checkFolder(folder) else { return nil }
        return try PrivateFile.read(path(name))?.bytes
    }

    package func names() throws(StoreError) -> [TokenName] {
        guard try PrivateFile.checkFolder(folder) else { return [] }
        var names: [TokenName] = []
        for file in try PrivateFile.names(in: folder) {
            guard file.hasSuffix(".json"), let name = try? TokenName(String(file.dropLast(".json".count))) else {
                continue
            }
            names.append(name)
        }
        return names.sorted { $0.text < $1.text }
    }

    package func hold(_ name: TokenName, seconds: Int) throws(StoreError) -> any HeldToken & ~Copyable {
        try PrivateFile.prepareFolder(folder)
        return try HeldFile(path(name), lockFile: "\(folder)/\(name.text).lock", seconds: seconds)
    }

    package func stamp(_ name: TokenName) -> FileStamp? { FileStamp(ofLink: path(name)) }

    private func path(_ name: TokenName) -> String { "\(folder)/\(name.text).json" }
}

/// The file of a token, with its lock.
struct HeldFile: HeldToken, ~Copyable {
    private let lock: StoreLock
    private let path: String
    private let isCallers: Bool

    /// Waits for the lock of a file.
    ///
    /// - Parameters:
    ///   - path: the file, which need not exist.
    ///   - lockFile: the lock file beside it.
    ///   - seconds: the longest wait for the lock; 0 tries once.
    ///   - isCallers: whether the caller named the file: others may read it, and it is never removed.
    init(_ path: String, lockFile: String, seconds: Int, isCallers: Bool = false) throws(StoreError) {
        lock = try StoreLock(lockFile, seconds: seconds)
        self.path = path
        self.isCallers = isCallers
    }

    func read() throws(StoreError) -> [UInt8]? { try PrivateFile.read(path, isStrict: !isCallers)?.bytes }

    func reserve(_ count: Int) throws(StoreError) { try PrivateFile.reserve(count, at: path, under: lock) }

    func releaseRoom() { PrivateFile.releaseRoom(at: path, under: lock) }

    func write(_ bytes: [UInt8]) throws(StoreError) {
        // The rename would replace a symbolic link silently; reading refuses it.
        if !isCallers { _ = try read() }
        try PrivateFile.replace(path, with: bytes, under: lock)
    }

    func remove() throws(StoreError) -> Bool {
        guard !isCallers else { return false }
        releaseRoom()
        return try PrivateFile.remove(path)
    }
}
