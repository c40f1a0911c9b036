import Foundation
import PlaySupport
import TestSupport
import Testing
import Wire

@testable import CommandSupport

@Suite("oap store", .inProcess)
struct StoreCommandTests {
    private let store: StoreHome

    init() throws { store = try StoreHome() }

    @Test("oap store put keeps a document to the number, prints nothing, and get prints it")
    func roundTrip() throws {
        let document = #"{"access_token":"a","n":9007199254740993,"x":{"y":1.10}}"#
        try store.put(document, as: "work")
        try store.oap("store", "get", "work").run().expect(status: 0).expect(output: document + "\n")
        try store.oap("store", "get", "work", "-q", ".x.y", "-r").run().expect(status: 0).expect(output: "1.1\n")
    }

    @Test(
        "a token response without a time counts as new",
        arguments: [("3600", true), (#""3600""#, true), ("0", false)])
    func lifetime(value: String, isKnown: Bool) throws {
        let document = #"{"access_token":"a","expires_in":\#(value)}"#
        let put = try store.oap("store", "put", "work", input: document).run().expect(status: 0)
        #expect(put.errorText.contains("the token counts as new: it expires in 3600 s") == isKnown, "\(put)")
        let end = try store.oap("store", "get", "work").run().expect(status: 0).object()["expires_at"]?.integer
        #expect(end.map { $0 > Int(time(nil)) + 3500 } ?? false == isKnown)
    }

    @Test("a token response with a time that is none is not stored")
    func endless() throws {
        let document = #"{"access_token":"a","expires_in":"9223372036854775807"}"#
        try store.oap("store", "put", "work", input: document).run().expect(status: 3)
            .expect(errorLine: "oap: store: expires_in is not a whole number of seconds")
    }

    @Test("oap store put warns if nothing holds the secret that a renewal needs")
    func missingSecret() throws {
        let method = #","token_endpoint_auth_method":"client_secret_basic""#
        func said(_ members: String) throws -> String {
            try store.oap("store", "put", "work", input: #"{"access_token":"a"\#(members)}"#).run()
                .expect(status: 0).errorText
        }
        #expect(try said(#","refresh_token":"r"\#(method)"#).contains("no client_secret, and each renewal needs it"))
        #expect(try said(#","refresh_token":"r""#).isEmpty && said(method).isEmpty)
        #expect(try said(#","refresh_token":"r","client_secret_file":"/x"\#(method)"#).isEmpty)
        try store.home.write(#"{"client_secret_file":"/x"}"#, to: ".config/oap/profiles/work.json")
        #expect(try said(#","refresh_token":"r"\#(method)"#).isEmpty)
        // The token is stored even if the profile is damaged.
        try store.home.write("{", to: ".config/oap/profiles/work.json")
        #expect(try said(#","refresh_token":"r"\#(method)"#).contains("no client_secret"))
    }

    @Test("oap store put ends with the status of an earlier failure, says nothing, and puts nothing")
    func earlierFailure() throws {
        try store.put(#"{"access_token":"old"}"#, as: "work")
        let earlier = #"{"error":"access_denied","stage":"callback-parse","exit_status":4}"#
        let result = try store.oap("store", "put", "work", input: earlier).run().expect(status: 4)
        result.expect(output: "").expectSilence()
        try store.oap("token", "work").run().expect(status: 0).expect(output: "old\n")
    }

    @Test(
        "oap store put takes nothing without an access token",
        arguments: [
            "{}", #"{"error":"x"}"#, #"{"access_token":null}"#, #"{"access_token":""}"#, #"{"access_token":1}"#,
            #"{"access_token_file":"/dev/fd/3"}"#, "[]", "", #"{"code":"c"}"#,
        ])
    func noToken(document: String) throws {
        try store.put(#"{"access_token":"old"}"#, as: "work")
        let result = try store.oap("store", "put", "work", input: document).run().expect(status: 3)
        #expect(!result.errorText.contains("-n"), "\(result)")
        try store.oap("token", "work").run().expect(status: 0).expect(output: "old\n")
    }

    @Test("a stored token that says nothing of its server cannot be logged in for, and oap login says what can be done")
    func imported() throws {
        try store.put(#"{"access_token":"old","expires_at":5}"#, as: "work")
        for words in [["login", "work"], ["login", "work", "--if-needed"]] {
            let result = try Program.oap(words, environment: ["HOME": store.home.path]).run().expect(status: 3)
            #expect(result.errorText.contains("oap store put work"), "\(result)")
        }
    }

    @Test("oap store put makes the path of a secret's file absolute, so that the token works from anywhere")
    func files() throws {
        try store.home.write("from-file\n", to: "secret")
        var program = store.oap("store", "put", "work", input: #"{"access_token_file":"secret"}"#)
        program.directory = store.home.path
        try program.run().expect(status: 0)
        try store.oap("token", "work").run().expect(status: 0).expect(output: "from-file\n")
    }

    @Test("oap store put and delete refuse what would shape a result: they have none", arguments: ["put", "delete"])
    func shapes(action: String) throws {
        try store.put(#"{"access_token":"old"}"#, as: "work")
        for options in [["-q", "."], ["-o", "x"], ["-c"]] {
            var program = store.oap("store", action, "work", input: #"{"access_token":"new"}"#)
            program.arguments += options
            try program.run().expect(status: 2)
        }
        try store.oap("token", "work").run().expect(status: 0).expect(output: "old\n")
    }

    @Test("oap store list prints a line of JSON for each token, in order, without a secret in it")
    func list() throws {
        try store.put(StoreHome.token, as: "work")
        try store.put(
            #"{"access_token":"secret-2","expires_at":1000,"issuer":"https://me:secret-4@as.example"}"#, as: "Old")
        try store.put(#"{"access_token":"secret-3","refresh_token_file":"/secret-file"}"#, as: "a")
        let text = try store.oap("store", "list").run().expect(status: 0).text
        #expect(!text.contains("secret"))
        let lines = try text.split(separator: "\n").map { try #require(JSON(parsing: String($0)).object) }
        #expect(lines.map { $0["name"] } == ["Old", "a", "work"])
        #expect(lines[0]["seconds_left"] == .number("0") && lines[0]["expires_at"] == .number("1000"))
        #expect(lines[1] == ["name": "a", "can_refresh": true])
        let names = ["name", "issuer", "client_id", "scope", "expires_at", "seconds_left", "can_refresh"]
        #expect(lines[2].members.map(\.name) == names && lines[2]["scope"] == "openid email")
        let left = try #require(lines[2]["seconds_left"]?.integer)
        #expect(abs(left - (99_999_999_999 - Int(Date().timeIntervalSince1970))) < 600)
    }

    @Test("oap store list is shaped as any other result: each line goes through the filter")
    func listForms() throws {
        try store.put(StoreHome.token, as: "work")
        try store.put(#"{"access_token":"b"}"#, as: "b")
        try store.oap("store", "list", "-q", ".name").run().expect(status: 0).expect(output: "\"b\"\n\"work\"\n")
        try store.oap("store", "list", "-j", "-q", ".name").run().expect(status: 0).expect(output: "bwork")
        try store.oap("store", "list", "-e", "-q", ".can_refresh").run().expect(status: 0)
        try store.oap("store", "list", "-e", "-q", ".can_refresh | not").run().expect(status: 1)
        try store.oap("store", "list", "-e", "-q", "select(.name == \"b\").name").run().expect(status: 0)
        try store.oap("store", "list", "-q", ".name, halt").run().expect(status: 0).expect(
            output: "\"b\"\n")
        try store.oap("store", "list", "-q", ".name, error(\"x\")").run().expect(status: 5).expect(output: "\"b\"\n")
        let pretty = try store.oap("store", "list", "--pretty").run().expect(status: 0).text
        #expect(pretty.hasPrefix("{\n") && pretty.contains("\n}\n{\n"))
        try store.oap("store", "list", "-o", store.home.path("out"), "-q", ".name", "-r").run().expect(status: 0)
            .expect(output: "")
        #expect(try store.home.read("out") == "b\nwork\n" && store.home.permissions("out") == 0o600)
        try store.oap("store", "list", "-q", "(").run().expect(status: 2)
    }

    @Test("oap store list tells of a token that cannot be read, lists the others all the same, and is exit 11")
    func unreadable() throws {
        for name in ["a", "b", "c", "d"] { try store.put(#"{"access_token":"x"}"#, as: name) }
        chmod(store.home.path("\(store.folder)/b.json"), 0o644)
        try store.home.write("{", to: "\(store.folder)/c.json")
        chmod(store.home.path("\(store.folder)/c.json"), 0o600)
        let result = try store.oap("store", "list", "-q", ".name", "-r").run().expect(status: 11)
        result.expect(output: "a\nd\n")
        #expect(result.errorText.contains("b.json: others can read it"))
        #expect(result.errorText.contains("the stored token c is not JSON"))
        let lines = try store.oap("store", "list").run().expect(status: 11).text.split(separator: "\n")
        #expect(lines.count == 2)
        try store.oap("store", "list", "-o", store.home.path("out")).run().expect(status: 11)
        #expect(!store.home.contains("out"))
    }
}
