internal import Glibc
internal import System

/// The file of `-o`: written whole or not at all (oap-exchange(1)). The bytes go to a temporary file in the same folder;
/// `commit` renames it. A path that is not a regular file (`/dev/null`, a pipe) is written to directly.
///
/// In a folder that others can write to, another user's link, pipe or device is refused.
package struct OutputFile: ~Copyable {
    package let descriptor: Int32
    private let target: String
    private let replaces: Bool
    private var temporary: TemporaryFile?
    /// The part that the file is made of, which removes itself; nil for a temporary file.
    private let part: PartFile?

    /// Makes the temporary file, before anything is sent.
    ///
    /// - Parameters:
    ///   - replaces: whether an existing file may be replaced.
    ///   - room: the bytes to reserve on the disk.
    ///   - part: the open part of the file, instead of a temporary file.
    ///   - access: who besides the owner may read it; nil for nobody.
    /// - Throws: exit 11; exit 2 for such access to what is no regular file.
    package init(
        path: String, replaces: Bool = true, room: Int = 0, part: PartFile? = nil, access: FileAccess? = nil
    ) throws(Failure) {
        self.part = part
        if let part {
            (self.replaces, target, descriptor, temporary) = (true, part.target, part.file.descriptor.number, part.file)
            return
        }
        let resolved = try LinkedPath.resolved(path, keepsDescriptors: true)
        let isSpecial = DescriptorPath.number(of: resolved) != nil || Self.isSpecial(resolved)
        if isSpecial, access != nil { throw .usage("--mode and --group have no effect: \(path) is not a regular file") }
        let made = isSpecial ? nil : try Failure.system("cannot write \(path)", try TemporaryFile(beside: resolved))
        let opened = if let made { made.descriptor } else { try Self.opened(resolved, name: path) }
        if let made, let problem = PartFile.obstacle(at: resolved) ?? Self.problem(of: access, room, in: made) {
            opened.close()
            made.remove()
            throw .file("cannot write \(path): \(problem)")
        }
        self.replaces = replaces
        target = resolved
        descriptor = opened.number
        temporary = made
        Signals.removeAtDeath(made?.path)
    }

    /// Sets group and mode, and reserves room. The error is that of another group than those of the user, of a full disk,
    /// or of a limit for the size of a file; nil if there is none.
    private static func problem(of access: FileAccess?, _ room: Int, in file: TemporaryFile) -> Errno? {
        do throws(Errno) {
            try access?.apply(to: file.descriptor)
            if room > 0 { try file.reserve(room) }
            return nil
        } catch {
            return error
        }
    }

    private static func isSpecial(_ path: String) -> Bool { (try? FileStatus(at: path))?.isFile == false }

    /// Opens a descriptor, or a path that is not a regular file.
    ///
    /// - Parameter name: its name in messages.
    /// - Throws: exit 11, also for another user's pipe or device in a folder that others can write to.
    private static func opened(_ path: String, name: String) throws(Failure) -> FileDescriptor {
        if let number = DescriptorPath.number(of: path) {
            return try Failure.system("cannot write \(name)", try FileDescriptor(number).duplicate())
        }
        // The path of another process's descriptor is a link that the kernel makes.
        let isDescriptor = DescriptorPath.isOne(path)
        // Checked before, since opening a pipe may wake its reader, and after, since it may have been exchanged.
        if !isDescriptor, let status = try? FileStatus(ofLink: path), status.isForeign(in: path.folderPrefix) {
            throw foreign(path)
        }
        let opened = try Failure.system(
            "cannot write \(name)", try FileDescriptor.open(path, O_WRONLY | O_NOCTTY | (isDescriptor ? 0 : O_NOFOLLOW))
        )
        guard !isDescriptor else { return opened }
        guard let status = try? FileStatus(opened), !status.isForeign(in: path.folderPrefix), !status.isFile else {
            opened.close()
            throw foreign(path)
        }
        return opened
    }

    private static func foreign(_ path: String) -> Failure {
        .file(
            "cannot write \(path): it belongs to another user, in a folder that other users can write to",
            hint: "name a file in a folder of your own")
    }

    /// Renames the file into place: fsync, rename, fsync of the folder.
    ///
    /// - Throws: exit 11; then the old file is unchanged. If only the rename failed, as for a file that is mounted, the
    ///   temporary file is kept: it may hold a token that cannot be issued again.
    package consuming func commit() throws(Failure) {
        guard let file = temporary else { return }
        // Without the rest of the room.
        guard ftruncate(descriptor, lseek(descriptor, 0, SEEK_CUR)) == 0 else {
            throw .file("cannot write \(target): \(Errno.current)")
        }
        switch file.takePlace(of: target, replaces: replaces) {
        case .incomplete(let error): throw .file("cannot write \(target): \(error)")
        case .placed: keep()
        case .complete(let error):
            keep()
            throw .file("cannot replace \(target) with the result: \(error)", hint: "the result is in \(file.path)")
        }
    }

    private mutating func keep() {
        temporary = nil
        part?.finish()
        Signals.removeAtDeath(nil)
    }

    deinit {
        guard part == nil else { return }
        close(descriptor)
        guard let temporary else { return }
        temporary.remove()
        Signals.removeAtDeath(nil)
    }
}

/// The file of `-O`, named after the URL.
enum RemoteName {
    /// The last segment of the path of a URL, without decoding, as in curl.
    ///
    /// - Throws: exit 2 for a URL that gives no usable name.
    static func file(of url: String) throws(Failure) -> String {
        let url = url.prefix { $0 != "?" && $0 != "#" }.utf8
        // An authority is no path.
        let segments = url.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        let isAbsolute = segments.count > 1 && segments[0].last == UInt8(ascii: ":") && segments[1].isEmpty
        let name = String(decoding: segments.dropFirst(isAbsolute ? 3 : 1).last ?? "".utf8[...], as: UTF8.self)
        guard !name.isEmpty, name != "-", !name.hasPrefix("."),
            !name.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        else { throw .usage("the URL does not end with the name of a file", hint: "-o FILE names it") }
        return name
    }
}
