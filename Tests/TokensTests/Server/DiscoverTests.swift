import PlaySupport
import TestSupport
import Testing
import Wire

@Suite("oap discover", .inProcessWithoutPauses)
struct DiscoverTests {
    private static let openID = "/.well-known/openid-configuration"
    private static let oauth = "/.well-known/oauth-authorization-server"
    private static let resource = "/.well-known/oauth-protected-resource"

    /// A server with documents by path; `$` stands for its address. Anything else is 404.
    private func server(_ documents: [String: String]) throws -> Responder {
        try Responder { request in
            let address = "http://" + (request.headers.first("Host") ?? "")
            guard let document = documents[request.target] else { return .text("<html>", status: 404) }
            return .json(document.replacing("$", with: address))
        }
    }

    private func discover(_ arguments: String...) throws -> ProgramResult {
        try Program.oap(["discover"] + arguments).run()
    }

    @Test("D-01, D-08 the metadata is printed as it came, with the numbers to the letter, and nothing is read")
    func asServed() throws {
        let server = try server([Self.openID: #"{"x":1.10,"issuer":"$","token_endpoint":"https://t.example/t","a":[]}"#]
        )
        try discover(server.url()).expect(status: 0).expectSilence()
            .expect(output: #"{"x":1.10,"issuer":"\#(server.url())","token_endpoint":"https://t.example/t"}"# + "\n")
        #expect(server.requests.map(\.target) == [Self.openID, Self.oauth])
        #expect(server.requests[0].headers.first("Accept") == "application/json")
        #expect(server.requests[0].headers.first("Authorization") == nil)
    }

    @Test("D-02 the three addresses are asked in order, over one connection, and a page is no metadata")
    func order() throws {
        let server = try Responder { request in
            let address = "http://" + (request.headers.first("Host") ?? "")
            switch request.target {
            case "/t\(Self.openID)": return .content(Array("<html>".utf8), type: "text/html")
            case "\(Self.openID)/t": return .json(#"{"issuer":"\#(address)/t"}"#)
            default: return .text("", status: 404)
            }
        }
        try discover(server.url("/t"), "--jq", ".issuer", "-r").expect(output: server.url("/t") + "\n")
        #expect(server.requests.map(\.target) == ["/t\(Self.openID)", "\(Self.oauth)/t", "\(Self.openID)/t"])
        #expect(server.connectionCount == 1)
    }

    @Test(
        "D-04, D-05 metadata that cannot be trusted ends the search",
        arguments: [
            (#"{"issuer":"https://other.example"}"#, "issuer_mismatch", 9), (#"{"issuer":"$/"}"#, "issuer_mismatch", 9),
            (#"{"token_endpoint":"$/token"}"#, "invalid_response", 10), (#"["issuer"]"#, "invalid_response", 10),
            (#"{"issuer":"$","issuer":"$"}"#, "parse", 10), ("{\"issuer\":", "parse", 10),
            ("[" + String(repeating: "[", count: 600), "parse", 10),
        ])
    func untrusted(document: String, error: String, status: Int) throws {
        let server = try server([Self.openID: document, Self.oauth: #"{"issuer":"$"}"#])
        let result = try discover(server.url()).expect(status: status)
        #expect(try result.object()["error"]?.string == error)
        #expect(server.requests.count == 1)
    }

    @Test("D-02 a redirect, a server that is busy and ten megabytes end the search")
    func refused() throws {
        let moved = try Responder(.redirect(302, to: "https://other.example/"))
        #expect(try discover(moved.url()).expect(status: 9).object()["error"] == "redirect_refused")
        let busy = try Responder(.text("", status: 503, headers: ["Retry-After: 70"]))
        let error = try discover(busy.url()).expect(status: 6).object()
        #expect(error["retryable"] == true && error["retry_after"] == 70)
        let large = try Responder(.json(#"{"issuer":""# + String(repeating: "x", count: 10 << 20) + #""}"#))
        #expect(try discover(large.url()).expect(status: 10).object()["error"] == "too_large")
        #expect(moved.requests.count + busy.requests.count + large.requests.count == 3)
    }

    @Test("D-05 where no address has metadata, the status of the first one is named")
    func nothing() throws {
        let server = try server([:])
        let result = try discover(server.url("/t")).expect(status: 10)
        #expect(try result.object()["http_status"] == 404)
        result.expect(
            errorLine: "oap: discover: there is no metadata of an authorization server at any of 3 addresses: "
                + "the metadata address \(server.url("/t/.well-known/openid-configuration")) answered 404")
        result.expect(
            errorLine: "oap: hint: check the path of the issuer first; if the address is that of an API or an MCP "
                + "server: oap discover --resource \(server.url("/t")); add -v to see the addresses that oap asked")
    }

    @Test(
        "D-03 an address that is no issuer is refused before anything is sent",
        arguments: [
            ("http://as.example", 9), ("https://as.example?x", 2), ("https://as.example/#x", 2),
            ("https://u:p@as.example", 2), ("file:///etc/passwd", 2), ("", 2), ("https://", 2),
        ])
    func badAddress(address: String, status: Int) throws { try discover(address).expect(status: status) }

    @Test("A document found by discover is enough for authurl and the client's id")
    func pipeline() throws {
        let server = try server([
            Self.oauth:
                #"{"issuer":"$","authorization_endpoint":"$/a","token_endpoint":"$/t","client_id":"evil","client_secret_command":["evil"]}"#
        ])
        let found = try discover(server.url())
        found.expect(errorLine: "oap: discover: warning: the server's answer has a member client_id, which was dropped")
        try discover(server.url(), "--strict").expect(status: 10)
        let flow = try Program.oap(["authurl", "--client-id", "id"], input: .text(found.text)).run()
        let url = try #require(flow.expect(status: 0).object()["authorization_url"]?.string)
        #expect(url.hasPrefix(server.url("/a?")) && url.contains("client_id=id"))
    }

    @Test("A resource leads to its authorization server by the challenge of its 401, else by its own address")
    func resourceMetadata() throws {
        let metadata = #"{"resource":"$/mcp","authorization_servers":["$/as"]}"#
        let server = try Responder { request in
            let address = "http://" + (request.headers.first("Host") ?? "")
            switch request.target {
            case "/mcp":
                let field = #"WWW-Authenticate: Bearer resource_metadata="\#(address)/m""#
                return .text("no", status: 401, headers: [field])
            case "/m", "\(Self.resource)/api": return .json(metadata.replacing("$", with: address))
            case "\(Self.oauth)/as": return .json(#"{"issuer":"\#(address)/as"}"#)
            default: return .text("", status: 404)
            }
        }
        let found = try discover(server.url("/mcp"), "--resource").expect(status: 0).object()
        #expect(found["issuer"]?.string == server.url("/as"))
        #expect(found["resource"]?.string == server.url("/mcp"))
        #expect(found["api_base"]?.string == server.url("/mcp"))
        let other = try discover(server.url("/api"), "--resource").expect(status: 9).object()
        #expect(other["error"] == "issuer_mismatch")
    }

    @Test("Where a resource leads nowhere, what it answered itself is said, and that it names its server")
    func resourceAlone() throws {
        let server = try Responder { request in
            let address = "http://" + (request.headers.first("Host") ?? "")
            switch request.target {
            case "/open": return .json("{}")
            case "/broken": return .text("", status: 500)
            case "\(Self.resource)/down":
                return .json(#"{"resource":"\#(address)/down","authorization_servers":["http://127.0.0.1:1"]}"#)
            case "\(Self.resource)/slash":
                return .json(#"{"resource":"\#(address)/slash/","authorization_servers":["\#(address)/as"]}"#)
            case "\(Self.oauth)/as": return .json(#"{"issuer":"\#(address)/as"}"#)
            default: return .text("", status: 404)
            }
        }
        for (path, text) in [
            ("/open", "\(server.url("/open")) answered 200 without a token, and may need none; there is no metadata"),
            ("/broken", "\(server.url("/broken")) answered 500 without a token; there is no metadata"),
            ("/down", "cannot read the metadata of http://127.0.0.1:1, which the resource names: connection to"),
        ] {
            let result = try discover(server.url(path), "--resource", "--retry", "0")
            #expect(result.errorText.contains("oap: discover: \(text)"), "\(result)")
        }
        try discover(server.url("/slash"), "--resource").expect(status: 0).expect(
            errorLine: "oap: discover: warning: the metadata is of \"\(server.url("/slash/"))\", which differs in a "
                + "slash at the end (RFC 9728 section 3.3)")
    }

    @Test("Endpoints at another host are allowed, and shown by -v; those to which no request can go are a warning")
    func endpoints() throws {
        let server = try server([
            Self.openID: #"""
            {"issuer":"$","token_endpoint":"https://other.example/t","authorization_endpoint":"http://as.example/a",\#
            "jwks_uri":"$/keys","revocation_endpoint":5,"x_endpoint":"no"}
            """#
        ])
        let found = try discover(server.url()).expect(status: 0)
        let warning = "oap: discover: warning: in the server's metadata, "
        found.expect(errorLine: "\(warning)authorization_endpoint is plain http to as.example")
            .expect(errorLine: "\(warning)revocation_endpoint is not a URL")
        #expect(found.errorText.split(separator: "\n").count == 2, "\(found)")
        try discover(server.url(), "-v").expect(status: 0).expect(
            errorLine: "oap: discover: the token_endpoint is at another origin than the issuer: https://other.example")
        try discover(server.url(), "--strict").expect(status: 10)
        try Program.oap(["authurl", "--client-id", "c"], input: .text(found.text)).run().expect(status: 9)
    }

    @Test("A resource without metadata that wants no token has no authorization server that could be assumed")
    func noAssumption() throws {
        let open = try Responder { request in .text("", status: request.target == "/mcp" ? 200 : 404) }
        let result = try discover(open.url("/mcp"), "--resource").expect(status: 10)
        #expect(result.errorText.contains("no metadata of the resource"), "\(result)")
        #expect(open.requests.allSatisfy { $0.method == "GET" })
    }

    @Test("What is assumed of a resource without metadata is a warning, and an error with --strict")
    func assumption() throws {
        let closed = try Responder { request in .text("", status: request.target == "/mcp" ? 401 : 404) }
        let found = try discover(closed.url("/mcp"), "--resource").expect(status: 0)
        found.expect(
            errorLine: "oap: discover: warning: neither the resource nor \(closed.url()) has metadata: "
                + "oap uses /authorize, /token and /register of \(closed.url())")
        let document = try found.object()
        #expect(document["token_endpoint"]?.string == closed.url("/token") && document["issuer"] == nil)
        #expect(document["resource"]?.string == closed.url("/mcp"))
        try discover(closed.url("/mcp"), "--resource", "--strict").expect(status: 10)
        let named = try Responder { request in
            let address = "http://" + (request.headers.first("Host") ?? "")
            let field = #"WWW-Authenticate: Bearer resource_metadata="\#(address)/m""#
            return .text("", status: request.target == "/mcp" ? 401 : 404, headers: [field])
        }
        try discover(named.url("/mcp"), "--resource").expect(status: 10)
        #expect(named.requests.map(\.target) == ["/mcp", "/m"])
        let other = try Responder { request in
            guard request.target == Self.oauth else {
                return .text("", status: request.target == "/mcp" ? 401 : 404)
            }
            return .json(#"{"issuer":"https://evil.example","token_endpoint":"https://evil.example/t"}"#)
        }
        try discover(other.url("/mcp"), "--resource").expect(status: 9)
    }

    @Test("Of several authorization servers of a resource one must be chosen")
    func choice() throws {
        let server = try server([
            Self.resource: #"{"resource":"$","authorization_servers":["$/a","$/b"]}"#,
            "\(Self.oauth)/b": #"{"issuer":"$/b"}"#,
        ])
        let several = try discover(server.url(), "--resource").expect(status: 3)
        #expect(several.errorText.contains("\(server.url("/a"))\", \"\(server.url("/b"))"))
        let chosen = try discover(server.url(), "--resource", "--authorization-server", server.url("/b"))
        #expect(try chosen.expect(status: 0).object()["issuer"]?.string == server.url("/b"))
        try discover(server.url(), "--resource", "--authorization-server", server.url("/c")).expect(status: 2)
    }

    @Test("The body of a resource, which may have no end, is not waited for")
    func endless() throws {
        let server = try Responder { request in
            let address = "http://" + (request.headers.first("Host") ?? "")
            switch request.target {
            case "/events": return .endless()
            case "\(Self.resource)/events":
                return .json(#"{"resource":"\#(address)/events","authorization_servers":["\#(address)"]}"#)
            case Self.openID: return .json(#"{"issuer":"\#(address)"}"#)
            default: return .text("", status: 404)
            }
        }
        try discover(server.url("/events"), "--resource", "--jq", ".issuer", "-r").expect(output: server.url() + "\n")
    }
}
