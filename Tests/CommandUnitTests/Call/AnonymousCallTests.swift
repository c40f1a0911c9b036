import PlaySupport
import TestSupport
import Testing
import Wire

@Suite("oap call --anonymous", .inProcess)
struct AnonymousCallTests {
    @Test("a call without a token needs no document for a URL, and of one for a path only api_base")
    func noToken() throws {
        let responder = try Responder(.text("ok"), .text("ok"), .text("ok"))
        let token = responder.token.with(["api_base": .string(responder.url(""))])
        try Program.oap(["call", "--anonymous", responder.url("/a")]).run().expect(status: 0).expect(output: "ok")
        try Program.oap(["call", "--anonymous", "/b"], input: token.input).run().expect(status: 0)
        let base = ["--api-base", responder.url("")]
        try Program.oap(["call", "-n", "--anonymous", "/c"] + base).run().expect(status: 0)
        #expect(responder.requests.map(\.target) == ["/a", "/b", "/c"])
        #expect(responder.requests.allSatisfy { $0.headers.first("Authorization") == nil })
    }

    @Test("a call that lacks a token names --anonymous in its hint", arguments: [[], ["-n"]])
    func hint(words: [String]) throws {
        let result = try Program.oap(["call", "https://api.example/"] + words, input: .none).run().expect(status: 3)
        #expect(result.errorText.contains("; --anonymous needs no token"), "\(result)")
    }

    @Test("a call without a token may go to any origin, and its 401 is final")
    func refused() throws {
        let responder = try Responder(.json(#"{"error":"x"}"#, status: 401))
        let token = responder.token.with(["api_base": "https://api.example"])
        let result = try Program.oap(["call", "--anonymous", responder.url("/")], input: token.input).run()
        result.expect(status: 7)
        #expect(!result.errorText.contains("expired"), "\(result)")
        #expect(responder.requests.map(\.target) == ["/"])
        let shown = try Program.oap(["call", "--anonymous", responder.url("/"), "--dry-run"]).run().expect(status: 0)
        #expect(shown.text.hasPrefix("curl ") && !shown.text.contains("Authorization"), "\(shown)")
    }

    @Test("with a name, a path takes the api_base of the profile, or of the token without one; a URL takes nothing")
    func named() throws {
        let responder = try Responder { _ in .text("ok") }
        let home = try TemporaryDirectory()
        let base: JSON = .string(responder.url("/v1"))
        try home.write(JSON.object(["client_id": "c", "api_base": base]).text, to: ".config/oap/profiles/work.json")
        let call = { (words: [String]) in
            try Program.oap(["call", "--anonymous"] + words, environment: ["HOME": home.path]).run()
        }
        for words in [["work", "/a"], ["-p", "work", "/a"], ["nobody", responder.url("/v1/a")]] {
            try call(words).expect(status: 0).expect(output: "ok")
        }
        let stored: JSONObject = ["access_token": "at-1", "api_base": base]
        try Program.oap(["store", "put", "kept"], input: stored.input, environment: ["HOME": home.path]).run()
            .expect(status: 0)
        try call(["kept", "/a"]).expect(status: 0)
        try call(["nobody", "/a"]).expect(status: 8)
        #expect(responder.requests.map(\.target) == Array(repeating: "/v1/a", count: 4))
        #expect(responder.requests.allSatisfy { $0.headers.first("Authorization") == nil })
    }
}
