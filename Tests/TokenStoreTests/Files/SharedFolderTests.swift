import Foundation
import System
import TestSupport
import Testing

@testable import TokenStore

@Suite("Folders on the file systems of a network")
struct SharedFolderTests {
    private typealias Kind = MountedFileSystem.Kind

    /// What mountinfo has for a mount of these options at the device 0:52, among others.
    private func mounted(_ kind: Kind, _ type: String, _ options: String) -> MountedFileSystem {
        let lines = """
            27 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw,nolock,localflock
            41 27 0:51 / /net rw - nfs4 other:/ rw,local_lock=all
            42 27 0:52 / /home/a\\040b rw,nosuid shared:7 master:2 - \(type) server:/home \(options)
            43 27 0:5 / /x rw - nfs
            """
        return MountedFileSystem(kind, device: "0:52", in: lines)
    }

    @Test(
        "locks that machines share are trusted: NFS, Lustre with flock, CIFS, disks and the folders of containers",
        arguments: [
            (Kind.nfs, "nfs4", "rw,vers=4.2,hard,local_lock=none,addr=10.0.0.1"),
            (.nfs, "nfs", "rw,vers=3,local_lock=posix"), (.lustre, "lustre", "rw,flock,lazystatfs"),
            (.cifs, "cifs", "rw,vers=3.1.1,cache=strict"), (.fuse, "fuseblk", "rw,user_id=0"),
            (.fuse, "fuse.fuse-overlayfs", "rw"), (.fuse, "fuse.juicefs", "rw,user_id=0"),
        ] as [(MountedFileSystem.Kind, String, String)])
    func coherent(kind: MountedFileSystem.Kind, type: String, options: String) {
        #expect(mounted(kind, type, options).problem == nil)
    }

    @Test(
        "locks of one machine alone are found in the options, and the option to ask for is named",
        arguments: [
            (Kind.nfs, "nfs", "rw,vers=3,nolock,local_lock=all", "nolock", "local_lock=none"),
            (.nfs, "nfs", "rw,vers=3,local_lock=flock", "local_lock=flock", "local_lock=none"),
            (.nfs, "nfs4", "rw,local_lock=all", "local_lock=all", "local_lock=none"),
            (.lustre, "lustre", "rw,localflock", "localflock", "flock"),
            (.lustre, "lustre", "rw,noflock,lazystatfs", "no option flock", "flock"),
            (.cifs, "cifs", "rw,vers=3.0,nobrl", "nobrl", "brl"), (.cifs, "smb3", "rw,nolock", "nolock", "brl"),
            (.fuse, "fuse.sshfs", "rw,user_id=0", "fuse.sshfs", nil), (.fuse, "fuse", "rw", "fuse", nil),
        ] as [(MountedFileSystem.Kind, String, String, String, String?)])
    func local(kind: MountedFileSystem.Kind, type: String, options: String, named: String, wanted: String?) throws {
        let problem = try #require(mounted(kind, type, options).problem)
        #expect(problem.reason.hasSuffix(named) || problem.reason.contains("\(named), "), "\(problem)")
        #expect(problem.wanted?.contains(wanted ?? "-") ?? (wanted == nil), "\(problem)")
    }

    @Test("a mount that the system does not list, or not in full, is not trusted")
    func unlisted() {
        for device in ["0:53", "0:5"] {
            let system = MountedFileSystem(.nfs, device: device, in: "43 27 0:5 / /x rw - nfs\n")
            #expect(system.type == nil && system.problem?.reason.contains("does not say") == true)
        }
    }

    @Test("nothing is read for a folder on another file system, and a folder that is missing is an error")
    func disk() throws {
        let folder = try TemporaryDirectory()
        #expect(try MountedFileSystem(at: folder.path) == nil)
        #expect(throws: StoreError.self) { try SharedFolder.checked.check(folder.path("missing")) }
        try SharedFolder.trusted.check(folder.path("missing"))
    }
}
