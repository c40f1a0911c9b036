package import Errands
internal import System

/// The store of a folder: a file `NAME.json` of mode 0600 for each token, with `NAME.lock` beside it (oap-store(1)).
package struct FileStore: TokenStoring {
    private let folder: String
    private let sharing: SharedFolder

    /// A store in a folder, which is made at the first write.
    package init(folder: String, sharing: SharedFolder = .checked) {
        self.sharing = sharing
        // A link followed by a slash would be resolved.
        var path = folder[...]
        while path.utf8.last == UInt8(ascii: "/") { path.removeLast() }
        self.folder = String(path)
    }

    package func load(_ name: TokenName) -> Attempt<StoredToken?, StoreError> {
        attempting { () throws(StoreError) in
            guard try PrivateFile.checkFolder(folder) else { return .done(.success(nil)) }
            return .done(.success(try PrivateFile.token(path(name))))
        }
    }

    package func list() -> Attempt<[TokenName], StoreError> {
        attempting { () throws(StoreError) in .done(.success(try names())) }
    }

    /// The names of the stored tokens, sorted.
    package func names() throws(StoreError) -> [TokenName] {
        guard try PrivateFile.checkFolder(folder) else { return [] }
        let names = try PrivateFile.names(in: folder).compactMap { file in
            file.hasSuffix(".json") ? try? TokenName(String(file.dropLast(".json".count))) : nil
        }
        return names.sorted { $0.text < $1.text }
    }

    package func tryHold(_ name: TokenName, waits: Bool) -> Attempt<any HeldToken, StoreError> {
        attempting { () throws(StoreError) in
            try PrivateFile.prepareFolder(folder)
            try sharing.check(folder)
            return .done(.success(try HeldFile(path(name), lockFile: "\(folder)/\(name.text).lock")))
        }
    }

    package func revision(of name: TokenName) -> Revision? { FileStamp(ofLink: path(name)).map(Revision.file) }

    private func path(_ name: TokenName) -> String { "\(folder)/\(name.text).json" }
}

final class HeldFile: HeldToken {
    let lock: StoreLock
    private let path: String
    private let isCallers: Bool

    /// With `isCallers`, the caller named the file: others may read it, and it is never removed.
    init(_ path: String, lockFile: String, isCallers: Bool = false) throws(StoreError) {
        lock = try StoreLock(lockFile)
        (self.path, self.isCallers) = (path, isCallers)
    }

    func load() -> Attempt<StoredToken?, StoreError> {
        attempting { () throws(StoreError) in .done(.success(try token())) }
    }

    private func token() throws(StoreError) -> StoredToken? { try PrivateFile.token(path, isStrict: !isCallers) }

    func reserve(_ count: Int) throws(StoreError) { try PrivateFile.reserve(count, at: path, under: lock) }

    func releaseRoom() { PrivateFile.releaseRoom(at: path, under: lock) }

    func save(_ bytes: [UInt8], over revision: Revision?) -> Attempt<Void, StoreError> {
        attempting { () throws(StoreError) in
            // The rename would replace a symbolic link silently; reading refuses it.
            if !isCallers { _ = try token() }
            guard revision == nil || revision == FileStamp(ofLink: path).map(Revision.file) else {
                throw .changed(path: path)
            }
            try PrivateFile.replace(path, with: bytes, under: lock)
            return .done(.success(()))
        }
    }

    func remove() -> Attempt<Bool, StoreError> {
        attempting { () throws(StoreError) in
            guard !isCallers else { return .done(.success(false)) }
            releaseRoom()
            return .done(.success(try PrivateFile.remove(path)))
        }
    }
}

extension PrivateFile {
    static func token(_ path: String, isStrict: Bool = true) throws(StoreError) -> StoredToken? {
        guard let file = try read(path, isStrict: isStrict) else { return nil }
        return StoredToken(bytes: file.bytes, revision: .file(file.stamp))
    }
}
