import Foundation
import TestSupport
import Testing
import Wire

@testable import Calls

@Suite("Redirects of call")
struct RedirectPolicyTests {
    private let fields = [
        HTTPField("Authorization", "Bearer t"), HTTPField("DPoP", "proof"), HTTPField("Cookie", "a=b"),
        HTTPField("Proxy-Authorization", "Basic x"), HTTPField("X-Api-Key", "k"), HTTPField("Accept", "a/b"),
        HTTPField("accept-language", "de"), HTTPField("User-Agent", "u"), HTTPField("Range", "bytes=0-1"),
        HTTPField("If-None-Match", "\"e\""), HTTPField("Content-Type", "c/d"), HTTPField("Content-Language", "de"),
    ]
    private let harmless = ["Accept", "accept-language", "User-Agent", "Range", "If-None-Match"]

    private func request(_ method: String = "GET", _ url: String = "https://a.example/x") -> HTTPRequest {
        HTTPRequest(
            method: method, url: url, headers: fields, body: ["POST", "PUT"].contains(method) ? [1, 2] : nil)
    }

    private func head(_ status: Int, _ location: String?) -> HTTPResponseHead {
        HTTPResponseHead(status: status, headers: location.map { [HTTPField("Location", $0)] } ?? [])
    }

    private func decide(
        _ request: HTTPRequest, _ status: Int, _ location: String?, upload: KeptContent? = nil, bare: Bool = false,
        hops: Int = 0, allowsCrossOrigin: Bool = true
    ) throws(RedirectError) -> Hop? {
        try (allowsCrossOrigin ? RedirectPolicy.any : .sameOrigin).next(
            after: head(status, location),
            to: Hop(message: request, upload: upload, isBare: bare, count: hops))
    }

    private func next(
        _ request: HTTPRequest, _ status: Int, _ location: String?, upload: KeptContent? = nil, bare: Bool = false
    ) throws -> Hop {
        try #require(try decide(request, status, location, upload: upload, bare: bare))
    }

    private func kind(_ body: () throws(RedirectError) -> Hop?) -> String {
        do {
            return try body() == nil ? "done" : "followed"
        } catch {
            return error.kind.rawValue
        }
    }

    @Test("CD-01 to CD-05 a redirect is judged as the case says", arguments: try VectorGroup("call_redirects").cases)
    func vectors(row: VectorCase) throws {
        let action = try #require(row["action"]?.string)
        let chain = try #require(row["from"]?.string).components(separatedBy: " -> ")
        let method = try #require(row["method"]?.string)
        let status = try #require(row["status"]?.integer)
        let hops = row.id == "loop" ? RedirectPolicy.maximumHops : chain.count - 1
        let result = Result { () throws(RedirectError) in
            try decide(
                request(method, chain[chain.count - 1]), status, row["location"]?.string, bare: chain.count > 1,
                hops: hops)
        }
        #expect(summary(of: result) == expectation(action))
    }

    /// The action of a case in the words of `summary`.
    private func expectation(_ action: String) -> String {
        switch action {
        case let text where text.contains("refuse insecure_transport"): "insecure_transport"
        case let text where text.contains("refuse redirect_refused"): "redirect_refused"
        case let text where text.contains("redirect_loop"): "redirect_loop"
        case "not a redirect": "done"
        case "refuse invalid_response": "invalid_response"
        case "follow GET, keep Authorization, new DPoP proof", "follow, as same-origin-302-get",
            "fragment is never sent":
            "GET full"
        case "follow as GET, drop the body", "follow as GET, drop the body and Content-*": "GET full"
        case "repeat POST with the body": "POST full body"
        case "repeat PUT": "PUT full body"
        case let text where text.contains("bare") || text == "as cross-host": "GET bare"
        default: "an action that this test does not know: \(action)"
        }
    }

    private func summary(of result: Result<Hop?, RedirectError>) -> String {
        switch result {
        case .success(nil): return "done"
        case .success(let next?):
            let hasCredentials = next.message.headers.first("Authorization") != nil
            return next.message.method + (next.isBare ? " bare" : hasCredentials ? " full" : " inconsistent")
                + (next.message.body == nil ? "" : " body")
        case .failure(let error): return error.kind.rawValue
        }
    }

    @Test("CD-02 another origin gets only the headers that are no credentials")
    func bareHeaders() throws {
        let next = try next(request(), 302, "https://b.example/y?z#f")
        #expect(next.isBare)
        #expect(next.message.headers.map(\.name) == harmless)
        #expect(next.message.url == "https://b.example/y?z")
        #expect(next.message.method == "GET")
    }

    @Test(
        "CD-02 the same origin gets every header, whatever the case of its host and with the default port written out",
        arguments: ["/y", "y", "https://A.example:443/y", "//a.example/y"])
    func sameOrigin(location: String) throws {
        let next = try next(request(), 302, location)
        #expect(!next.isBare)
        #expect(next.message.headers == fields)
    }

