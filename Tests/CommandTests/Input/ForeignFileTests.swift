import Foundation
import TestSupport
import Testing
import Wire

@testable import CommandSupport

/// What another user has put in a folder that all can write to. Only root can make such files for a test.
@Suite("A file of another user", .enabled(if: geteuid() == 0, "only root can give a file away"))
struct ForeignFileTests {
    private let folder: TemporaryDirectory
    private static let other: uid_t = 12_345
    private static let document = #"{"access_token":"a"}"#

    init() throws {
        folder = try TemporaryDirectory()
        try FileManager.default.createDirectory(atPath: folder.path("all"), withIntermediateDirectories: false)
        chmod(folder.path("all"), 0o1777)
    }

    private func write(to path: String) throws -> ProgramResult {
        try Program.oap(["refresh", "--if-expired", "-o", path], input: .text(Self.document)).run()
    }

    /// Makes a link of another user.
    private func link(_ name: String, to target: String, owner: uid_t = other) {
        symlink(target, folder.path(name))
        lchown(folder.path(name), owner, owner)
    }

    @Test(
        "-o follows no link of another user in a folder that others can write to, wherever it is in the path",
        arguments: [("all/link", "all/link"), ("all/folder/file", "all/folder"), ("mine", "all/link")])
    func links(path: String, named: String) throws {
        try folder.write("old", to: "own/file")
        link("all/link", to: folder.path("own/file"))
        link("all/folder", to: "../own")
        symlink("all/link", folder.path("mine"))
        let result = try write(to: folder.path(path)).expect(status: 11).expect(output: "")
        result.expect(
            errorLine: "oap: refresh: \(folder.path(named)) is a link of another user, in a folder that other users "
                + "can write to")
        #expect(try folder.read("own/file") == "old")
    }

    @Test(
        "--keep-fresh makes its folder in none of another user, nor below one, and none that others can replace",
        arguments: ["theirs", "theirs/mine", "open/mine", "open", "mine"])
    func runtimeFolder(name: String) throws {
        let managed = try ManagedHome(expiresIn: 1000)
        let home = managed.home
        for folder in ["theirs/mine", "open/mine", "mine"] {
            try FileManager.default.createDirectory(atPath: home.path(folder), withIntermediateDirectories: true)
            chmod(home.path(folder), 0o700)
        }
        chmod(home.path("open"), 0o777)
        lchown(home.path("theirs"), Self.other, Self.other)
        for variable in ["XDG_RUNTIME_DIR", "TMPDIR"] {
            var program = managed.oap(["run", "work", "--keep-fresh", "--", "sh", "-c", "echo $OAP_TOKEN_FILE"])
            program.environment[variable] = home.path(name)
            let file = try program.run().expect(status: 0).text
            #expect(file.hasPrefix(name == "mine" ? home.path("mine/oap-") : "/tmp/oap-"), "\(file)")
            #expect(!file.hasPrefix(home.path("")) || name == "mine")
        }
    }

