/// The file of a token, with its lock.
struct HeldFile: HeldToken, ~Copyable {
    private let lock: StoreLock
    private let path: String
    private let isCallers: Bool

    /// Waits for the lock of a file.
    ///
    /// - Parameters:
    ///   - path: the file; it need not be there.
    ///   - lockFile: the file beside it that is locked.
    ///   - isCallers: whether it is a file of the caller's own: others may read it, and it is never removed.
    init(_ path: String, lockFile: String, isCallers: Bool = false) throws(StoreError) {
        lock = try StoreLock(lockFile)
        self.path = path
        self.isCallers = isCallers
    }

    func read() throws(StoreError) -> [UInt8]? { try PrivateFile.read(path, isStrict: !isCallers)?.bytes }

    func reserve(_ count: Int) throws(StoreError) { try PrivateFile.reserve(count, at: path, under: lock) }

    func releaseRoom() { PrivateFile.releaseRoom(at: path, under: lock) }

    func write(_ bytes: [UInt8]) throws(StoreError) {
        // A link in the place of a stored token would be replaced, not followed; say what is wrong rather than hide it.
        if !isCallers { _ = try read() }
        try PrivateFile.replace(path, with: bytes, under: lock)
    }

    func remove() throws(StoreError) -> Bool {
        guard !isCallers else { return false }
        releaseRoom()
        return try PrivateFile.remove(path)
    }
}
