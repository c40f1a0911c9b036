import Foundation
import TestSupport
import Testing
import Wire

@testable import CommandSupport

@Suite("oap store rename and oap store put --raw")
struct StoreRenameTests {
    private let store: StoreHome
    private let token = #"{"access_token":"at","client_id":"c","expires_at":99999999999,"n":1.10}"#

    init() throws { store = try StoreHome() }

    private func profile(_ name: String) throws {
        try store.oap("profile", "set", name, input: #"{"client_id":"c"}"#).run().expect(status: 0)
    }

    @Test("rename moves the token and the profile of a name, in every kind of store")
    func moves() throws {
        for store in [store, try StoreHome().withKey()] {
            try store.put(token, as: "old")
            try store.oap("profile", "set", "old", input: #"{"client_id":"c"}"#).run().expect(status: 0)
            try store.oap("store", "rename", "old", "new").run().expect(status: 0).expect(output: "").expectSilence()
            #expect(try store.oap("token", "new").run().expect(status: 0).text == "at\n")
            #expect(try store.oap("store", "get", "new").run().expect(status: 0).text.contains("1.10"))
            try store.oap("token", "old").run().expect(status: 8)
            #expect(try store.oap("profile", "list", "--jq", ".name", "-r").run().expect(status: 0).text == "new\n")
        }
    }

    @Test("rename moves a token without a profile, and a profile without a token")
    func alone() throws {
        try store.put(token, as: "token")
        try store.oap("store", "rename", "token", "token2").run().expect(status: 0)
        try profile("profile")
        try store.oap("store", "rename", "profile", "profile2").run().expect(status: 0)
        #expect(try store.oap("store", "list", "--jq", ".name", "-r").run().text == "token2\n")
        #expect(try store.oap("profile", "list", "--jq", ".name", "-r").run().text == "profile2\n")
        let result = try store.oap("store", "rename", "nobody", "x").run().expect(status: 8)
        #expect(result.errorText.contains("no token is stored as nobody"), "\(result)")
    }

    @Test("rename overwrites neither a token nor a profile, and moves nothing then")
    func taken() throws {
        try store.put(token, as: "old")
        try profile("old")
        try store.put(token, as: "stored")
        try profile("known")
        let stored = try store.oap("store", "rename", "old", "stored").run().expect(status: 11)
        stored.expect(errorLine: "oap: store: a token is stored as stored already")
        let known = try store.oap("store", "rename", "old", "known").run().expect(status: 11)
        known.expect(errorLine: "oap: store: there is a profile known already")
        #expect(try store.oap("store", "list", "--jq", ".name", "-r").run().text == "old\nstored\n")
        #expect(try store.oap("profile", "list", "--jq", ".name", "-r").run().text == "known\nold\n")
    }

    @Test("rename waits for a renewal that holds the lock, and moves the renewed token")
    func renewal() throws {
        let (arrived, proceed) = (Responder.Gate(), Responder.Gate())
        let managed = try ManagedHome(arrival: arrived, answer: proceed)
        let renewal = try managed.oap("token", "work").start()
        #expect(arrived.wait())
        let rename = try managed.oap("store", "rename", "work", "other").start()
        proceed.open()
        try renewal.finish().expect(status: 0).expect(output: "at-1\n")
        try rename.finish().expect(status: 0)
        try managed.oap("token", "other").run().expect(status: 0).expect(output: "at-1\n")
        #expect(managed.endpoint.requests.count == 1)
    }

    @Test("a signal in the middle of a rename waits for its end, and leaves the token under one name")
    func interrupted() throws {
        let home = try TemporaryDirectory()
        // A helper with a file for each token, whose list, which comes before the removal, waits.
        let script = #"""
            cd "$HOME"; mkdir -p kept; cat > "in.$$"
            case $1 in
            store) jq -j .Secret "in.$$" > "kept/$(basename "$(jq -r .ServerURL "in.$$")")" ;;
            get)
                file="kept/$(basename "$(cat "in.$$")")"
                [ -e "$file" ] || { echo 'credentials not found in native keychain'; exit 1; }
                jq -Rs '{ServerURL: "s", Username: "oap", Secret: .}' "$file" ;;
            list)
                [ ! -e kept/b ] || { touch waits; until [ -e go ]; do sleep 0.02; done; }
                ls kept | jq -R . | jq -s 'map({key: ("https://oap.invalid/" + .), value: "oap"}) | from_entries' ;;
            erase) rm "kept/$(basename "$(cat "in.$$")")" ;;
            esac
            rm -f "in.$$"
            """#
        try home.write(script, to: "script")
        func oap(_ arguments: String..., input: Program.Input = .none) -> Program {
            var program = Program.oap(arguments, input: input)
            program.environment = [
                "HOME": home.path, "PATH": "\(Fixture.project)/Tests/Fixtures:/usr/bin:/bin",
                "OAP_STORE": "helper:fake",
                "XDG_STATE_HOME": home.path("state"),
            ]
            return program
        }
        try oap("store", "put", "a", input: .text(token)).run().expect(status: 0)
        try oap("profile", "set", "a", input: .text(#"{"client_id":"c"}"#)).run().expect(status: 0)
        let renaming = try oap("store", "rename", "a", "b").start()
        while !home.contains("waits") { usleep(10_000) }
        renaming.send(signal: SIGTERM)
        _ = try renaming.errorLine { $0.contains("waiting for the end of the change") }
        try home.write("", to: "go")
        try renaming.finish().expect(signal: SIGTERM)
        #expect(try FileManager.default.contentsOfDirectory(atPath: home.path("kept")) == ["b"])
        #expect(try oap("profile", "list", "-r", "-q", ".name").run().expect(status: 0).text == "b\n")
    }

    @Test("rename moves nothing while a login for the name is under way")
    func login() throws {
        let person = try LoginHome()
        let server = try Responder { _ in .text("") }
        try person.profile(server)
        let login = try person.oap(["login", "work", "--no-open"], ["BROWSER": "true"]).start()
        _ = try login.errorLine { $0.hasPrefix("http") }
        let result = try person.oap(["store", "rename", "work", "other"]).run().expect(status: 11)
        result.expect(errorLine: "oap: store: oap login work is under way")
        login.send(signal: SIGTERM)
        _ = try login.finish()
        try person.oap(["store", "rename", "work", "other"]).run().expect(status: 0)
    }

    @Test("put --raw stores a token that is no document, with what it is for")
    func raw() throws {
        let api = try ManagedHome.api()
        try store.oap("store", "put", "pat", "--raw", "--api-base", api.url(), input: "ghp_abc\n").run()
            .expect(status: 0).expect(output: "").expectSilence()
        #expect(try store.oap("token", "pat").run().expect(status: 0).text == "ghp_abc\n")
        let filter = ["--jq", ".access_token", "-r"]
        #expect(
            try store.oap("call", "pat", "/me", filter[0], filter[1], filter[2]).run().expect(status: 0).text
                == "ghp_abc\n")
        for input in ["", "\n", "two words\n", "two\nlines\n"] {
            try store.oap("store", "put", "no", "--raw", input: input).run().expect(status: 3)
        }
        let hint = try store.oap("store", "put", "no", input: "ghp_abc\n").run().expect(status: 3)
        #expect(hint.errorText.contains("add --raw"), "\(hint)")
        hint.expect(nowhere: "ghp_abc")
    }

    @Test("a token document can be given its api_base while it is stored")
    func members() throws {
        try store.oap("store", "put", "t", "--api-base", "https://api.example", input: token).run().expect(status: 0)
        let stored = try store.oap("store", "get", "t").run().expect(status: 0).object()
        #expect(stored["api_base"] == "https://api.example")
    }
}
