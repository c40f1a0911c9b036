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
