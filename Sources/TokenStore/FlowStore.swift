internal import Glibc
internal import System

/// Flows that wait for their redirect, for a handler that knows nothing but the redirected URL: each in a private file,
/// kept for an hour, used once (`--remember` of oap-authurl(1)).
package struct FlowStore {
    /// How long a flow waits, in seconds.
    package static let lifetime = 3600

    private let folder: String

    /// The flows of a folder, which is made when one is kept.
    package init(folder: String) { self.folder = folder }

    /// Keeps a flow.
    ///
    /// - Parameters:
    ///   - key: what it is found by: a digest of its state in hexadecimal digits, so that no file's name tells the state.
    ///   - now: seconds since 1970.
    /// - Throws: ``StoreError``.
    package func keep(_ flow: [UInt8], under key: String, now: Int) throws(StoreError) {
        try PrivateFile.prepareFolder(folder)
        sweep(now: now)
        try PrivateFile.replace(path(key), with: flow)
    }

    /// Takes a flow out: of two who ask at once, one gets it.
    ///
    /// - Returns: the flow; nil where there is none, or none any more.
    /// - Throws: ``StoreError``.
    package func take(_ key: String, now: Int) throws(StoreError) -> [UInt8]? {
        guard try PrivateFile.checkFolder(folder) else { return nil }
        sweep(now: now)
        guard let flow = try PrivateFile.read(path(key))?.bytes else { return nil }
        return try PrivateFile.remove(path(key)) ? flow : nil
    }

    /// Removes what nobody came for, the temporary files of a process that was killed among it.
    private func sweep(now: Int) {
        for name in (try? PrivateFile.names(in: folder)) ?? [] {
            let path = "\(folder)/\(name)"
            guard let status = try? FileStatus(ofLink: path), status.modified <= now - Self.lifetime else { continue }
            unlink(path)
        }
    }

    private func path(_ key: String) -> String { "\(folder)/\(key).json" }
}
