import Foundation
import TestSupport
import Testing
import Wire

@testable import CommandSupport

@Suite("A kept token in a file for a process of another user")
struct FileAccessTests {
    private func status(_ path: String) throws -> stat {
        var status = stat()
        try #require(stat(path, &status) == 0)
        return status
    }

    /// A group that this process may give a file to.
    private var group: gid_t { geteuid() == 0 ? 54_321 : getegid() }

    /// What a process of another user and this group reads; nil without the right to become one.
    private func read(_ path: String) throws -> ProgramResult? {
        guard geteuid() == 0 else { return nil }
        let words = ["--reuid", "54322", "--regid", String(group), "--clear-groups", "cat", path]
        return try Program(path: "/usr/bin/setpriv", arguments: words).run()
    }

    @Test("--mode and --group of --watch give the file to the group from its first byte on, and after each renewal")
    func watch() throws {
        let managed = try ManagedHome(expiresIn: 65)
        let file = managed.home.path("watched")
        chmod(managed.home.path, 0o711)
        let watch = try managed.oap(["token", "work", "--watch", "-o", file, "--group", String(group)]).start()
        for token in ["at-0", "at-1"] {
            let script = "until [ \"$(cat $0 2>/dev/null)\" = \(token) ]; do sleep 0.02; done"
            try Program(path: "/bin/sh", arguments: ["-c", script, file]).run().expect(status: 0)
            let found = try status(file)
            #expect(found.st_mode & 0o777 == 0o640 && found.st_gid == group && found.st_uid == geteuid())
            try read(file)?.expect(status: 0).expect(output: "\(token)\n")
        }
        watch.send(signal: SIGTERM)
        try watch.finish().expect(signal: SIGTERM)
    }

    @Test("--mode and --group of --keep-fresh let others read the file by its path, and nothing else")
    func keepFresh() throws {
        let managed = try ManagedHome(expiresIn: 1000)
        let runtime = managed.home.path("run")
        try FileManager.default.createDirectory(atPath: runtime, withIntermediateDirectories: true)
        for (options, modes) in [
            (["--group", String(group)], "640 710"), (["--mode", "0644"], "644 711"), (["--mode", "600"], "600 700"),
        ] {
            let other = "setpriv --reuid 54322 --regid \(group) --clear-groups"
            let script = """
                echo $(stat -c %a $OAP_TOKEN_FILE $(dirname $OAP_TOKEN_FILE)) $(stat -c %g $OAP_TOKEN_FILE)
                [ $(id -u) != 0 ] || \(other) cat $OAP_TOKEN_FILE; [ $(id -u) != 0 ] || \(other) ls $(dirname $OAP_TOKEN_FILE)
                exit 0
                """
            var program = managed.oap(["run", "work", "--keep-fresh"] + options + ["--", "sh", "-c", script])
            program.environment["XDG_RUNTIME_DIR"] = runtime
            let result = try program.run().expect(status: 0)
            let owner = options[0] == "--group" ? group : getegid()
            #expect(result.text.hasPrefix("\(modes) \(owner)\n"), "\(result)")
            guard geteuid() == 0 else { continue }
            #expect(result.text.hasSuffix("at-0") == (options != ["--mode", "600"]), "\(result)")
        }
    }

    @Test("other secrets, modes that let others write, and a file that is none are refused, and nothing is written")
    func refused() throws {
        let managed = try ManagedHome(expiresIn: 1000)
        let file = managed.home.path("watched")
        for (options, message) in [
            (["--mode", "0640", "--document"], "--mode and --group are refused: the document has refresh_token"),
            (["--group", "0", "--jq", "."], "--mode and --group are refused: the document has refresh_token"),
            (["--mode", "0660"], "--mode 0660 would let others write the file"),
            (["--mode", "0646"], "--mode 0646 would let others write the file"),
            (["--mode", "0750"], "--mode takes a mode that lets the owner, and others, read the file, such as 0640"),
            (["--mode", "rw"], "--mode takes an octal mode, such as 0640"),
            (["--group", "no-such-group-here"], "there is no group no-such-group-here"),
        ] {
            try managed.oap(["token", "work", "--watch", "-o", file] + options).run().expect(status: 2)
                .expect(errorLine: "oap: token: \(message)")
            #expect(!managed.home.contains("watched"))
        }
        try managed.oap("token", "work", "--watch", "-o", "/dev/null", "--mode", "0640").run().expect(status: 2)
            .expect(errorLine: "oap: token: --mode and --group have no effect: /dev/null is not a regular file")
        try managed.oap("token", "work", "-o", file, "--mode", "0640").run().expect(status: 2)
        try managed.oap("run", "work", "--mode", "0640", "--", "true").run().expect(status: 2)
    }
}