    @Test(
        "CD-04 a request that becomes a GET loses its content and what describes it",
        arguments: [("POST", 301), ("POST", 302), ("POST", 303), ("PUT", 303), ("DELETE", 303)])
    func becomesGet(method: String, status: Int) throws {
        let next = try next(request(method), status, "/y")
        #expect(next.message.method == "GET")
        #expect(next.message.body == nil)
        #expect(!next.message.headers.contains { $0.name.hasPrefix("Content-") })
    }

    @Test(
        "CD-04 HEAD stays HEAD, and 301 and 302 keep every method but POST",
        arguments: [("HEAD", 303), ("HEAD", 302), ("PUT", 301), ("DELETE", 302), ("PATCH", 301)])
    func keepsMethod(method: String, status: Int) throws {
        #expect(try next(request(method), status, "/y").message.method == method)
    }

    @Test("CD-04 an upload is sent again in its origin, and never leaves it")
    func upload() throws {
        var post = request("POST")
        post.body = nil
        let content = KeptContent()
        let again = try next(post, 307, "/y", upload: content)
        #expect(again.message.method == "POST")
        #expect(again.upload === content)
        #expect(
            kind { () throws(RedirectError) in try decide(post, 308, "https://b.example/", upload: content) }
                == "redirect_refused")
        #expect(try next(post, 303, "/y", upload: content).upload == nil)
    }

    @Test("CD-04 an upload that cannot be read again stops a redirect that wants it again, and no other")
    func unreplayable() throws {
        var post = request("POST")
        post.body = nil
        let content = KeptContent(isReplayable: false)
        #expect(
            kind { () throws(RedirectError) in try decide(post, 307, "/y", upload: content) }
                == "body_not_replayable")
        #expect(try next(post, 303, "/y", upload: content).message.method == "GET")
    }

    @Test("a request without content may leave the origin with its method")
    func emptyDelete() throws {
        let next = try next(request("DELETE"), 307, "https://b.example/")
        #expect(next.isBare)
        #expect(next.message.method == "DELETE")
    }

    @Test("CD-02 a credential that a redirect has dropped stays dropped")
    func staysBare() throws {
        #expect(try next(request(), 302, "/y", bare: true).isBare)
    }

    @Test("CD-01 the tenth redirect is followed, the eleventh is a loop")
    func loop() throws {
        _ = try decide(request(), 302, "/x", hops: 9)
        #expect(kind { () throws(RedirectError) in try decide(request(), 302, "/x", hops: 10) } == "redirect_loop")
    }

    @Test(
        "CD-03 a redirect to where no token may go is refused",
        arguments: [
            ("http://127.0.0.1/", "insecure_transport"), ("http://a.example/", "insecure_transport"),
            ("ftp://a.example/", "redirect_refused"), ("data:,x", "redirect_refused"),
            ("javascript:x", "redirect_refused"), ("https:///x", "redirect_refused"),
            ("https://u@a.example/", "redirect_refused"), ("/a\u{7}b", "redirect_refused"),
            ("https://a.example\\@b.example/", "redirect_refused"), ("https://a.example:99999/", "redirect_refused"),
        ])
    func refused(location: String, expected: String) {
        #expect(kind { () throws(RedirectError) in try decide(request(), 302, location) } == expected)
    }

    @Test("CD-03 plain http on loopback may lead to loopback, not further")
    func loopback() throws {
        let request = request("GET", "http://127.0.0.1:8080/x")
        #expect(try !next(request, 302, "/y").isBare)
        #expect(try next(request, 302, "http://127.0.0.1:8081/y").isBare)
        #expect(
            kind { () throws(RedirectError) in try decide(request, 302, "http://a.example/") } == "insecure_transport")
    }

    @Test("CD-02 --no-cross-origin stops where the origin is left")
    func noCrossOrigin() throws {
        _ = try decide(request(), 302, "/y", allowsCrossOrigin: false)
        let error = #expect(throws: RedirectError.self) {
            try decide(request(), 302, "https://b.example/y?code=secret", allowsCrossOrigin: false)
        }
        #expect(error?.kind == .redirectCrossOrigin)
        #expect(error?.status == 302)
        #expect(error?.message == "the redirect leads to another origin: https://b.example/y")
    }

    @Test("a location with spaces and letters beyond ASCII is percent-encoded")
    func sloppyLocation() throws {
        let next = try next(request(), 302, "/a b/ü?q={1}")
        #expect(next.message.url == "https://a.example/a%20b/%C3%BC?q={1}")
    }

    @Test("CD-05 300 and 304 are answers", arguments: [300, 304, 305, 200, 404])
    func noRedirect(status: Int) throws {
        #expect(kind { () throws(RedirectError) in try decide(request(), status, "https://b.example/") } == "done")
    }

    @Test(
        "CD-05 without a Location, 307 and 308 are answers, and the others are no answer",
        arguments: [
            (301, "invalid_response"), (302, "invalid_response"), (303, "invalid_response"), (307, "done"),
            (308, "done"),
        ])
    func noLocation(status: Int, end: String) throws {
        for location in [nil, ""] {
            #expect(kind { () throws(RedirectError) in try decide(request(), status, location) } == end)
        }
    }
}
