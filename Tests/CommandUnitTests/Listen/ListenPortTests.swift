import Foundation
import PlaySupport
import TestSupport
import Testing
import Wire

@testable import CommandSupport

@Suite("The port of listen", .inProcess)
struct ListenPortTests {
    @Test("the port of oap listen is bound before the URL is shown; one that is taken is exit 6 and named")
    func taken() throws {
        let listening = try Listening()
        let second = try Program.oap(["listen"], input: listening.flow.input).run().expect(status: 6)
        #expect(second.errorText.contains("port \(listening.port) of 127.0.0.1 is already in use"), "\(second)")
        #expect(!second.errorText.contains("https://as.example"))
        let error = try second.object()
        #expect(error["error"] == "network" && error["retryable"] == true && error["stage"] == "listen")
        try listening.finish()
    }

    @Test("the port of oap listen is given up after the time that was allowed, which is exit 6")
    func timeout() throws {
        let listening = try Listening(nil, ["--timeout", "0.2"])
        let silent = try RawConnection(port: listening.port)
        let result = try listening.program.finish().expect(status: 6)
        let error = try result.object()
        #expect(error["error"] == "timeout" && error["retryable"] == true)
        #expect(result.errorText.contains("within 0.2 s") && result.errorText.contains("oap callback-parse"))
        #expect(result.errorText.contains("some servers need --par"))
        #expect(throws: RawConnection.Failure.self) { try RawConnection(port: listening.port) }
        withExtendedLifetime(silent) {}
    }

    @Test(
        "oap listen fails with exit 9 at its end if only responses without its state came",
        arguments: [
            (["?error=access_denied"], "state_missing", "the first has no state (error=access_denied)"),
            (["?code=x"], "state_missing", "the first has no state"),
            (["?code=x&state=other", "?error=e"], "state_mismatch", "the first has another state"),
            (["", "?error=e&state=other"], "state_mismatch", "the first has another state (error=e)"),
        ])
    func otherLogin(queries: [String], error: String, words: String) throws {
        let listening = try Listening(nil, ["--timeout", "3"])
        for query in queries { try listening.send("GET", listening.path + query) }
        let result = try listening.program.finish().expect(status: 9)
        let address = "http://127.0.0.1:\(listening.port)\(listening.path)"
        result.expect(
            errorLine: "oap: listen: only redirects of another login came to \(address) within 3 s; \(words)")
        #expect(try result.object()["error"]?.string == error && result.object()["retryable"] == nil)
        let isRefusal = words.hasSuffix(")")
        #expect(result.errorText.contains(isRefusal ? "log in again, and allow it" : "close the pages of other logins"))
    }

    @Test(
        "oap listen tells at once of its redirect that came elsewhere or in another way, and names it at its end",
        arguments: [
            (
                "GET", "PATH/?QUERY", "HOST", "to http://HOSTPATH/, not to http://HOSTPATH",
                "--redirect-uri http://HOSTPATH/"
            ),
            (
                "GET", "/Callback?QUERY", "HOST", "to http://HOST/Callback, not to http://HOSTPATH",
                "--redirect-uri http://HOST/Callback"
            ),
            (
                "GET", "/a$(b)?QUERY", "HOST", "to http://HOST/a$(b), not to http://HOSTPATH",
                "register http://HOSTPATH at the server"
            ),
            (
                "GET", "PATH?QUERY", "localhost:PORT", "to http://localhost:PORTPATH, not to http://HOSTPATH",
                "--redirect-uri http://localhost:PORTPATH"
            ),
            ("POST", "PATH", "HOST", "by POST, not by GET", "--response-mode form_post"),
            ("POST", "PATH?QUERY", "HOST", "by POST, not by GET", "--response-mode form_post"),
        ])
    func elsewhere(method: String, target: String, host: String, fact: String, hint: String) throws {
        let listening = try Listening(nil, ["--timeout", "3"])
        let query = "code=x&state=\(listening.state)"
        let filled = { (text: String) in
            text.replacing("HOST", with: "127.0.0.1:PORT").replacing("PATH", with: listening.path)
                .replacing("PORT", with: "\(listening.port)").replacing("QUERY", with: query)
        }
        let content = method == "POST" ? query : ""
        let fields = ["Host: \(filled(host))", "Content-Length: \(content.utf8.count)"]
        let page = try listening.send(method, filled(target), fields, content: content)
        #expect(page.hasPrefix("HTTP/1.1 40"))
        _ = try listening.program.errorLine {
            $0 == "oap: listen: warning: the redirect of this login came \(filled(fact)); it is ignored"
        }
        _ = try listening.program.errorLine { $0.hasPrefix("oap: hint: ") && $0.hasSuffix(filled(hint)) }
        let result = try listening.program.finish().expect(status: 6)
        #expect(result.errorText.contains(" within 3 s; one came \(filled(fact))\n"), "\(result)")
    }

    @Test("oap listen takes a redirect whose error text is Latin-1, in the target and in a form")
    func latin1() throws {
        let listening = try Listening()
        let connection = try RawConnection(port: listening.port)
        let head = "GET \(listening.path)?state=\(listening.state)&error=access_denied&error_description=bl"
        try connection.send(
            Array(head.utf8) + [0xF6] + Array("d HTTP/1.1\r\nHost: 127.0.0.1:\(listening.port)\r\n\r\n".utf8))
        #expect(try connection.readToEnd().contains("Not signed in"))
        let flow = try listening.program.finish().expect(status: 0).object()
        let result = try Program.oap(["callback-parse"], input: flow.input).run().expect(status: 4)
        #expect(result.errorText.contains("said access_denied (bl\u{FFFD}d)"))
    }

