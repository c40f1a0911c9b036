import Foundation
import TestSupport
import Testing
import Wire

@testable import CommandSupport

@Suite("The browser after oap login")
struct LoginPageTests {
    private let person: LoginHome

    init() throws { person = try LoginHome() }

    /// A login with a browser that writes its last page to a pipe.
    private func login() throws -> RunningProgram {
        try #require(mkfifo(person.home.path("page"), 0o600) == 0)
        let browser = "curl -sSL -o \(person.home.path("page"))"
        return try person.oap(["login", "work", "--open"], ["BROWSER": browser]).start()
    }

    /// The last page of the browser.
    private func page() throws -> String {
        try Program(path: "/bin/cat", arguments: [person.home.path("page")]).run().expect(status: 0).text
    }

    @Test("the page says that the person is signed in when the token is there, and other requests are answered before")
    func waits() throws {
        let (asked, proceed) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let server = try Responder { request in
            guard request.method == "POST" else { return LoginHome.consent(to: request) }
            asked.signal()
            proceed.wait()
            return .token
        }
        try person.profile(server)
        let login = try login()
        let url = try login.errorLine { $0.hasPrefix("http://") }
        asked.wait()
        let redirect = try #require(FormEncoding.parse(url).first { $0.name == "redirect_uri" }?.value)
        let port = try #require(WebURL(redirect)?.port)
        let host = "Host: 127.0.0.1:\(port)\r\n\r\n"
        for (target, status) in [("/icon", 404), ("/callback?code=x&state=y", 400)] {
            let answer = try RawConnection.exchange("GET \(target) HTTP/1.1\r\n\(host)", port: port)
            #expect(answer.hasPrefix("HTTP/1.1 \(status) "))
        }
        proceed.signal()
        #expect(try page().contains("<h1>Signed in</h1>"))
        try login.finish().expect(status: 0)
    }

    @Test(
        "the page of a login that fails says why, with nothing that a server could put into it",
        arguments: [
            (#"{"error":"invalid_grant","error_description":"<b>no</b>"}"#, 4, "invalid_grant (&lt;b&gt;no&lt;/b&gt;)"),
            ("<html>", 10, "<p>The token endpoint"),
        ])
    func fails(answer: String, status: Int, reason: String) throws {
        let server = try Responder { request in
            request.method == "POST" ? .json(answer, status: 400) : LoginHome.consent(to: request)
        }
        try person.profile(server)
        let login = try login()
        let page = try page()
        try login.finish().expect(status: status)
        #expect(page.contains("<h1>Not signed in</h1>") && page.contains(reason), "\(page)")
    }

    @Test("a refused consent is said in one way, and so is the page")
    func refused() throws {
        let server = try Responder { LoginHome.consent(to: $0, with: "error=access_denied") }
        try person.profile(server)
        let login = try login()
        #expect(try page().contains("<p>The access was not allowed.</p>"))
        try login.finish().expect(status: 4)
            .expect(errorLine: "oap: login: the authorization server said access_denied")
    }

    @Test("a long reason is cut, ends as a sentence, and fits on a phone")
    func longReason() throws {
        let words = "https://as.example/" + String(repeating: "0123456789", count: 60)
        let answer = "error=invalid_request&error_description=\(words)"
        let server = try Responder { LoginHome.consent(to: $0, with: answer) }
        try person.profile(server)
        let login = try login()
        let page = try page()
        #expect(page.contains("0123…)</p>") || page.contains("…).</p>"), "\(page)")
        let html = try #require(page.firstRange(of: "<!doctype").map { String(page[$0.lowerBound...]) })
        #expect(try PageWidth.onPhone(html) <= 360)
        try login.finish().expect(status: 4)
    }

    @Test("the tokens that came with an ID token that fails a check are revoked")
    func revoked() throws {
        let server = try OpenIDServer(claims: ["aud": "another"])
        let words = ["login", "work", "--open", "--issuer", server.responder.url(), "--client-id", "c"]
        let result = try person.oap(words).run().expect(status: 9)
        result.expect(errorLine: "oap: login: the new tokens were revoked at the server").expect(nowhere: "issued-")
        let lines = result.errorText.split(separator: "\n").map(String.init)
        let place = try #require(lines.firstIndex { $0.contains("revoked at the server") })
        #expect(lines[place - 1].contains("aud of the ID token"), "the cause comes first: \(result)")
        let bodies = server.requests(to: "/revoke").map(\.bodyText)
        #expect(bodies.count == 2 && bodies.first?.contains("token=issued-refresh") == true)
        let silent = try OpenIDServer(claims: ["aud": "another"], metadata: ["revocation_endpoint": .null])
        let other = ["login", "other", "--open", "--issuer", silent.responder.url(), "--client-id", "c"]
        #expect(try !person.oap(other).run().expect(status: 9).errorText.contains("revoked"))
    }

    @Test(
        "the tokens that came without the ID token that was asked for are revoked", arguments: ["", #","id_token":1"#])
    func incomplete(idToken: String) throws {
        let tokens = #""access_token":"issued-access","refresh_token":"issued-refresh","token_type":"Bearer""#
        let server = try Responder { request in
            let isLogin = request.target.hasPrefix("/authorize?")
            guard request.target != "/keys" else { return .json(#"{"keys":[]}"#) }
            return isLogin ? LoginHome.consent(to: request) : .json("{\(tokens)\(idToken)}")
        }
        try person.profile(
            server,
            [
                "scope": "openid", "issuer": .string(server.url()), "jwks_uri": .string(server.url("/keys")),
                "revocation_endpoint": .string(server.url("/revoke")),
            ])
        let result = try person.oap(["login", "work", "--open"]).run()
        result.expect(errorLine: "oap: login: the new tokens were revoked at the server").expect(nowhere: "issued-")
        let bodies = server.requests.filter { $0.target == "/revoke" }.map(\.bodyText)
        #expect(bodies.count == 2 && bodies.first?.contains("token=issued-refresh") == true)
    }
}
