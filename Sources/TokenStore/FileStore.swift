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
