import Foundation
import PlaySupport
import TestSupport
import Testing
import Wire

@testable import CommandSupport

@Suite("The log of uses of tokens", .inProcessWithoutPauses)
struct UseLogTests {
    private let kept: ManagedHome
    private let api: Responder
    private var file: String { kept.home.path("uses.log") }

    /// A fresh token of `work`, an API that refuses `at-0` at `/strict`, and endpoints.
    init() throws {
        api = try Responder { request in
            let sent = request.headers.first { $0.name == "Authorization" }?.value
            switch request.target.prefix(while: { $0 != "?" }) {
            case "/strict" where sent == "Bearer at-0":
                return .text("", status: 401, headers: [#"WWW-Authenticate: Bearer error="invalid_token""#])
            case "/none": return .json("{}", status: 404)
            case "/introspect": return .json(#"{"active":true}"#)
            case "/pages":
                return .text("[1]", headers: request.target == "/pages" ? [#"Link: </pages?next=1>; rel="next""#] : [])
            case "/token": return .json(#"{"access_token":"at-9","token_type":"Bearer"}"#)
            case "/lost": return .raw("").then(.close)
            default: return .json(#"{"sub":"7"}"#)
            }
        }
        kept = try ManagedHome(expiresIn: 1000)
        try put()
    }

    private func put(_ more: JSONObject = [:]) throws {
        var token = try kept.stored()
        for (name, path) in [("userinfo", "/user"), ("introspection", "/introspect"), ("revocation", "/revoke")] {
            token["\(name)_endpoint"] = .string(api.url(path))
        }
        token["api_base"] = .string(api.url())
        try kept.put(token.with(more))
    }

    /// Makes the token one that must be renewed.
    private func expire() throws { try put(["expires_at": 1]) }

    private func oap(_ words: [String], input: String? = nil, log: String? = nil) -> Program {
        var program = kept.oap(words)
        if let input { program.input = .text(input) }
        program.environment["OAP_LOG"] = log ?? file
        return program
    }

    private func lines() throws -> [JSONObject] {
        guard let data = FileManager.default.contents(atPath: file) else { return [] }
        return try String(decoding: data, as: UTF8.self).split(separator: "\n").map {
            try #require(JSON(parsing: Array($0.utf8)).object)
        }
    }

    /// The lines that a command writes, without what differs from run to run.
    private func uses(_ words: String..., input: String? = nil, status: Int = 0) throws -> [String] {
        try? FileManager.default.removeItem(atPath: file)
        try oap(words, input: input).run().expect(status: status)
        return try lines().map { line in
            let time = try #require(line["time"]?.string)
            #expect(time.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/) != nil, "\(time)")
            #expect(line["command"]?.string == words[0])
            #expect((line["method"] != nil) == (line["ms"]?.integer ?? -1 >= 0))
            #expect((line["origin"]?.string).map { [api.url(), kept.endpoint.url()].contains($0) } ?? true)
            let shown = ["name", "method", "path", "status", "bytes", "renewed"].compactMap { line[$0] }
            return shown.map { $0.string ?? $0.text }.joined(separator: " ")
        }
    }

    @Test("a token that is handed out is a line, which says whether it was renewed for that")
    func handedOut() throws {
        #expect(try uses("token", "work") == ["work false"])
        #expect(try lines().first?.members.map(\.name) == ["time", "command", "name", "renewed"])
        #expect(try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int == 0o600)
        #expect(try uses("token", "work", "--document") == ["work false"])
        #expect(try uses("store", "get", "work") == ["work false"])
        let asked = "protocol=http\nhost=\(api.url().dropFirst("http://".count))\n\n"
        #expect(try uses("credential", "git", "get", "-p", "work", input: asked) == ["work false"])
        for words in [[], ["--all", "--within", "7d"]] {
            try expire()
            try? FileManager.default.removeItem(atPath: file)
            try oap(["token"] + (words.isEmpty ? ["work"] : words)).run().expect(status: 0)
            #expect(try lines().map { $0["renewed"] } == [true])
        }
        #expect(try uses("token", "nobody", status: 8) == [])
        #expect(try uses("token", "work", "--dry-run") == [])
    }

    @Test("each request of a call is a line with its last answer, and says whether the token was renewed for it")
    func called() throws {
        #expect(try uses("call", "work", "/a?x=1") == ["work GET /a 200 11 false"])
        #expect(try uses("call", "work", "/none", status: 7) == ["work GET /none 404 2 false"])
        #expect(try uses("call", "work", "/strict", "-d", "x=1") == ["work POST /strict 200 11 true"])
        let page = "work GET /pages 200 3 false"
        #expect(try uses("call", "work", "/pages", "--paginate") == [page, page])
        let lost = try uses("call", "work", "/lost", "--retry", "1", "--retry-delay", "0", status: 6)
        #expect(lost == ["work GET /lost null 0 false"])
        let lines = #"{"url":"/a"}"# + "\n" + #"{"url":"/none"}"# + "\n"
        let batch = try uses("call", "work", "--batch", input: lines, status: 7)
        #expect(batch.sorted() == ["work GET /a 200 11 false", "work GET /none 404 2 false"])
        try expire()
        #expect(try uses("call", "work", "/a") == ["work GET /a 200 11 true"])
        #expect(try uses("call", "work", "/a", "--dry-run") == [])
        #expect(try uses("call", "--anonymous", api.url("/a")) == [])
    }

    @Test("each request of another command that sends a token is a line")
    func asked() throws {
        #expect(try uses("userinfo", "work") == ["work GET /user 200 11 false"])
        #expect(try uses("whoami", "work") == ["work GET /user 200 11 false"])
        #expect(try uses("introspect", "work") == ["work POST /introspect 200 15 false"])
        #expect(try uses("introspect", "work", "--dry-run") == [])
        let renewal = try uses("refresh", "work")
        #expect(renewal.count == 1 && renewal[0].hasPrefix("work POST /token 200 ") && renewal[0].hasSuffix(" true"))
        #expect(try uses("refresh", "work", "--if-expired", "--document") == ["work false"])
        let client: JSONObject = ["client_id": "c", "client_secret": "s", "token_endpoint": .string(api.url("/token"))]
        let grant = try uses("exchange", "--grant", "client_credentials", input: JSON.object(client).text)
        #expect(grant == ["null POST /token 200 45 false"])
        let revocation = "work POST /revoke 200 11 false"
        #expect(try uses("revoke", "work", "--token-type-hint", "access_token") == [revocation])
        #expect(try uses("logout", "work") == [revocation, revocation])
    }

    @Test("a login is a line for the token, not one for each poll, and one for the name of the user")
    func login() throws {
        let begun =
            #"{"device_code":"d","user_code":"u","verification_uri":"https://as.example/d","expires_in":60,"interval":1}"#
        let server = try Responder(
            .json(begun), .json(#"{"error":"authorization_pending"}"#, status: 400),
            .json(#"{"access_token":"at-9","token_type":"Bearer"}"#), .json(#"{"sub":"7","name":"Ada"}"#))
        let endpoints = ["token", "device-authorization", "userinfo"].flatMap {
            ["--\($0)-endpoint", server.url("/\($0)")]
        }
        try oap(["login", "home", "--device", "--client-id", "c"] + endpoints).run().expect(status: 0)
        let found = try lines().map { line in ["name", "path", "status", "renewed"].map { line[$0]?.text ?? "" } }
        #expect(
            found == [[#""home""#, #""/token""#, "200", "false"], [#""home""#, #""/userinfo""#, "200", "false"]])
    }

    @Test("a renewal of which no other line says anything is a line of its own")
    func renewed() throws {
        try expire()
        #expect(try uses("login", "work", "--if-needed") == ["work true"])
        try expire()
        #expect(try uses("token", "work", "-o", kept.home.path("none/token"), status: 11) == [])
        #expect(try uses("token", "work", "--header", "--url", "nothing") == ["work true"])
        #expect(try uses("login", "work", "--if-needed") == [])
    }

    @Test("no secret is in the log: not of a query, a field, content or a path, nor a token in the place of a name")
    func secrets() throws {
        let (secret, token) = ("hunter2-s3cret-value", "ghp_0123456789abcdefABCDEF0123456789abcd")
        try put(["access_token": .string(secret)])
        let words = ["/a/\(secret)?key=\(token)", "-H", "X-Key: \(token)", "-d", "x=\(token)"]
        try oap(["call", "work"] + words).run().expect(status: 0)
        #expect(try lines().map { $0["path"] } == ["/a/***"])
        try oap(["store", "put", token], input: JSON.object(try kept.stored()).text).run().expect(status: 0)
        try oap(["token", token]).run().expect(status: 0)
        #expect(try lines().map { $0["name"] } == ["work", "ghp_01***"])
        let text = try String(contentsOfFile: file, encoding: .utf8)
        for part in [secret, token, "key=", "X-Key"] { #expect(!text.contains(part)) }
        let long = String(repeating: "a/", count: 3000)
        try oap(["call", "work", "/\(long)"]).run().expect(status: 0)
        #expect(try #require(lines().last?["path"]?.string).utf8.count <= 2048 + 3)
    }

    @Test("a hundred commands at once write whole lines")
    func crowd() throws {
        let started = try (0..<100).map { _ in try oap(["token", "work"]).start() }
        for program in started { try program.finish().expect(status: 0) }
        #expect(try lines().count == 100)
        #expect(try lines().allSatisfy { $0["name"] == "work" })
    }

    @Test(
        "a log that cannot be written costs one warning, and nothing else",
        arguments: [
            ("/dev/full", "no space left on device"), ("/none/uses.log", "no such file or directory"),
            ("/dev", "is a directory"), ("link", "it is a link"), ("pipe", "it is a pipe"),
            ("idle", "no such device or address"), ("a\u{1}b", "the variable holds no path"),
        ])
    func failing(_ path: String, _ problem: String) throws {
        let home = kept.home
        symlink(file, home.path("link"))
        for name in ["pipe", "idle"] { mkfifo(home.path(name), 0o600) }
        let reader = open(home.path("pipe"), O_RDONLY | O_NONBLOCK)
        defer { close(reader) }
        let place = path.hasPrefix("/") || path.contains("\u{1}") ? path : home.path(path)
        let lines = String(repeating: #"{"url":"/a"}"# + "\n", count: 3)
        let result = try oap(["call", "work", "--batch"], input: lines, log: place).run().expect(status: 0)
        #expect(result.errorText == "oap: call: warning: the file of OAP_LOG is not written: \(problem)\n")
        #expect(!FileManager.default.fileExists(atPath: file))
    }

    @Test("the file of another user is refused", .enabled(if: getuid() == 0))
    func foreign() throws {
        try kept.home.write("", to: "uses.log")
        try #require(chown(file, 4711, 4711) == 0)
        let result = try oap(["token", "work"]).run().expect(status: 0).expect(output: "at-0\n")
        result.expect(errorLine: "oap: token: warning: the file of OAP_LOG is not written: it belongs to another user")
        #expect(try lines().isEmpty)
    }

    @Test("without the variable, and with an empty one, nothing is written and nothing said")
    func unset() throws {
        let before = try FileManager.default.contentsOfDirectory(atPath: kept.home.path)
        try oap(["token", "work"], log: "").run().expect(status: 0).expect(output: "at-0\n").expectSilence()
        #expect(try FileManager.default.contentsOfDirectory(atPath: kept.home.path) == before)
    }
}
