import CommandSupport
import Foundation
import TestSupport
import Testing
import Wire

@Suite("oap proxy")
struct ProxyTests {
    /// An API that answers with what it was sent.
    private static func api() throws -> Responder {
        try Responder { request in
            .text("\(request.method) \(request.target) \(request.bodyText)")
        }
    }

    @Test("the token is added, and nothing of the client's own credentials goes along")
    func adds() throws {
        let api = try Self.api()
        let proxy = try ProxyScene(base: api.url("/v1"))
        let answer = try proxy.get(
            "/user?a=1&access_token=own",
            ["Authorization: Bearer own", "Cookie: a=b", "X-Mine: 1", "X-Api-Key: \(proxy.key)"])
        #expect(answer.status == 200 && !answer.isOwn, "\(answer)")
        #expect(answer.body.hasPrefix("GET /v1/user?a=1 "))
        let request = try #require(api.requests.first)
        #expect(request.headers.values(of: "Authorization") == ["Bearer \(ProxyScene.token)"])
        #expect(request.headers.first("X-Mine") == "1" && request.headers.first("Host") == "127.0.0.1:\(api.port)")
        #expect(request.headers.first("Cookie") == nil && !request.head.contains(proxy.key))
        // Nothing is added that the client did not send.
        #expect(request.headers.map { $0.name.lowercased() } == ["host", "authorization", "x-mine"])
    }

    @Test(
        "the key may be in the path, or where clients of an API put their keys",
        arguments: [
            ("", nil), ("", "Authorization: Bearer %"), ("", "Authorization: token %"), ("", "X-Api-Key: %"),
            ("", "Authorization: Basic %"), ("%/", nil), ("%x/", nil), ("", "Authorization: Bearer x%"),
        ])
    func key(path: String, field: String?) throws {
        let api = try Self.api()
        let proxy = try ProxyScene(base: api.url())
        let isBasic = field?.contains("Basic") == true
        let key = isBasic ? Data("x:\(proxy.key)".utf8).base64EncodedString() : proxy.key
        let fill = { (text: String) in text.replacingOccurrences(of: "%", with: key) }
        let answer = try proxy.send("GET /\(fill(path))work/a", field.map { [fill($0)] } ?? [])
        let isRight = path == "%/" || field.map { !$0.contains("x%") } ?? false
        #expect(answer.status == (isRight ? 200 : 401), "\(answer)")
        #expect(api.requests.count == (isRight ? 1 : 0))
    }

    @Test("other names, pages of a browser and other hosts are refused before anything is sent")
    func refused() throws {
        let api = try Self.api()
        let proxy = try ProxyScene(base: api.url())
        let path = "GET /\(proxy.key)/work/a"
        #expect(try proxy.send("GET /\(proxy.key)/other/a").status == 404)
        #expect(try proxy.send(path, ["Host: evil.example"]).status == 421)
        #expect(try proxy.send(path, ["Host: localhost:\(proxy.port)"]).status == 200)
        #expect(try proxy.send(path, ["Origin: https://evil.example"]).status == 403)
        #expect(try proxy.send(path, ["Sec-Fetch-Site: same-site"]).status == 403)
        #expect(try proxy.send(path, ["Upgrade: websocket", "Connection: upgrade"]).status == 501)
        #expect(try proxy.send("GET http://127.0.0.1:\(proxy.port)/\(proxy.key)/work/a").status == 400)
        #expect(try proxy.send("GET \(api.url("/a"))").status == 421)
        #expect([400, 405].contains(try proxy.send("CONNECT api.example:443").status))
        #expect(try proxy.get("/a", method: "TRACE").status == 405)
        #expect(try proxy.get("/a#b").status == 400 && proxy.get("/a?b#c").status == 400)
        #expect(try proxy.send("GET /other/a").text.contains("WWW-Authenticate: Basic realm="))
        #expect(try proxy.send("GET /\(proxy.key)/work/a/../b").status == 400)
        #expect(api.requests.count == 1)
    }

