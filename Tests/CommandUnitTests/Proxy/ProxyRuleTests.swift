import Testing
import Wire

@testable import Proxying

@Suite("The rules of oap proxy")
struct ProxyRuleTests {
    @Test(
        "a path that servers read in different ways is none",
        arguments: [
            "a", "/a/../b", "/..", "/.", "/a/%2e%2e/b", "/a/%2E./b", "//a", "/a//b", "/a\\b", "/a%5cb", "/a%00b",
            "/a%0d%0ab", "/a/..;x=1/b", "/a/..%3bx/b", "/a%2f..%2fb", "/%252e%252e/b", "/a%252f..%252fb",
            "/%c0%ae%c0%ae/b",
            "/a%2", "/a%zz", "/a%+1", "/%255c", "/x/%252e%252e%252f%25zz/a", "/%25c0%25ae%25c0%25ae/a",
        ])
    func ambiguous(text: String) { #expect(ProxyPath(text) == nil) }

    @Test(
        "any other path is passed on as it is, and compared decoded",
        arguments: [
            ("/", [""]), ("/a/b", ["a", "b"]), ("/a/", ["a", ""]), ("/%61/b%20c", ["a", "b c"]), ("/a%2Fb", ["a/b"]),
            ("/a.b/...", ["a.b", "..."]), ("/100%25", ["100%"]), ("/%E2%82%AC", ["€"]), ("/a;b", ["a;b"]),
        ])
    func plain(text: String, segments: [String]) throws {
        let path = try #require(ProxyPath(text))
        #expect(path.text == text)
        #expect(path.segments == segments)
    }

    @Test(
        "a rule names methods and a pattern of paths",
        arguments: [
            ("GET /user", "GET", "/user", true), ("GET /user", "HEAD", "/user", true),
            ("GET /user", "POST", "/user", false),
            ("GET /user", "GET", "/user/", false), ("GET /user", "GET", "/users", false),
            ("GET,POST /a", "POST", "/a", true), ("* /a", "PURGE", "/a", true), ("get /a", "GET", "/a", true),
            ("HEAD /a", "GET", "/a", false), ("GET /r/*/i", "GET", "/r/x/i", true),
            ("GET /r/*/i", "GET", "/r/x/y/i", false),
            ("GET /r/*", "GET", "/r/", true), ("GET /r/a*c", "GET", "/r/abbc", true),
            ("GET /r/a*c", "GET", "/r/abb", false),
            ("GET /r/**", "GET", "/r/x/y", true), ("GET /r/**", "GET", "/r", true), ("GET /r/**", "GET", "/rx", false),
            ("GET /**/i", "GET", "/a/b/i", true), ("GET /**/i", "GET", "/i", true), ("GET /**", "GET", "/", true),
            ("GET /a%20b", "GET", "/a%20b", true), ("GET /admin/**", "GET", "/%61dmin/x", true),
            ("GET /p/g%2Fx", "GET", "/p/g%2fx", true),
        ])
    func rules(rule: String, method: String, path: String, fits: Bool) throws {
        let path = try #require(ProxyPath(path))
        #expect(try ProxyRule(rule, option: "--allow").allows(method, path) == fits)
    }

    @Test("a rule that is none is refused", arguments: ["GET", "/a", "GET a", "G(T /a", "GET /a/../b", "GET /a b", ""])
    func broken(rule: String) { #expect(throws: Error.self) { try ProxyRule(rule, option: "--allow") } }

    @Test(
        "a rule that denies is about each reading of a path",
        arguments: [
            "/f/adm", "/f/adm/", "/f/ADM", "/f/adm;a", "/f;b/adm", "/f/adm.", "/f/adm%20", "/f%2fadm", "/%66/adm",
        ])
    func readings(path: String) throws {
        let rule = try ProxyRule("GET /f/adm", option: "--deny")
        #expect(rule.denies("GET", try #require(ProxyPath(path))))
        #expect(!rule.denies("GET", try #require(ProxyPath("/f/admin"))))
    }

    @Test("a slash that is encoded is one only for the rule that has one")
    func slashes() throws {
        let allowed = try ["GET /one/*", "GET /p/a%2Fb", "GET /files/**"].map { try ProxyRule($0, option: "--allow") }
        let rules = ProxyRules(allowed: allowed, denied: [try ProxyRule("GET /files/adm/**", option: "--deny")])
        for (path, isAllowed) in [
            ("/p/a%2fb", true), ("/one/x%2Fy", false), ("/files/adm%2fx", false), ("/one/x", true),
        ] {
            #expect((rules.objection(to: "GET", try #require(ProxyPath(path))) == nil) == isAllowed, "\(path)")
        }
    }

    @Test("nothing names another method or path beside the request line")
    func overrides() throws {
        let rules = ProxyRules(allowed: [try ProxyRule("GET /a", option: "--allow")], denied: [])
        let path = try #require(ProxyPath("/a"))
        for name in ["X-HTTP-Method-Override", "X_HTTP_Method_Override", "x-original-url", "X-Rewrite-URL"] {
            #expect(rules.objection(to: "GET", path, [HTTPField(name, "DELETE")])?.status == 403)
        }
        #expect(rules.objection(to: "GET", path, query: "a=1&%5fmethod=DELETE")?.status == 403)
        #expect(rules.objection(to: "GET", path, query: "a=1") == nil)
    }

    @Test("a rule with many wildcards takes no more time than its path is long")
    func wildcards() throws {
        let rule = try ProxyRule("GET /**/a/**/a/**/a/**/a/**/a/**/b", option: "--allow")
        let path = try #require(ProxyPath(String(repeating: "/a", count: 20_000)))
        let begin = ContinuousClock.now
        #expect(!rule.allows("GET", path))
        #expect(ContinuousClock.now - begin < .seconds(5))
    }

    @Test("a rule that denies counts before one that allows, and with one that allows the rest is refused")
    func order() throws {
        let rules = ProxyRules(
            allowed: [try ProxyRule("GET /a/**", option: "--allow")],
            denied: [try ProxyRule("* /a/secret/**", option: "--deny")])
        let objection = { (method: String, path: String) in
            rules.objection(to: method, try #require(ProxyPath(path)))?.status
        }
        #expect(try objection("GET", "/a/b") == nil)
        #expect(try objection("GET", "/a/secret/b") == 403)
        #expect(try objection("GET", "/a/%73ecret/b") == 403)
        #expect(try objection("POST", "/a/b") == 403)
        #expect(try objection("GET", "/b") == 403)
        // No rule knows what the server makes of it.
        #expect(try objection("GET", "/a%2Fsecret/b") == 403)
        #expect(ProxyRules(allowed: [], denied: []).objection(to: "POST", try #require(ProxyPath("/a%2Fb"))) == nil)
    }
}
