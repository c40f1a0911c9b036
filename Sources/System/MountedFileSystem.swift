internal import CProcess

/// The file system that a folder lies on.
package struct MountedFileSystem {
    /// The kind of file system, where its locks may hold on one machine alone (statfs(2)).
    package enum Kind: Sendable, Equatable {
        case nfs, lustre, cifs, fuse

        init?(magic: Int) {
            switch magic {
            case 0x6969: self = .nfs
            case 0x0BD0_0BD0: self = .lustre
            // cifs, smb3 and the old smbfs.
            case 0xFF53_4D42, 0xFE53_4D42, 0x517B: self = .cifs
            case 0x6573_5546: self = .fuse
            default: return nil
            }
        }
    }

    package let kind: Kind
    /// The type that was mounted, such as `nfs4` or `fuse.sshfs`; nil if the system does not list the mount.
    package let type: String?
    /// The options of the file system.
    package let options: [String]

    /// - Returns: nil for a folder of another kind, such as one on a disk; nothing is read then.
    package init?(at folder: String) throws(Errno) {
        let number = oap_file_system(folder)
        guard number >= 0 else { throw .current }
        guard let kind = Kind(magic: number) else { return nil }
        let device = try FileStatus(at: folder).device
        let lines = try OpenFile("/proc/self/mountinfo").readAll(limit: 4 << 20) ?? []
        self.init(kind, device: device, in: String(decoding: lines, as: UTF8.self))
    }

    /// From the lines of a mountinfo file (proc_pid_mountinfo(5)).
    ///
    /// - Parameter device: of the folder, `MAJOR:MINOR`.
    package init(_ kind: Kind, device: String, in lines: String) {
        self.kind = kind
        for line in lines.split(separator: "\n") {
            let fields = line.split(separator: " ")
            // The optional fields end with a hyphen; then come the type, the source and the options.
            guard fields.count > 6, fields[2] == device, let end = fields[6...].firstIndex(of: "-"),
                fields.count > end + 3
            else { continue }
            type = String(fields[end + 1])
            options = fields[end + 3].split(separator: ",").map(String.init)
            return
        }
        (type, options) = (nil, [])
    }
}
