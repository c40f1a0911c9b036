internal import System
internal import Wire

/// When this machine first saw the present revision of a record, in a file, so that short processes add up. Each machine times
/// a claim by its own ``BootTime``, so that clocks need not agree.
struct SeenRecord {
    let path: String
    private let clock: MachineClock

    init(of name: TokenName, in folder: String, by clock: MachineClock) {
        (path, self.clock) = ("\(folder)/\(name.text).seen", clock)
    }

    /// What changes when another process of this machine has seen another revision.
    var stamp: FileStamp? { FileStamp(ofLink: path) }

    /// The revision that was seen last.
    var revision: String? { read()?.revision }

    /// Takes note of the revision that is there now.
    ///
    /// - Returns: for how many milliseconds it has been there, as far as this machine knows.
    /// - Throws: `system`.
    func note(_ revision: String) throws(StoreError) -> Int {
        let (now, start) = (clock.boot(), clock.start() ?? "")
        if let seen = read(), seen.revision == revision, seen.start == start, seen.since <= now {
            return now - seen.since
        }
        let members: JSONObject = [
            "revision": .string(revision), "boot": .string(start), "since": .integer(now),
        ]
        try PrivateFile.replace(path, with: JSON.object(members).bytes)
        return 0
    }

    private func read() -> (revision: String, start: String, since: Int)? {
        guard let file = try? PrivateFile.read(path), let members = (try? JSON(parsing: file.bytes))?.object,
            let revision = members["revision"]?.string, let start = members["boot"]?.string,
            let since = members["since"]?.integer
        else { return nil }
        return (revision, start, since)
    }
}
