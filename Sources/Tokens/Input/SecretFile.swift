internal import Glibc
internal import System
internal import TokenStore
package import Shell

/// The rule for files of secrets, keys and assertions, that of token files: only the user or root may write them. Pipes and
/// descriptors are no files.
package enum SecretFile {
    /// The bytes of a file; a warning if others can read it, but without diagnostics for a document, which need not be secret.
    ///
    /// - Throws: exit 11 for a file that cannot be read, that is larger than the limit, that others can write to, or that
    ///   belongs to another user; with `--strict`, also for one that others can read.
    package static func read(_ path: String, limit: Int, _ diagnostics: Diagnostics?) throws(Failure) -> [UInt8] {
        let descriptor = try InputFile.open(try LinkedPath.resolved(path, keepsDescriptors: true))
        defer { descriptor.close() }
        try check(try Failure.system("cannot read \(path)", try FileStatus(descriptor)), of: path, diagnostics)
        return try InputFile.read(descriptor, limit: limit, name: path)
    }

    /// Checks a file that a library reads; one that is missing is its matter.
    ///
    /// - Throws: as ``read(_:limit:_:)``.
    package static func check(_ path: String, _ diagnostics: Diagnostics) throws(Failure) {
        let place = try LinkedPath.resolved(path, keepsDescriptors: true)
        guard let status = try? FileStatus(at: place) else { return }
        try check(status, of: path, diagnostics)
    }

    private static func check(_ status: FileStatus, of path: String, _ diagnostics: Diagnostics?) throws(Failure) {
        guard status.isFile, !DescriptorPath.isOne(path) else { return }
        // Root can read and change every file.
        guard status.isOwnOrRoots || geteuid() == 0 else { throw Failure(StoreError.unsafe(path: path, .foreign)) }
        guard !status.isWritableByOthers else { throw Failure(StoreError.unsafe(path: path, .writable)) }
        // The mode of what a pod has from its cluster is not the user's.
        guard status.isReadableByOthers, !path.hasPrefix("/var/run/secrets/kubernetes.io/") else { return }
        try diagnostics?.warn([.other("other users can read \(path)")])
    }
}
