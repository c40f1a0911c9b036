import Foundation
import TestSupport
import Testing
import Wire

@testable import CommandSupport

/// A home with a token that has expired, and a token endpoint that counts who asks it.
private struct StoredHome {
    let home: TemporaryDirectory
    let endpoint: Responder
    let before: Data

    init() throws {
        home = try TemporaryDirectory()
        endpoint = try Responder { _ in .token }
        let token = endpoint.token.with(["expires_in": 60, "expires_at": 1000])
        try Program.oap(["store", "put", "work"], input: token.input, environment: ["HOME": home.path]).run()
            .expect(status: 0)
        before = try Data(contentsOf: URL(fileURLWithPath: home.path(".local/state/oap/tokens/work.json")))
    }

    static let folder = ".local/state/oap/tokens"
    static let file = "\(folder)/work.json"

    /// A command in this home; `put` has a token to store.
    func run(_ arguments: [String], _ environment: [String: String] = [:]) throws -> ProgramResult {
        var program = Program.oap(arguments, environment: ["HOME": home.path].merging(environment) { $1 })
        if arguments.contains("put") { program.input = .text(#"{"access_token":"new"}"#) }
        return try program.run()
    }

    /// Whether the token is as it was to the byte, with nothing beside it but its lock.
    func expectUntouched(sourceLocation: SourceLocation = #_sourceLocation) throws {
        #expect(
            FileManager.default.contents(atPath: home.path(Self.file)) == before, sourceLocation: sourceLocation)
        let names = try FileManager.default.contentsOfDirectory(atPath: home.path(Self.folder)).sorted()
        #expect(names == ["work.json", "work.lock"], sourceLocation: sourceLocation)
    }
}

@Suite("A store that cannot be used")
struct StoreFailureTests {
    @Test(
        "a store that cannot be used is exit 11 that says why, with the old token to the byte",
        arguments: [
            ("flock", ENOLCK, "it cannot be locked: no locks available"), ("open", EROFS, "read-only file system"),
            ("create", EROFS, "read-only file system"), ("create", ENOSPC, "no space left on device"),
            ("write", ENOSPC, "no space left on device"), ("write", EDQUOT, "disk quota exceeded"),
            ("fsync", EIO, "input/output error"),
        ])
    func faults(function: String, code: Int32, reason: String) throws {
        let stored = try StoredHome()
        for arguments in [["store", "put", "work"], ["token", "work"]] {
            let result = try stored.run(arguments, try FaultLibrary.fault(function, code)).expect(status: 11)
            #expect(result.errorText.contains("/work.") && result.errorText.contains(": \(reason)\n"), "\(result)")
            try stored.expectUntouched()
        }
    }

    @Test(
        "no refresh token is spent for a token that the store could not take",
        arguments: [("flock", ENOLCK), ("open", EROFS), ("create", EROFS), ("posix_fallocate", ENOSPC)])
    func nothingSent(function: String, code: Int32) throws {
        let stored = try StoredHome()
        try stored.run(["token", "work"], try FaultLibrary.fault(function, code)).expect(status: 11)
        #expect(stored.endpoint.connectionCount == 0)
        try stored.expectUntouched()
        #expect(try stored.run(["token", "work"]).expect(status: 0).text == "new-access\n")
    }

    @Test("a request of which no byte could be sent has spent no refresh token, and is sent again")
    func unsent() throws {
        let stored = try StoredHome()
        var program = Program.oap(["token", "work"], environment: ["HOME": stored.home.path])
        let fault = ["-f", "-o", "/dev/null", "-e", "trace=sendto", "-e", "inject=sendto:error=EPIPE:when=1"]
        program.arguments = fault + [program.path] + program.arguments
        program.path = "/usr/bin/strace"
        let result = try program.run().expect(status: 0).expect(output: "new-access\n")
        let told = "connection to 127.0.0.1 port \(stored.endpoint.port) broke: "
        #expect(result.errorText.contains(told) && result.errorText.contains("trying again"), "\(result)")
        #expect(stored.endpoint.requests.count == 1)
    }

    @Test("the command line is not lost where a library moves the environment")
    func movedEnvironment() throws {
        let stored = try StoredHome()
        let fault = try FaultLibrary.variables("environment")
        #expect(try stored.run(["token", "work"], fault).expect(status: 0).text == "new-access\n")
    }

    @Test("a token that was written whole and could not take its place is kept, and oap says where")
    func misplaced() throws {
        let stored = try StoredHome()
        let result = try stored.run(["token", "work"], try FaultLibrary.fault("rename", EIO))
        result.expect(status: 11).expect(output: "")
        let hint = try #require(result.errorText.split(separator: "\n").last)
        let path = try #require(hint.split(separator: " ").last).description
        #expect(hint == "oap: hint: the new content is in \(path)")
        #expect(try String(contentsOfFile: path, encoding: .utf8).contains(#""access_token":"new-access""#))
        #expect(FileManager.default.contents(atPath: stored.home.path(StoredHome.file)) == stored.before)
    }

