internal import TokenStore
internal import Wire

/// Where a token is kept that `oap` renews.
enum TokenPlace {
    /// In the store, under a name.
    case stored(TokenName, any TokenStoring)
    /// In a file of the caller's.
    case file(String)

    /// Waits until no other process works on the token.
    ///
    /// - Throws: exit 11.
    func lock() throws(Failure) -> StoreLock {
        try Failure.storing { () throws(StoreError) -> StoreLock in
            switch self {
            case .stored(let name, let store): try store.lock(name)
            case .file(let path): try StoreLock("\(path).lock")
            }
        }
    }

    /// Keeps a document in the place of the one before. The lock must be held.
    ///
    /// - Throws: exit 11.
    func save(_ document: JSONObject) throws(Failure) {
        let bytes = JSON.object(document).bytes + [0x0A]
        try Failure.storing { () throws(StoreError) in
            switch self {
            case .stored(let name, let store): try store.write(bytes, as: name)
            case .file(let path): try PrivateFile.replace(path, with: bytes)
            }
        }
    }

    /// Makes room for what a document will become, which may be larger, until `save` or `releaseRoom`.
    ///
    /// - Throws: exit 11 where there is none.
    func keepRoom(for document: JSONObject) throws(Failure) {
        let count = JSON.object(document).bytes.count + 65_536
        try Failure.storing { () throws(StoreError) in
            switch self {
            case .stored(let name, let store): try store.keepRoom(for: count, as: name)
            case .file(let path): try PrivateFile.keepRoom(for: count, at: path)
            }
        }
    }

    /// Gives up the room that nothing came for.
    func releaseRoom() {
        switch self {
        case .stored(let name, let store): store.releaseRoom(as: name)
        case .file(let path): PrivateFile.releaseRoom(at: path)
        }
    }

    /// Forgets a stored token; a file is its owner's.
    ///
    /// - Throws: exit 11.
    func forget() throws(Failure) {
        guard case .stored(let name, let store) = self else { return }
        _ = try Failure.storing { () throws(StoreError) in try store.remove(name) }
    }
}