    @Test(
        "a request with more than one length, and one that is no HTTP, is refused",
        arguments: [
            "Content-Length: 3\r\nTransfer-Encoding: chunked", "Content-Length: 3\r\nContent-Length: 4",
            "Content-Length: 3\r\nContent-Length: 3", "Content-Length: +3", "Content-Length: 3, 3",
            "Content-Length: 0x3",
            "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity", "Transfer-Encoding: xchunked",
            "Transfer-Encoding: identity, chunked", "Content-Length : 3", "Content-Length: 99999999999999999999",
            "Transfer-Encoding : chunked", "Host: a\r\nHost: b",
        ])
    func smuggled(fields: String) throws {
        let api = try Self.api()
        let proxy = try ProxyScene(base: api.url())
        let head = "POST /\(proxy.key)/work/a HTTP/1.1\r\nHost: \(proxy.authority)\r\n\(fields)\r\n\r\n"
        let answer = try proxy.raw(head + "3\r\nabc\r\n0\r\n\r\nGET /\(proxy.key)/work/b HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect([400, 413, 421, 501].contains(answer.status), "\(answer)")
        #expect(api.requests.isEmpty)
    }

    @Test("a redirect is passed on, and leads to the proxy where it stays below the API")
    func redirects() throws {
        let api = try Responder { request in
            .redirect(302, to: request.target.contains("in") ? "/v1/there?x=1" : "https://other.example/v1/a")
        }
        let proxy = try ProxyScene(base: api.url("/v1"))
        let inside = try proxy.get("/in")
        #expect(inside.status == 302)
        #expect(inside.field("Location") == "\(proxy.url)/there?x=1")
        #expect(try proxy.get("/out").field("Location") == "https://other.example/v1/a")
        #expect(api.requests.count == 2)
    }

    @Test("an answer that has the token in it is not passed on")
    func leaks() throws {
        let base64 = Data("Bearer \(ProxyScene.token)".utf8).base64EncodedString()
        let api = try Responder { request in
            switch request.target {
            case "/field": return .text("", headers: ["Set-Cookie: t=\(ProxyScene.token)"])
            case "/location": return .redirect(302, to: "/a?\(ProxyScene.token)")
            default: break
            }
            let text = request.target.contains("64") ? base64 : "{\"a\":\"\(ProxyScene.token)\"}"
            return request.target.contains("chunk")
                ? .chunked([
                    "first ", String(ProxyScene.token.prefix(9)), String(ProxyScene.token.dropFirst(9)), "rest",
                ])
                : .text(text)
        }
        let proxy = try ProxyScene(base: api.url())
        for path in ["/plain", "/64"] {
            let answer = try proxy.get(path)
            #expect(answer.status == 502 && answer.isOwn, "\(answer)")
            #expect(answer.problem["detail"]?.string?.contains("has the token in it") == true)
        }
        for path in ["/field", "/location"] { #expect(try proxy.get(path).status == 502) }
        let cut = try proxy.get("/chunks")
        #expect(!cut.text.contains(ProxyScene.token) && !cut.text.hasSuffix("0\r\n\r\n"), "\(cut)")
    }

    @Test("many requests at once with an expired token make one renewal, and one that the API refuses is sent again")
    func renewal() throws {
        let server = try Responder { request in
            if request.target == "/token" {
                return .json(#"{"access_token":"the-new-token-of-the-user","token_type":"Bearer","expires_in":3600}"#)
            }
            let isNew = request.headers.first("Authorization") == "Bearer the-new-token-of-the-user"
            return isNew
                ? .text("new \(request.bodyText)")
                : .text("", status: 401, headers: ["WWW-Authenticate: Bearer error=\"invalid_token\""])
        }
        let members: JSONObject = [
            "refresh_token": .string("r"), "token_endpoint": .string(server.url("/token")), "client_id": .string("c"),
            "token_endpoint_auth_method": .string("none"),
        ]
        let refused = try ProxyScene(base: server.url(), token: members)
        let answers = try withThreads(20) {
            try refused.send("POST /\(refused.key)/work/a", ["Content-Length: 3"], "abc")
        }
        #expect(answers.allSatisfy { $0.status == 200 && $0.body == "new abc" }, "\(answers)")
        #expect(server.requests.count { $0.target == "/token" } == 1)
        let due = try ProxyScene(base: server.url(), token: members.setting("expires_at", to: .integer(1)))
        #expect(try due.get("/a").body == "new ")
        #expect(server.requests.count { $0.target == "/token" } == 2)
    }

    @Test("a login that is over gets 401 with what a person must do, and after a login the next request passes")
    func loginOver() throws {
        let server = try Responder { request in
            if request.target == "/token" { return .json(#"{"error":"invalid_grant"}"#, status: 400) }
            let isNew = request.headers.first("Authorization") == "Bearer after-login-token"
            return .text("", status: isNew ? 200 : 401, headers: ["WWW-Authenticate: Bearer error=\"invalid_token\""])
        }
        let proxy = try ProxyScene(
            base: server.url(),
            token: [
                "refresh_token": .string("r"), "token_endpoint": .string(server.url("/token")),
                "client_id": .string("c"),
                "token_endpoint_auth_method": .string("none"),
            ])
        let answer = try proxy.get("/a")
        #expect(answer.status == 401 && answer.isOwn, "\(answer)")
        #expect(answer.problem["exit_status"]?.integer == 8)
        #expect(answer.problem["hint"]?.string?.contains("oap login work") == true)
        try ProxyScene.put(
            [
                "access_token": .string("after-login-token"), "token_type": .string("Bearer"),
                "api_base": .string(server.url()),
            ],
            as: "work", in: proxy.home)
        #expect(try proxy.get("/a").status == 200)
    }

    @Test("a server that cannot be reached, and one that breaks off, is said as such")
    func unreachable() throws {
        let api = try Responder { request in request.target.contains("half") ? .truncated("abc", promised: 9) : .close }
        let proxy = try ProxyScene(base: api.url())
        let closed = try proxy.get("/closed")
        #expect(closed.status == 502 && closed.isOwn && closed.problem["exit_status"]?.integer == 6, "\(closed)")
        #expect(
            try proxy.send("POST /\(proxy.key)/work/a", ["Content-Length: 1"], "a").problem["exit_status"]?.integer
                == 12)
        #expect(try proxy.get("/half").status == 502)
        api.stop()
        #expect(try proxy.get("/gone").problem["exit_status"]?.integer == 6)
    }

    @Test("after a limit, further requests wait as long as the API says, and are answered where that is long")
    func limits() throws {
        let api = try Responder(
            .text("", status: 429, headers: ["Retry-After: 1"]), .text("second"),
            .text("", status: 429, headers: ["Retry-After: 3000"]))
        let proxy = try ProxyScene(base: api.url())
        #expect(try proxy.get("/a").status == 429)
        let begin = ContinuousClock.now
        #expect(try proxy.get("/a").body == "second")
        #expect(ContinuousClock.now - begin > .milliseconds(700))
        #expect(try proxy.get("/a").status == 429)
        let answer = try proxy.get("/a")
        #expect(answer.status == 503 && answer.isOwn && Int(answer.field("Retry-After") ?? "") ?? 0 > 2900, "\(answer)")
        #expect(api.requests.count == 3)
    }

    @Test("a rule lets pass what it names")
    func rules() throws {
        let api = try Self.api()
        let proxy = try ProxyScene(["--allow", "GET /repos/**", "--deny", "* /repos/*/keys"], base: api.url())
        #expect(try proxy.get("/repos/a").status == 200)
        #expect(try proxy.get("/repos/a/keys").status == 403)
        #expect(try proxy.get("/user").status == 403)
        #expect(try proxy.get("/repos/a", method: "DELETE").status == 403)
        #expect(try proxy.get("/repos/a", ["X-HTTP-Method-Override: DELETE"]).status == 403)
        #expect(api.requests.count == 1)
    }

    @Test("several names share the port and the key, each with its API and its token")
    func names() throws {
        let (one, two) = (try Self.api(), try Self.api())
        let proxy = try ProxyScene(base: one.url("/one"), names: ["work", "other", "work"])
        try ProxyScene.put(
            ["access_token": .string("the-token-of-another"), "api_base": .string(two.url("/two"))], as: "third",
            in: proxy.home)
        #expect(proxy.document["urls"]?.object?.members.map(\.name) == ["work", "other"])
        #expect(try proxy.send("GET /\(proxy.key)/other/a").body == "GET /one/a ")
        let both = try Program.oap(
            ["proxy", "work", "third", "--env", "THIRD=base:third", "--", "sh", "-c", "curl -sS $THIRD/b"],
            environment: ["HOME": proxy.home.path]
        ).run().expect(status: 0)
        #expect(both.text == "GET /two/b ")
        #expect(two.requests.first?.headers.first("Authorization") == "Bearer the-token-of-another")
        #expect(one.requests.count == 1)
    }

    /// Runs a function on threads of its own.
    private func withThreads<Value: Sendable>(
        _ count: Int, _ body: @escaping () throws -> Value
    ) throws -> [Value] {
        nonisolated(unsafe) let body = body
        let results = Results<Value>()
        DispatchQueue.concurrentPerform(iterations: count) { _ in results.add(Result { try body() }) }
        return try results.all.map { try $0.get() }
    }
}

private final class Results<Value: Sendable>: @unchecked Sendable {
    private let lock = NSLock()
    private var results: [Result<Value, any Error>] = []
    func add(_ result: Result<Value, any Error>) { lock.withLock { results.append(result) } }
    var all: [Result<Value, any Error>] { lock.withLock { results } }
}