    @Test("--cache uses no entry and no folder of another user")
    func cache() throws {
        let server = try Responder { request in
            .json(#"{"issuer":"http://\#(request.headers.first("Host") ?? "")"}"#)
        }
        let program = Program.oap(["discover", server.url(), "--cache", "60"], environment: ["HOME": folder.path])
        for _ in 1...2 { try program.run().expect(status: 0) }
        #expect(server.requests.count == 2)
        let cache = folder.path(".cache/oap/metadata")
        let entry = try #require(FileManager.default.contentsOfDirectory(atPath: cache).first)
        lchown("\(cache)/\(entry)", Self.other, Self.other)
        try program.run().expect(status: 0)
        #expect(server.requests.count == 4)
        lchown(cache, Self.other, Self.other)
        try program.run().expect(status: 0)
        #expect(server.requests.count == 6)
    }

    @Test("-o follows no link of another user in that user's folder, or in one that a group can write to")
    func otherFolders() throws {
        try folder.write("old", to: "own/file")
        for (name, owner, mode) in [("theirs", Self.other, mode_t(0o755)), ("group", 0, 0o775)] {
            try FileManager.default.createDirectory(atPath: folder.path(name), withIntermediateDirectories: false)
            link("\(name)/link", to: folder.path("own/file"))
            chown(folder.path(name), owner, owner)
            chmod(folder.path(name), mode)
            try write(to: folder.path("\(name)/link")).expect(status: 11)
        }
        #expect(try folder.read("own/file") == "old")
    }

    @Test("-o follows the user's own link in a folder that others can write to, and any in one that they cannot")
    func ownLinks() throws {
        link("all/link", to: folder.path("one"), owner: 0)
        try write(to: folder.path("all/link")).expect(status: 0)
        #expect(try folder.read("one") == Self.document + "\n")
        link("link", to: "two")
        try write(to: folder.path("link")).expect(status: 0)
        #expect(try folder.read("two") == Self.document + "\n")
    }

    @Test("-o writes to no pipe of another user in a folder that others can write to, and to the user's own")
    func pipes() throws {
        let path = folder.path("all/pipe")
        #expect(mkfifo(path, 0o666) == 0 && chmod(path, 0o666) == 0)
        let reader = open(path, O_RDONLY | O_NONBLOCK)
        defer { close(reader) }
        chown(path, Self.other, Self.other)
        let result = try write(to: path).expect(status: 11).expect(output: "")
        result.expect(
            errorLine: "oap: refresh: cannot write \(path): it belongs to another user, in a folder that other users "
                + "can write to")
        var bytes = [UInt8](repeating: 0, count: 100)
        #expect(read(reader, &bytes, bytes.count) == 0)
        chown(path, 0, 0)
        try write(to: path).expect(status: 0)
        #expect(read(reader, &bytes, bytes.count) == Self.document.utf8.count + 1)
    }

    /// A token document of which nothing is due.
    private func token(_ endpoint: Responder) throws -> String {
        try folder.write(JSON.object(endpoint.token).text, to: "all/token.json")
    }

    @Test(
        "a token file that another user has, or others can write to, is exit 11, and nothing is sent",
        arguments: [(12_345, 0o600), (12_345, 0o644), (12_345, 0o666), (0, 0o666), (0, 0o620), (0, 0o602)]
            as [(uid_t, mode_t)])
    func tokenFile(owner: uid_t, mode: mode_t) throws {
        let server = try Responder()
        let path = try token(server)
        chmod(path, mode)
        chown(path, owner, owner)
        let reason = owner == 0 ? "others can write to it" : "it belongs to another user"
        for command in [["call", "/x"], ["refresh"], ["revoke"]] {
            let result = try Program.oap(command + ["--token-file", path]).run().expect(status: 11)
            #expect(result.errorText.contains("\(path): \(reason)\n"), "\(result)")
        }
        #expect(server.connectionCount == 0)
    }

    @Test("a token file is not reached through a link of another user in a folder that others can write to")
    func linkToTokenFile() throws {
        let server = try Responder()
        _ = try token(server)
        link("all/link", to: "token.json")
        let result = try Program.oap(["call", "/x", "--token-file", folder.path("all/link")]).run()
        #expect(result.expect(status: 11).errorText.contains("is a link of another user"))
        #expect(server.connectionCount == 0)
    }

    @Test("--resume goes on with no file that another user has made or can change, and follows no link of another user")
    func resume() throws {
        let server = try Responder { _ in .text("") }
        let file = try folder.write("oap-batch 1 their-keys\n", to: "all/resume")
        link("all/link", to: folder.path("new"))
        let batch = { (path: String) in
            try Program.oap(
                ["call", "--batch", "--api-base", server.url(), "--idempotency-key", "--resume", path],
                input: .text(#"{"url":"/x","method":"POST"}"# + "\n"), environment: ["OAP_ACCESS_TOKEN": "t"]
            ).run()
        }
        for (owner, mode) in [(Self.other, 0o600), (Self.other, 0o666), (0, 0o666), (0, 0o620)] as [(uid_t, mode_t)] {
            chmod(file, mode)
            chown(file, owner, owner)
            let result = try batch(file).expect(status: 11).expect(output: "")
            #expect(result.errorText.contains("belongs to another user, or other users can write to it"), "\(result)")
        }
        let linked = try batch(folder.path("all/link")).expect(status: 11)
        #expect(linked.errorText.contains("is a link of another user"), "\(linked)")
        #expect(!folder.contains("new") && server.connectionCount == 0)
        chmod(file, 0o600)
        try batch(file).expect(status: 0)
    }

    @Test("a lock of another user beside a token file is not waited for: exit 11 at once")
    func lock() throws {
        let server = try Responder(.token)
        let path = try token(server)
        chmod(path, 0o600)
        try folder.write("", to: "all/token.json.lock")
        chown("\(path).lock", Self.other, Self.other)
        let holder = open("\(path).lock", O_RDONLY)
        defer { close(holder) }
        #expect(flock(holder, LOCK_EX) == 0)
        var program = Program.oap(["refresh", "--token-file", path])
        program.deadline = .seconds(20)
        let result = try program.run().expect(status: 11)
        #expect(result.errorText.contains("\(path).lock: it belongs to another user\n"), "\(result)")
        #expect(server.connectionCount == 0)
    }

    @Test("a key of another user seals and opens nothing: exit 11")
    func key() throws {
        let store = try StoreHome().withKey()
        chown(store.home.path("key"), Self.other, Self.other)
        let result = try store.oap("store", "put", "work", input: Self.document).run().expect(status: 11)
        #expect(result.errorText.contains("\(store.home.path("key")): it belongs to another user\n"), "\(result)")
        #expect(!store.home.contains("\(store.folder)/work.json"))
    }

    @Test(
        "a profile or an own preset of another user is not used: exit 11",
        arguments: [
            ("profiles/work.json", ["authurl", "-p", "work"]), ("providers/mine.json", ["provider", "mine"]),
        ])
    func profile(file: String, command: [String]) throws {
        let path = try folder.write("{}", to: ".config/oap/\(file)")
        chown(path, Self.other, Self.other)
        let result = try Program.oap(command, environment: ["HOME": folder.path]).run().expect(status: 11)
        #expect(result.errorText.contains("\(path): it belongs to another user\n"), "\(result)")
    }

    @Test("the definitions in a ~/.jq of another user serve no filter: exit 11; the user's own do")
    func definitions() throws {
        // It calls a builtin that the filter does not name.
        let path = try folder.write("def tostring: [\"mine\"] | map(.) | first;", to: ".jq")
        let program = Program.oap(
            ["refresh", "--if-expired", "-r", "-q", ".access_token|tostring"], input: .text(Self.document),
            environment: ["HOME": folder.path])
        try program.run().expect(status: 0).expect(output: "mine\n")
        chown(path, Self.other, Self.other)
        let result = try program.run().expect(status: 11).expect(output: "")
        #expect(result.errorText.contains("\(path): it belongs to another user"), "\(result)")
    }
}
