internal import Glibc
package import JOSE
internal import System

/// Flows that wait for their redirect, for a handler that knows only the redirected URL: each in a private file, kept
/// for an hour, used once (`--remember` of oap-authurl(1)).
///
/// A flow leaves an empty file when it ends, `KEY.used` or `KEY.expired`, which goes after another hour.
package struct FlowStore {
    /// How long a flow waits, in seconds, and how long its end is known.
    package static let lifetime = 3600

    private let folder: String
    private let seal: Seal

    /// The flows of a folder, which is made when one is kept. They are sealed with the key of stored tokens, if there is one:
    /// a flow has the verifier of its code, and may have the client's secret and the key of the token.
    package init(folder: String, key: SymmetricKey?) { (self.folder, seal) = (folder, Seal(key: key, place: "flows")) }

    /// The name that a flow is sealed for.
    private static func name(_ key: String) throws(StoreError) -> TokenName { try TokenName("flow-\(key)") }

    package enum Outcome: Sendable, Equatable {
        /// The flow waited, and is used now.
        case taken([UInt8])
        /// A redirect used it before.
        case used
        /// No redirect came in time.
        case expired
        case unknown
    }

    /// The key is a digest of its state, so that no file name tells the state.
    package func keep(_ flow: [UInt8], under key: String, now: Int) throws(StoreError) {
        try PrivateFile.prepareFolder(folder)
        sweep(now: now)
        try PrivateFile.replace("\(folder)/\(key)\(Self.waiting)", with: try seal.sealing(flow, Self.name(key)))
    }

    /// Takes a flow out. Of several processes that ask at once, one gets it.
    ///
    /// - Throws: ``StoreError``; the flow is still kept then.
    package func take(_ key: String, now: Int) throws(StoreError) -> Outcome {
        guard try PrivateFile.checkFolder(folder) else { return .unknown }
        sweep(now: now)
        let path = "\(folder)/\(key)"
        guard let kept = try PrivateFile.read(path + Self.waiting)?.bytes else {
            if try PrivateFile.read(path + Self.used) != nil { return .used }
            return try PrivateFile.read(path + Self.expired) != nil ? .expired : .unknown
        }
        let flow = try seal.opening(kept, Self.name(key))
        do throws(Errno) {
            try Self.mark(path + Self.used)
        } catch {
            guard error == .fileExists else { throw .system(path: path + Self.used, reason: error.description) }
            return .used
        }
        _ = try PrivateFile.remove(path + Self.waiting)
        return .taken(flow)
    }

    /// The flows that wait for their redirect, each with its key and the time of its end, in seconds since 1970.
    package func waiting(now: Int) throws(StoreError) -> [(key: String, flow: [UInt8], end: Int)] {
        guard try PrivateFile.checkFolder(folder) else { return [] }
        sweep(now: now)
        var flows: [(key: String, flow: [UInt8], end: Int)] = []
        for name in try PrivateFile.names(in: folder).sorted() where name.hasSuffix(Self.waiting) {
            let path = "\(folder)/\(name)"
            // Another process may have taken it.
            let key = String(name.dropLast(Self.waiting.count))
            guard let status = try? FileStatus(ofLink: path), let kept = (try? PrivateFile.read(path)) ?? nil,
                let flow = try? seal.opening(kept.bytes, Self.name(key))
            else { continue }
            flows.append((key, flow, status.modified &+ Self.lifetime))
        }
        return flows
    }

    /// Forgets every flow that waits. Its redirect is then that of an unknown flow.
    package func forget() throws(StoreError) {
        guard try PrivateFile.checkFolder(folder) else { return }
        for name in try PrivateFile.names(in: folder) where name.hasSuffix(Self.waiting) {
            _ = try PrivateFile.remove("\(folder)/\(name)")
        }
    }

    private static let waiting = ".json"
    private static let used = ".used"
    private static let expired = ".expired"

    private static func mark(_ path: String) throws(Errno) {
        _ = try OpenFile(path, O_WRONLY | O_CREAT | O_EXCL, mode: 0o600)
    }

    /// Removes files that are an hour old, also the temporary file of a killed process. A flow leaves a mark.
    private func sweep(now: Int) {
        for name in (try? PrivateFile.names(in: folder)) ?? [] {
            let path = "\(folder)/\(name)"
            guard let status = try? FileStatus(ofLink: path), status.modified <= now - Self.lifetime else { continue }
            if name.hasSuffix(RedirectInbox.suffix), !RedirectInbox.isAbandoned(path) { continue }
            if name.hasSuffix(Self.waiting) { try? Self.mark(path.dropLast(Self.waiting.count) + Self.expired) }
            unlink(path)
        }
    }
}
