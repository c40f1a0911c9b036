import Foundation
import TestSupport
import Testing
import Wire

@testable import CommandSupport

@Suite("oap store, as a process")
struct StoreCommandTests {
    private let store: StoreHome

    init() throws { store = try StoreHome() }

    @Test("delete has the removal of the file on the disk before it ends")
    func removalIsSynchronized() throws {
        let home = try StoreHome()
        try home.put(#"{"access_token":"a"}"#, as: "work")
        var program = home.oap("store", "delete", "work")
        program.arguments = ["-y", "-e", "trace=unlink,unlinkat,fsync", program.path] + program.arguments
        program.path = "/usr/bin/strace"
        let calls = try program.run().expect(status: 0).errorText.split(separator: "\n")
        let removal = try #require(calls.firstIndex { $0.contains("work.json\"") && $0.hasSuffix("= 0") })
        let folder = "\(home.home.path(home.folder))>)"
        #expect(calls[removal...].contains { $0.hasPrefix("fsync(") && $0.contains(folder) }, "\(calls)")
    }

    @Test("put has the token and its place in the folder on the disk before it ends")
    func tokenIsSynchronized() throws {
        let home = try StoreHome()
        var program = home.oap("store", "put", "work", input: #"{"access_token":"a"}"#)
        program.arguments = ["-y", "-e", "trace=rename,renameat,renameat2,fsync", program.path] + program.arguments
        program.path = "/usr/bin/strace"
        let calls = try program.run().expect(status: 0).errorText.split(separator: "\n")
        let renaming = try #require(calls.firstIndex { $0.contains("work.json\"") && $0.hasSuffix("= 0") })
        #expect(calls[..<renaming].contains { $0.hasPrefix("fsync(") && $0.contains(".work.json.new>)") }, "\(calls)")
        let folder = "\(home.home.path(home.folder))>)"
        #expect(calls[renaming...].contains { $0.hasPrefix("fsync(") && $0.contains(folder) }, "\(calls)")
    }

    @Test("oap store list shows a token that an API refused as such, without the time that would be left")
    func refused() throws {
        try store.put(StoreHome.token.replacing(#""scope""#, with: #""refused_at":1000,"scope""#), as: "work")
        let entry = try store.oap("store", "list").run().expect(status: 0).object()
        #expect(entry["refused_at"] == 1000 && entry["seconds_left"] == nil && entry["expires_at"] != nil)
        var program = store.oap("store", "list")
        program.output = .terminal
        program.environment["NO_COLOR"] = "1"
        #expect(try program.run().expect(status: 0).text.contains("work  refused  yes"))
    }

    @Test("oap store list of nothing is nothing, and -e says so")
    func emptyList() throws {
        try store.oap("store", "list").run().expect(status: 0).expect(output: "")
        try store.oap("store", "list", "-e", "-q", ".").run().expect(status: 1).expect(output: "")
        var program = store.oap("store", "list")
        program.output = .terminal
        let nothing = try program.run().expect(status: 0).expect(output: "")
        nothing.expect(errorLine: "oap: store: no tokens are stored")
    }

    @Test("oap store list is cut to the width of the terminal, and names the account")
    func narrow() throws {
        let claims = #""id_token_claims":{"email":"ada@example.org","sub":"1"}"#
        let google = #"{"access_token":"x","issuer":"https://accounts.google.com","expires_at":1000,"#
        let client = #""client_id":"407408718192-abcdefghijklmnopqrstuvwxyz012345.apps.googleusercontent.com","#
        let scope = #""scope":"openid https://www.googleapis.com/auth/gmail.readonly https://a.example https://b","#
        try store.put(google + client + scope + claims + "}", as: "google-private")
        try store.put(StoreHome.token.replacing("99999999999", with: "1000"), as: "work")
        var program = Program.shell("stty cols 80 </dev/tty; oap store list", input: .terminal)
        program.output = .terminal
        program.environment = ["HOME": store.home.path, "TERM": "xterm"]
        let lines = try program.run().expect(status: 0).text.split(separator: "\r\n").map(String.init)
        #expect(lines.count == 3 && !lines[0].contains("CLIENT"), "\(lines)")
        #expect(lines[1].contains("\u{1B}[31mexpired\u{1B}[0m") && lines[1].contains("ada@example.org"), "\(lines)")
        #expect(lines[1].hasSuffix("openid ht...") && lines[2].hasSuffix("openid email"), "\(lines)")
        let plain = lines.map { $0.replacing("\u{1B}[31m", with: "").replacing("\u{1B}[0m", with: "") }
        #expect(plain.allSatisfy { $0.count <= 80 }, "\(lines)")
        program = Program.shell("stty cols 40 </dev/tty; oap store list", input: .terminal)
        program.output = .terminal
        program.environment = ["HOME": store.home.path, "NO_COLOR": "1"]
        let narrow = try program.run().expect(status: 0).text.split(separator: "\r\n").map(String.init)
        #expect(narrow.count == 3 && narrow[1].hasPrefix("google-private  expired"), "\(narrow)")
        #expect(narrow.allSatisfy { $0.count <= 40 }, "\(narrow)")
    }

    @Test("a long name is cut before a column is left out, and whole where all columns fit")
    func longName() throws {
        let name = String(repeating: "n", count: 64)
        let claims = #""id_token_claims":{"email":"ada@example.org","sub":"1"},"scope":"openid email""#
        let members = #""issuer":"https://as.example","client_id":"it",\#(claims)"#
        try store.put(#"{"access_token":"x","expires_at":1000,\#(members)}"#, as: name)
        let heads = ["ACCOUNT", "SERVER", "SCOPE"]
        for (columns, start, heads) in [
            (140, name, heads + ["CLIENT"]), (100, "nnn", heads + ["CLIENT"]), (80, "nnn", heads),
            (40, String(repeating: "n", count: 20) + "...", ["RENEWS"]),
        ] {
            var program = Program.shell("stty cols \(columns) </dev/tty; oap store list", input: .terminal)
            program.output = .terminal
            program.environment = ["HOME": store.home.path, "NO_COLOR": "1"]
            let lines = try program.run().expect(status: 0).text.split(separator: "\r\n").map(String.init)
            #expect(lines.count == 2 && lines.allSatisfy { $0.count <= columns }, "\(lines)")
            #expect(lines[1].hasPrefix(start) && lines[1].contains("  expired"), "\(lines)")
            #expect(heads.allSatisfy { lines[0].contains($0) }, "\(lines)")
        }
    }

    @Test("oap store list is a table on a terminal, aligned, with nothing in it that a terminal could act on")
    func table() throws {
        try store.put(StoreHome.token, as: "work")
        let evil = #"{"access_token":"secret","scope":"a\u001b[31m\u202eb","expires_at":1000,"client_id":"cc"}"#
        try store.put(evil, as: "a-long-name")
        var program = store.oap("store", "list")
        program.output = .terminal
        program.environment["NO_COLOR"] = "1"
        let text = try program.run().expect(status: 0).text
        let days = (99_999_999_999 - Int(Date().timeIntervalSince1970)) / 86_400
        #expect(
            text.split(separator: "\r\n").map(String.init) == [
                "NAME         LEFT          RENEWS  ACCOUNT  SERVER      CLIENT  SCOPE",
                #"a-long-name  expired       no      -        -           cc      a\u{1b}[31m\u{202e}b"#,
                "work         \(days) days  yes     -        as.example  c       openid email",
            ])
        program.environment["NO_COLOR"] = "1"
        program.arguments.append("-c")
        #expect(try program.run().expect(status: 0).text.hasPrefix(#"{"name":"a-long-name","#))
        program.arguments = ["store", "list", "-q", ".name", "-r"]
        try program.run().expect(status: 0).expect(output: "a-long-name\r\nwork\r\n")
    }
}