    @Test("a store that has no room on the disk is exit 11")
    func fileSizeLimit() throws {
        let stored = try StoredHome()
        for command in ["echo '{\"access_token\":\"new\"}' | oap store put work", "oap token work"] {
            let script = "ulimit -f 0; \(command)"
            let result = try Program.shell(script, environment: ["HOME": stored.home.path]).run().expect(status: 11)
            #expect(result.errorText.contains("work.json: file too large"), "\(result)")
            try stored.expectUntouched()
        }
        #expect(stored.endpoint.connectionCount == 0)
    }

    @Test("a store in a home that may only be read is exit 11, and a valid token is printed all the same")
    func readOnlyHome() throws {
        let stored = try StoredHome()
        let folder = stored.home.path(StoredHome.folder)
        // Root may write anywhere, unless it is without the capability to.
        let bound = geteuid() == 0 ? "setpriv --bounding-set=-dac_override,-dac_read_search " : ""
        func run(_ command: String) throws -> ProgramResult {
            try Program.shell("\(bound)sh -c '\(command)'", environment: ["HOME": stored.home.path]).run()
        }
        unlink("\(folder)/work.lock")
        chmod(folder, 0o500)
        defer { chmod(folder, 0o700) }
        #expect(try run("touch \(folder)/x").expect(status: 1).errorText.contains("Permission denied"))
        let put = try run(#"echo "{\"access_token\":\"new\"}" | oap store put work"#).expect(status: 11)
        #expect(put.errorText.contains("work.lock: permission denied"))
        put.expect(errorLine: "oap: hint: set XDG_CONFIG_HOME and XDG_STATE_HOME to folders that you can write to")
        #expect(try run("oap token work").expect(status: 11).errorText.contains("permission denied"))
        try run("oap store delete work").expect(status: 11)
        let away = try run(#"echo "{\"access_token\":\"new\"}" | HOME=\#(folder)/none oap store put work"#)
        #expect(away.expect(status: 11).errorText.contains("none/.local/state/oap/tokens: permission denied"))
        away.expect(errorLine: "oap: hint: set XDG_CONFIG_HOME and XDG_STATE_HOME to folders that you can write to")
        #expect(try run("oap store get work").expect(status: 0).text == String(decoding: stored.before, as: UTF8.self))
        #expect(try run("oap store list").expect(status: 0).text.contains(#""name":"work""#))
        #expect(stored.endpoint.connectionCount == 0)
        #expect(FileManager.default.contents(atPath: stored.home.path(StoredHome.file)) == stored.before)
    }

    @Test(
        "a store without a home is exit 11, unless another variable or option says where it is",
        arguments: ["", "relative"])
    func noHome(home: String) throws {
        let stored = try StoredHome()
        let folder = stored.home.path(StoredHome.folder)
        for arguments in [["put", "work"], ["get", "work"], ["delete", "work"], ["list"]] {
            try stored.run(["store"] + arguments, ["HOME": home]).expect(status: 11).expect(
                errorLine: "oap: store: HOME is not set to an absolute path")
        }
        try stored.run(["token", "work"], ["HOME": home]).expect(status: 11)
        try stored.expectUntouched()
        try stored.run(["token", "work"], ["HOME": home, "OAP_STORE": "file:\(folder)"])
            .expect(status: 0).expect(output: "new-access\n")
    }

    @Test(
        "a store of which another user has the folder, the one above it or the file is exit 11",
        arguments: [StoredHome.folder, StoredHome.file, ".local/state/oap"])
    func otherUser(path: String) throws {
        let stored = try StoredHome()
        if path == ".local/state/oap" {
            try FileManager.default.removeItem(atPath: stored.home.path(StoredHome.folder))
        }
        let owner = ["-h", "12345", stored.home.path(path)]
        let giving = geteuid() == 0 ? ["/usr/bin/chown"] + owner : ["/usr/bin/sudo", "-n", "/usr/bin/chown"] + owner
        try Program(path: giving[0], arguments: Array(giving.dropFirst())).run().expect(status: 0)
        // Root, which may do everything, is the one to whom this happens (`sudo`).
        let result = try stored.run(["store", "put", "work"]).expect(status: 11)
        #expect(result.errorText.contains("\(stored.home.path(path)): it belongs to another user\n"), "\(result)")
        if path != ".local/state/oap" {
            try stored.run(["token", "work"]).expect(status: 11)
            try stored.run(["store", "get", "work"]).expect(status: 11)
            try stored.expectUntouched()
        } else {
            #expect(!stored.home.contains(StoredHome.folder))
        }
    }

    @Test(
        "a store with a symbolic link in the place of the file, the folder or the lock is exit 11",
        arguments: [true, false])
    func links(leadSomewhere: Bool) throws {
        for path in [StoredHome.file, StoredHome.folder, "\(StoredHome.folder)/work.lock"] {
            let stored = try StoredHome()
            let target = stored.home.path("target")
            if leadSomewhere {
                try FileManager.default.moveItem(atPath: stored.home.path(path), toPath: target)
            } else {
                try FileManager.default.removeItem(atPath: stored.home.path(path))
            }
            symlink(target, stored.home.path(path))
            for arguments in [["store", "put", "work"], ["token", "work"], ["store", "delete", "work"]] {
                // To forget a token is to remove the link, not what it leads to.
                if arguments[1] == "delete", path == StoredHome.file { continue }
                let result = try stored.run(arguments).expect(status: 11)
                #expect(result.errorText.contains("\(stored.home.path(path)): it is a symbolic link\n"), "\(result)")
            }
            #expect(stored.home.contains("target") == leadSomewhere)
            if leadSomewhere, path != "\(StoredHome.folder)/work.lock" {
                let file = path == StoredHome.file ? target : "\(target)/work.json"
                #expect(FileManager.default.contents(atPath: file) == stored.before)
            }
        }
    }

    @Test("a store with a file in the place of the folder, or a folder in that of a file, is exit 11")
    func kinds() throws {
        let stored = try StoredHome()
        let place = try stored.home.write("", to: "place")
        try stored.run(["store", "put", "x", "--store", "file:\(place)"]).expect(status: 11)
            .expect(errorLine: "oap: store: \(place): it is not a folder")
        try FileManager.default.createDirectory(
            atPath: stored.home.path("\(StoredHome.folder)/x.json"), withIntermediateDirectories: false)
        try stored.run(["store", "put", "x"]).expect(status: 11)
        try stored.run(["store", "get", "x"]).expect(status: 11)
    }

    @Test(
        "a name that could leave the folder of the store is exit 2 from every command",
        arguments: ["../x", "..", ".x", "a/b", "a\u{0301}", "", "x\n", String(repeating: "a", count: 129)])
    func names(name: String) throws {
        let stored = try StoredHome()
        for arguments in [["store", "put"], ["store", "get"], ["store", "delete"], ["token"], ["refresh", "-p"]] {
            let result = try stored.run(arguments + [name]).expect(status: 2)
            let problem = "the name of the profile or token is \(name.isEmpty ? "empty" : "not valid")"
            #expect(result.errorText.contains(problem), "\(result)")
        }
        try stored.expectUntouched()
        #expect(
            try FileManager.default.subpathsOfDirectory(atPath: stored.home.path).filter { $0.hasSuffix("work.json") }
                .count == 1)
    }

    @Test(
        "a store of a name that means nothing is exit 11, and nothing else is used in its place",
        arguments: [("keyring", "keyring"), ("file:", "file:"), ("helper:../pass", "helper:..."), ("file", "file")])
    func badStore(address: String, shown: String) throws {
        let stored = try StoredHome()
        for environment in [["OAP_STORE": address], ["OAP_STORE": "file:/nowhere"]] {
            let option = environment["OAP_STORE"] == address ? [] : ["--store", address]
            for arguments in [
                ["store", "put", "work"], ["token", "work"], ["store", "list"], ["store", "delete", "work"],
            ] {
                try stored.run(arguments + option, environment).expect(status: 11).expect(
                    errorLine: "oap: \(arguments[0]): \(shown) is not a store")
            }
        }
        try stored.expectUntouched()
    }

    @Test("a store behind a helper has its locks in no home that others write to", arguments: [mode_t(0o755), 0o777])
    func openHome(mode: mode_t) throws {
        let home = try TemporaryDirectory()
        let (variable, account) = (home.path("variable"), home.path("account"))
        for folder in [variable, account] { try #require(mkdir(folder, 0o700) == 0) }
        chmod(account, mode)
        chmod(try home.write("#!/bin/sh\necho '{}'\n", to: "bin/docker-credential-empty"), 0o700)
        let environment = [
            "HOME": variable, "PATH": "\(home.path("bin")):/usr/bin:/bin", "OAP_STORE": "helper:empty",
        ].merging(try FaultLibrary.variables("home:\(account)")) { $1 }
        try Program.oap(["store", "list"], environment: environment).run().expect(status: 0)
        let isSafe = mode == 0o755
        #expect(home.contains("account/.local/state/oap/locks") == isSafe)
        #expect(home.contains("variable/.local/state/oap/locks") == !isSafe)
    }

    @Test("a store whose helper is not installed is exit 11 that names it")
    func noHelper() throws {
        let stored = try StoredHome()
        let result = try stored.run(["token", "work", "--store", "helper:no-such"]).expect(status: 11)
        result.expect(errorLine: "oap: token: docker-credential-no-such is not installed")
        try stored.expectUntouched()
    }
}
