package import CommandSpec
package import Glibc
package import System

/// Who besides the owner may read the file of a token that is kept fresh.
package struct FileAccess {
    static let modeOption = Option(
        "mode", argument: "MODE", otherwise: "0600, or 0640 with --group", section: OutputOption.section,
        summary: "the mode of the file, such as 0640")
    static let groupOption = Option(
        "group", argument: "GROUP", section: OutputOption.section, summary: "the group of the file, a name or a number")
    package static let all = [modeOption, groupOption]

    package let mode: mode_t
    /// nil for that of the process.
    package let group: gid_t?

    /// - Returns: nil without an option.
    /// - Throws: exit 2 for a mode that is none or lets others do more than read, and for an unknown group.
    package init?(_ arguments: Arguments) throws(Failure) {
        guard Self.all.contains(where: arguments.has) else { return nil }
        group = try arguments.value(Self.groupOption).map(Self.group)
        mode = try arguments.value(Self.modeOption).map(Self.mode) ?? (group == nil ? 0o600 : 0o640)
    }

    private static func mode(_ text: String) throws(Failure) -> mode_t {
        let isOctal = (3...4).contains(text.utf8.count) && text.utf8.allSatisfy { (0x30...0x37).contains($0) }
        guard isOctal, let mode = mode_t(text, radix: 8) else {
            throw .usage("--mode takes an octal mode, such as 0640")
        }
        guard mode & 0o022 == 0 else { throw .usage("--mode \(text) would let others write the file") }
        guard mode & ~0o644 == 0, mode & 0o400 != 0 else {
            throw .usage("--mode takes a mode that lets the owner, and others, read the file, such as 0640")
        }
        return mode
    }

    private static func group(_ text: String) throws(Failure) -> gid_t {
        if let number = gid_t(text), number != .max { return number }
        guard let entry = getgrnam(text) else { throw .usage("there is no group \(text)") }
        return entry.pointee.gr_gid
    }

    /// Gives a new file its group, then its mode, before it has content.
    package func apply(to file: FileDescriptor) throws(Errno) {
        if let group, fchown(file.number, .max, group) != 0 { throw .current }
        guard fchmod(file.number, mode) == 0 else { throw .current }
    }

    /// Lets those who may read the files of a folder reach them, and not list them.
    package func open(folder path: String) throws(Errno) {
        if let group, chown(path, .max, group) != 0 { throw .current }
        guard chmod(path, 0o700 | (mode & 0o044) >> 2) == 0 else { throw .current }
    }
}
