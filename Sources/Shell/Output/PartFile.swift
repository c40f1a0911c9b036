internal import Glibc
internal import JOSE
package import System
internal import TokenStore
internal import Wire

/// The bytes of a download that is not complete, kept beside its target as `NAME.oap-part`, so that a later run can go on
/// (oap-call(1), `-C`). `NAME.oap-part.json` has their origin. It is locked until the download ends.
package final class PartFile {
    /// What the bytes are a part of.
    package struct Origin {
        /// The value of `If-Range` that names the version (RFC 9110 §13.1.5).
        package let validator: String
        /// The size of the whole in bytes, if it is known.
        package let size: Int?
        /// Where the bytes came from after redirects; see `place(of:)`.
        package let place: String

        package init(validator: String, size: Int? = nil, place: String) {
            (self.validator, self.size, self.place) = (validator, size, place)
        }
    }

    /// The SHA-256 of a URL without its query, which may be signed anew each time, in hexadecimal digits: an ETag names a
    /// version of one resource only.
    package static func place(of url: String) -> String { Digest.sha256.hexadecimal(String(url.prefix { $0 != "?" })) }

    /// The path behind symbolic links of the file that the download becomes.
    package let target: String
    /// The bytes, written to at their end.
    package let file: TemporaryFile
    /// The origin of the bytes; nil if it is not known or another URL, so that nothing can go on with them.
    package private(set) var origin: Origin?
    /// The SHA-256 of the URL in hexadecimal digits; the URL itself may hold a secret.
    private let url: String
    /// Whether the bytes are kept if they do not become the target.
    private var isKept = true
    /// Whether the bytes have become the target.
    private var isDone = false

    /// Opens the part of a file, and locks it.
    ///
    /// - Parameter url: where the whole comes from.
    /// - Throws: exit 2 if the target is not a regular file; exit 11, also if another process has the lock.
    package init(of path: String, from url: String) throws(Failure) {
        target = try LinkedPath.resolved(path, keepsDescriptors: true)
        let isFile = (try? FileStatus(at: target))?.isFile ?? true
        guard isFile, !DescriptorPath.isOne(target), target.utf8.last != UInt8(ascii: "/") else {
            throw .usage("\(CallOption.continueAt.name) needs a regular file, which \(path) is not")
        }
        if let problem = Self.obstacle(at: target) { throw .file("cannot write \(path): \(problem)") }
        file = TemporaryFile(try Self.opened("\(target).oap-part"), at: "\(target).oap-part")
        self.url = Digest.sha256.hexadecimal(url)
        origin = origin(in: record)
        lseek(file.descriptor.number, 0, SEEK_END)
        keep(size > 0)
    }

    /// The error that the rename would have, as far as it is known: a name that is too long, another user's file in a
    /// folder such as `/tmp`.
    package static func obstacle(at path: String) -> Errno? {
        let file: FileStatus
        do throws(Errno) {
            file = try FileStatus(ofLink: path)
        } catch {
            return error == .noSuchFile ? nil : error
        }
        guard let folder = try? FileStatus(at: path.folderPrefix + "."), folder.isSticky else { return nil }
        return [0, file.owner, folder.owner].contains(geteuid()) ? nil : .notPermitted
    }

    deinit {
        if !isDone, !isKept || size == 0 {
            unlink(record)
            file.remove()
            Signals.removeAtDeath(nil)
        }
        file.descriptor.close()
        Signals.tellAtDeath(nil)
    }

    package var size: Int { (try? FileStatus(file.descriptor))?.size ?? 0 }

    /// What to do about a download that was interrupted; nil if a later run cannot go on with it.
    package var hint: String? {
        guard origin != nil, isKept, size > 0 else { return nil }
        return "run the same command again to continue after the \(size) bytes in \(file.path)"
    }

    private var record: String { "\(file.path).json" }

    /// Removes the bytes, to begin with others.
    ///
    /// - Parameter new: their origin; nil if it is not known.
    /// - Throws: exit 11.
    package func restart(_ new: Origin?) throws(Failure) {
        keep(false)
        unlink(record)
        try cut(to: 0)
        origin = new
        guard let new else { return }
        let members: JSONObject = [
            "url_sha256": .string(url), "validator": .string(new.validator),
            "size": new.size.map { .integer($0) } ?? .null, "place_sha256": .string(new.place),
        ]
        // One that is cut short is no JSON, and does not count.
        let file = try Failure.system(
            "cannot write \(record)", try OpenFile(record, O_WRONLY | O_CREAT | O_EXCL, mode: 0o600))
        try Failure.system("cannot write \(record)", try file.writeAll(JSON.object(members).bytes))
        keep(true)
    }

    /// Removes the bytes behind the first `count`.
    ///
    /// - Throws: exit 11.
    package func cut(to count: Int) throws(Failure) {
        guard ftruncate(file.descriptor.number, count) == 0, lseek(file.descriptor.number, count, SEEK_SET) == count
        else { throw .file("cannot write \(file.path): \(Errno.current)") }
    }

    /// Decides whether the bytes are kept, also if a signal ends the process.
    private func keep(_ isKept: Bool) {
        self.isKept = isKept
        Signals.removeAtDeath(isKept ? nil : file.path)
        Signals.tellAtDeath(isKept && origin != nil ? "run the same command again to continue \(file.path)" : nil)
    }

    /// Ends the part: its bytes have become the target.
    package func finish() {
        unlink(record)
        isDone = true
    }
}

extension PartFile {
    /// Opens a part without following a link, and locks it. Until then another process may put it into place or remove it.
    private static func opened(_ path: String) throws(Failure) -> FileDescriptor {
        while true {
            let flags = O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY
            let file = try Failure.system("cannot write \(path)", try FileDescriptor.open(path, flags, mode: 0o600))
            do throws(Failure) {
                if try isLocked(file, at: path) { return file }
            } catch {
                file.close()
                throw error
            }
            file.close()
        }
    }

    /// Locks a part.
    ///
    /// - Returns: whether it is still at its path.
    private static func isLocked(_ file: FileDescriptor, at path: String) throws(Failure) -> Bool {
        guard let status = try? FileStatus(file), status.isFile, status.isOwn, status.links < 2 else {
            throw .file(
                "cannot write \(path): it is not a regular file of your own with one hard link", hint: "remove it")
        }
        guard flock(file.number, LOCK_EX | LOCK_NB) == 0 else {
            let error = Errno.current
            let isHeld = error == .wouldBlock
            throw .file("cannot lock \(path): \(isHeld ? "another process is writing this download" : "\(error)")")
        }
        guard let current = try? FileStatus(ofLink: path), current.isSame(as: status) else { return false }
        fchmod(file.number, 0o600)
        return true
    }

    /// Reads an origin; nil if there is none that can be used.
    private func origin(in path: String) -> Origin? {
        guard let bytes = (try? PrivateFile.read(path))?.bytes, let members = (try? JSON(parsing: bytes))?.object,
            members["url_sha256"]?.string == url, let validator = members["validator"]?.string,
            HTTPResponseHead.isRangeValidator(validator), let place = members["place_sha256"]?.string
        else { return nil }
        return Origin(validator: validator, size: members["size"]?.integer, place: place)
    }
}
