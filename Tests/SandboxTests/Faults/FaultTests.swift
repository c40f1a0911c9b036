import Sandbox
import Testing
import Wire

@Suite("Faults") struct FaultTests {
    private let form: Form = ["grant_type": "client_credentials", "scope": "repo"]

    private func scene(_ faults: String...) throws -> Scene {
        let parsed = try faults.map { try Fault(parsing: $0) }
        return try Scene { $0.faults = parsed }
    }

    @Test("faults hit as many requests as they say, after as many as they say")
    func count() throws {
        let scene = try scene("token:503x2,after=1,retry-after=7", "token:500,after=4")
        let responses = (0..<6).map { _ in scene.token(form) }
        #expect(responses.map(\.status) == [200, 503, 503, 200, 500, 500])
        #expect(responses[1].header("Retry-After") == "7" && responses[4].header("Retry-After") == nil)
        #expect(responses[1].error == "temporarily_unavailable" && responses[4].error == "server_error")
        #expect(scene.get("/jwks").status == 200, "other endpoints are well")
    }

    @Test("faults are carried out or not, as their kind says")
    func kinds() throws {
        for (fault, isSpent) in [
            ("reset", false), ("lost", true), ("html", false), ("truncated", true), ("slow=2", true),
        ] {
            let scene = try scene("token:\(fault)x1")
            let exchange = Scene.exchange(try scene.code())
            let hit = scene.token(exchange)
            #expect(scene.token(exchange).error == (isSpent ? "invalid_grant" : nil), "\(fault)")
            switch (fault, hit.content) {
            case ("reset", .reset), ("lost", .reset): break
            case ("html", .bytes): #expect(hit.header("Content-Type") == "text/html; charset=utf-8")
            case ("truncated", .truncated(let bytes, let announced)): #expect(announced / 2 == bytes.count)
            case ("slow=2", .bytes): #expect(hit.delay == 2)
            default: Issue.record("\(fault): \(hit)")
            }
        }
    }

    @Test("faults give error codes as the endpoint gives its own")
    func errors() throws {
        #expect(try scene("token:error=invalid_grant").token(form).error == "invalid_grant")
        let client = try scene("token:error=invalid_client").token(form)
        #expect(client.status == 401)
        let fault = try Fault(parsing: "token:error=x_y,retry-after=3")
        let odd = try Scene {
            $0.faults = [fault]
            $0.answersFormEncoded = true
            $0.answersErrorsWith200 = true
        }.token(form)
        #expect(odd.status == 200 && odd.text.hasPrefix("error=x_y&") && odd.header("Retry-After") == "3")
        #expect(try client.challenge().scheme == "basic")
        let scene = try scene("api:error=invalid_tokenx1", "api:error=insufficient_scopex1")
        let token = try scene.accessToken()
        for (status, error) in [(401, "invalid_token"), (403, "insufficient_scope"), (200, nil)] {
            let response = scene.call("/user", token)
            #expect(response.status == status)
            #expect(
                AuthenticationChallenge.parse(response.headers.values(of: "WWW-Authenticate")).first?["error"] == error)
        }
    }

    @Test("faults are there for every endpoint")
    func endpoints() throws {
        let paths: [Endpoint: String] = [
            .authorize: "/authorize", .token: "/token", .par: "/par", .device: "/device", .introspect: "/introspect",
            .revoke: "/revoke", .register: "/register", .discovery: "/.well-known/openid-configuration",
            .jwks: "/jwks", .userinfo: "/userinfo", .api: "/user",
        ]
        for endpoint in Endpoint.allCases {
            let scene = try scene("\(endpoint.rawValue):599")
            let path = try #require(paths[endpoint])
            #expect(scene.get(path).status == 599)
            #expect(scene.get(path == "/user" ? "/jwks" : "/user").status != 599)
        }
    }

    @Test(
        "faults are written to the letter, or refused",
        arguments: [
            "", "token", "token:", "token:200", "token:600", "token:0503", "token:503x0", "token:503x", "token:503x-1",
            "token:503,", "token:503,retry-after", "token:503,retry-after=x", "token:503,later=1", "Token:503",
            "token:slow", "token:slow=", "token:slow=-1", "token:slow=1e3", "token:error=", "token:error=a b",
            "token:RESET", " token:503", "token :503", "token:503 ", "token:503;x2",
        ])
    func refused(text: String) {
        #expect(throws: FaultSyntaxError.self) { try Fault(parsing: text) }
    }

    @Test("faults are read from their text")
    func parsed() throws {
        let fault = try Fault(parsing: "api:slow=0.25x3,after=2,retry-after=1")
        #expect(fault.endpoint == .api && fault.kind == .slow(0.25))
        #expect(fault.count == 3 && fault.skipped == 2 && fault.retryAfter == 1)
        #expect(try Fault(parsing: "token:error=expired_token").kind == .error("expired_token"))
    }
}
