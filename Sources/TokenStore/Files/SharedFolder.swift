internal import System

/// Whether the locks in a folder keep off other machines too, or are the business of this machine alone: then two machines
/// would renew one token at once (oap-store(1), STORES).
package struct SharedFolder: Equatable {
    /// Whether the user answers for the locks (`--store-trust`): then nothing is asked.
    package static let trusted = SharedFolder(isTrusted: true)
    package static let checked = SharedFolder(isTrusted: false)

    private let isTrusted: Bool

    /// Asks before a file of the folder is locked.
    ///
    /// - Throws: `localLocks`; `system`.
    func check(_ folder: String) throws(StoreError) {
        guard !isTrusted, let system = try StoreError.at(folder, try MountedFileSystem(at: folder)),
            let problem = system.problem
        else { return }
        throw .localLocks(path: folder, reason: problem.reason, wanted: problem.wanted)
    }
}

extension MountedFileSystem {
    /// Why locks in the folder may hold on this machine alone, and what to ask for; nil if they hold for all.
    package var problem: (reason: String, wanted: String?)? {
        guard let type else { return ("the system does not say how it is mounted", nil) }
        func bad(_ option: String, _ wanted: String) -> (String, String?) {
            ("it is on \(type), mounted with \(option)", wanted)
        }
        switch kind {
        case .nfs:
            // nfs(5): nolock goes before local_lock.
            let isLocal = options.first { ["nolock", "local_lock=flock", "local_lock=all"].contains($0) }
            return isLocal.map { bad($0, "lock,local_lock=none") }
        case .lustre:
            if options.contains("flock") { return nil }
            return bad(options.contains("localflock") ? "localflock" : "no option flock", "flock")
        case .cifs:
            let isLocal = options.first { ["nobrl", "nolock"].contains($0) }
            return isLocal.map { bad($0, "brl") }
        case .fuse:
            if Self.knownOfFUSE.contains(type) { return nil }
            return ("it is on \(type), whose locks may be local", nil)
        }
    }

    /// A disk of this machine, the folders of a container, and one that documents flock(2) over all machines.
    private static let knownOfFUSE = ["fuseblk", "fuse.fuse-overlayfs", "fuse.juicefs"]
}
