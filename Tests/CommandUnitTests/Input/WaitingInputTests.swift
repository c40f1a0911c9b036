import PlaySupport
import Shell
import System
import TestSupport
import Testing
import Wire

@testable import CommandSupport

@Suite("A token on standard input beside the name of a stored one", .inProcess)
struct WaitingInputTests {
    private static let jwt = "eyJhbGciOiJub25lIn0.eyJpc3MiOiJhIn0."
    private let home: StoreHome

    init() throws {
        home = try StoreHome()
        try home.put(
            #"{"access_token":"stored","refresh_token":"rt","client_id":"c","issuer":"https://as.invalid"}"#, as: "app")
    }

    @Test(
        "only a JWT and a document with a token are visibly one",
        arguments: [
            (jwt, .jwt), ("\n \(jwt)\n", .jwt), (#"{ "access_token" : "x" }"#, .document),
            (#"{"id_token":"x"}"#, .document), (#"{"token_type":"access_token"}"#, nil), ("app\n", nil), ("", nil),
            ("access_token", nil), (#"["access_token":1]"#, nil),
        ] as [(String, WaitingInput?)])
    func kind(text: String, expected: WaitingInput?) throws {
        var pipe = try System.Pipe()
        try pipe.writing?.writeAll(Array(text.utf8))
        pipe.closeWriting()
        #expect(pipe.reading.flatMap { WaitingInput($0) } == expected)
    }

    @Test(
        "is refused before anything is sent, with the way to mean it",
        arguments: [
            (["verify", "-p", "app"], "-p app --jwt-file -"), (["verify", "app"], "-p app --jwt-file -"),
            (["introspect", "-p", "app"], "-p app --raw"), (["revoke", "-p", "app"], "-p app --raw"),
            (["userinfo", "app"], "-p app --raw"), (["refresh", "app"], nil),
        ] as [([String], String?)])
    func refused(words: [String], way: String?) throws {
        let refusal = "oap: \(words[0]): standard input holds a "
        let end = ", but -p app means the stored token"
        let document = try Program.oap(words, input: .text(#"{"access_token":"x"}"#), environment: environment).run()
        document.expect(status: 2).expect(errorLine: refusal + "token document" + end)
        let hint = "oap: hint: for the token document: --token-file - instead of -p app"
        document.expect(errorLine: hint + "; for the stored token: < /dev/null")
        let jwt = try Program.oap(words, input: .text(Self.jwt), environment: environment).run()
        guard let way else {
            #expect(!jwt.errorText.contains("standard input"), "\(jwt)")
            return
        }
        jwt.expect(status: 2).expect(errorLine: refusal + "JWT" + end)
        jwt.expect(errorLine: "oap: hint: for the JWT: \(way); for the stored token: < /dev/null")
    }

    private var environment: [String: String] { ["HOME": home.home.path] }

    @Test("is refused where OAP_PROFILE names the stored one, and read where --token-file - says so")
    func variable() throws {
        let named = environment.merging(["OAP_PROFILE": "app"]) { $1 }
        let refused = try Program.oap(["verify"], input: .text(Self.jwt), environment: named).run().expect(status: 2)
        refused.expect(
            errorLine: "oap: verify: standard input holds a JWT, but OAP_PROFILE means the stored token")
        let words = ["verify", "--token-file", "-", "--issuer", "https://b.invalid", "--client-id", "c"]
        let read = try Program.oap(words, input: .text(Self.jwt), environment: named).run()
        #expect(!read.errorText.contains("means the stored token"), "\(read)")
    }

    @Test("is checked as the JWT where --jwt-file - says so, with the client of the profile")
    func file() throws {
        try home.oap("profile", "set", "app", input: #"{"client_id":"c","issuer":"https://as.invalid"}"#).run()
            .expect(status: 0)
        let words = ["verify", "-p", "app", "--type", "jwt", "--audience", "x", "--jwt-file", "-"]
        let keys = try home.home.write(#"{"keys":[]}"#, to: "keys")
        let result = try Program.oap(
            words + ["--jwks-file", keys], input: .text(Self.jwt), environment: environment
        ).run()
        result.expect(status: 9).expect(nowhere: "stored")
        #expect(result.errorText.contains("none"), "\(result)")
    }

    @Test("the lines of a loop are left to the loop, and an open pipe in which nothing comes does no harm")
    func loop() throws {
        let names = try home.home.write("app\napp\n", to: "names")
        let words = ["introspect", "app", "--introspection-endpoint", "https://as.invalid/i", "--dry-run"]
        for input in [Program.Input.text("app\n"), .file(names), .none, .closed] {
            try Program.oap(words, input: input, environment: environment).run().expect(status: 0)
        }
        let open = try Program.oap(words, input: .open, environment: environment).start()
        try open.finish().expect(status: 0)
    }
}
