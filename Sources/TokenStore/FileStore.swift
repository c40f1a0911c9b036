internal import Glibc

/// The store of a folder: a file `NAME.json` of mode 0600 for each token, with `NAME.lock` beside it (oap-store(1)).
package struct FileStore: TokenStoring {
    private let folder: String

    /// A store in a folder, which is made when something is stored.
    package init(folder: String) {
        // With a slash behind it a link would be followed.
        self.folder = String(folder.reversed().drop { $0 == "/" }.reversed())
    }

    package func read(_ name: TokenName) throws(StoreError) -> [UInt8]? {
        guard try PrivateFile.checkFolder(folder) else { return nil }
        return try PrivateFile.read(path(name))?.bytes
    }

    package func write(_ bytes: [UInt8], as name: TokenName) throws(StoreError) {
        try prepare()
        // A link in the place of the file would be replaced, not followed; say what is wrong rather than hide it.
        _ = try PrivateFile.read(path(name))
        try PrivateFile.replace(path(name), with: bytes)
    }

    package func keepRoom(for count: Int, as name: TokenName) throws(StoreError) {
        try prepare()
        try PrivateFile.keepRoom(for: count, at: path(name))
    }

    package func releaseRoom(as name: TokenName) { PrivateFile.releaseRoom(at: path(name)) }

    package func remove(_ name: TokenName) throws(StoreError) -> Bool {
        guard try PrivateFile.checkFolder(folder) else { return false }
        return try PrivateFile.remove(path(name))
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

    package func lock(_ name: TokenName) throws(StoreError) -> StoreLock {
        try prepare()
        return try StoreLock("\(folder)/\(name.text).lock")
    }

    private func prepare() throws(StoreError) {
        if try !PrivateFile.checkFolder(folder) { try PrivateFile.makeFolder(folder) }
    }

    private func path(_ name: TokenName) -> String { "\(folder)/\(name.text).json" }
}