    @Test("oap listen fails with exit 6 at its end if what came was no response of a server")
    func stray() throws {
        let listening = try Listening(nil, ["--timeout", "3"])
        for target in ["/favicon.ico", "/other?code=x&state=y", "\(listening.path)?state=other", listening.path] {
            try listening.send("GET", target)
        }
        let result = try listening.program.finish().expect(status: 6)
        #expect(
            result.errorText.contains("within 3 s; one without the state of this login was ignored\n"), "\(result)")
    }

    @Test("the port of oap listen is that of ::1 alone, where the redirect URI names it")
    func onlyIPv6() throws {
        let listening = try Listening(try Listening.flow(["--redirect-uri", "http://[::1]:0/cb"]))
        #expect(throws: RawConnection.Failure.self) { try RawConnection(port: listening.port) }
        try listening.finish(isIPv6: true)
    }

    @Test("the port of oap listen is that of both families for localhost", arguments: [false, true])
    func localhost(isIPv6: Bool) throws {
        let listening = try Listening(try Listening.flow(["--redirect-uri", "http://localhost:0/cb"]))
        try listening.finish(isIPv6: isIPv6)
    }

    @Test("the port of oap listen is where --bind says, for a redirect that a tunnel brings under another name")
    func bind() throws {
        let free = try Listening.flow()["redirect_uri"]?.string.flatMap { WebURL($0)?.port } ?? 0
        let flow = try Listening.flow(["--redirect-uri", "https://tunnel.example/cb"])
        try Program.oap(["listen"], input: flow.input).run().expect(status: 3)
        let listening = try Listening(flow, ["--bind", "127.0.0.1:\(free)"])
        let page = try RawConnection.exchange(
            "GET /cb\(listening.query) HTTP/1.1\r\nHost: inner.example\r\n\r\n", port: free)
        #expect(page.contains("Answer received"))
        let result = try listening.program.finish().expect(status: 0).object()
        #expect(result["callback_url"]?.string == "https://tunnel.example/cb\(listening.query)")
        try Program.oap(["callback-parse"], input: result.input).run().expect(status: 0)
    }

    @Test(
        "oap login names the port of --bind in its ssh command, and warns of a phone where the redirect is on loopback",
        arguments: [
            ("http://127.0.0.1:8765/cb", "127.0.0.1", "ssh -L 8765:127.0.0.1:$ "),
            ("http://localhost:8765/cb", "0.0.0.0", "ssh -L 8765:127.0.0.1:$ "),
            ("http://[::1]:8765/cb", "[::1]", "ssh -L 8765:[::1]:$ "), ("https://tunnel.example/cb", "127.0.0.1", nil),
        ])
    func tunnel(uri: String, address: String, command: String?) throws {
        let free = try Listening.flow()["redirect_uri"]?.string.flatMap { WebURL($0)?.port } ?? 0
        let home = try LoginHome()
        let result = try home.oap([
            "login", "work", "--headless", "--qr", "--timeout", "0.2", "--bind", "\(address):\(free)", "--redirect-uri",
            uri, "--client-id", "c", "--authorization-endpoint", "https://as.example/a", "--token-endpoint",
            "https://as.example/t",
        ]).run().expect(status: 6)
        #expect(result.errorText.contains("which a phone cannot reach") == (command != nil), "\(result)")
        let expected = command?.replacing("$", with: "\(free)") ?? "no redirect came"
        #expect(result.errorText.contains(expected) && result.errorText.contains("ssh -L") == (command != nil))
    }

    @Test(
        "the port of oap listen is none that a redirect URI cannot have",
        arguments: [
            ("http://127.0.0.1/cb", "has no port"), ("http://127.0.0.1:80/cb", "port 80"),
            ("http://localhost:1023/", "port 1023"), ("https://client.example:8443/cb", "not to this machine"),
            ("http://127.0.0.1.evil.example:8080/cb", "not to this machine"), ("http://0.0.0.0:8080/", "not to this"),
            ("http://127.0.0.1:0/cb", "port 0"),
            ("http://127.0.0.1:8080/cb#x", "fragment"), ("/cb", "absolute"),
        ])
    func badRedirectURI(uri: String, words: String) throws {
        let flow = try Listening.flow()
        let piped = try Program.oap(["listen"], input: flow.with(["redirect_uri": .string(uri)]).input).run()
        #expect(piped.expect(status: 3).errorText.contains(words), "\(piped)")
        let option = try Program.oap(["listen", "--redirect-uri", uri], input: flow.input).run()
        #expect(option.expect(status: 2).errorText.contains(words), "\(option)")
    }

    @Test(
        "the port of oap listen is not opened for a flow that lacks what is needed or leads astray",
        arguments: [
            ("state", "null", 3), ("state", "\"\"", 3), ("state", "7", 3), ("authorization_url", "null", 3),
            ("authorization_url", "\"javascript:alert(1)\"", 3), ("authorization_url", "\"file:///etc/passwd\"", 3),
            ("authorization_url", "\"http://as.example/a\"", 9), ("response_mode", "\"fragment\"", 3),
        ])
    func badFlow(member: String, value: String, status: Int) throws {
        let flow = try Listening.flow().with([member: try JSON(parsing: value)])
        let result = try Program.oap(["listen"], input: flow.input).run().expect(status: status)
        #expect(!result.errorText.contains("to log in"))
    }
}
