import PlaySupport
import TestSupport
import Testing
import Wire

@testable import CommandSupport

@Suite("Endpoints that a document lacks", .inProcessWithoutPauses)
struct IssuerSearchTests {
    private static let path = "/.well-known/openid-configuration"

    /// A server whose metadata names its endpoints; `$` stands for its address.
    static func server(
        _ more: String = "", token: String = #"{"access_token":"at","token_type":"Bearer","refresh_token":"rt"}"#
    ) throws -> Responder {
        try Responder { request in
            let address = "http://" + (request.headers.first("Host") ?? "")
            switch request.target {
            case path:
                let names = [
                    "authorization", "token", "revocation", "device_authorization", "pushed_authorization_request",
                ]
                let endpoints = names.map { #""\#($0)_endpoint":"$/\#($0)""# }.joined(separator: ",")
                let metadata = #"{"issuer":"$",\#(endpoints),"jwks_uri":"$/jwks","service_documentation":"x"\#(more)}"#
                return .json(metadata.replacing("$", with: address))
            case "/token": return .json(token)
            case "/revocation": return .text("")
            case "/device_authorization":
                let uri = #""verification_uri":"https://as.example/d""#
                return .json(#"{"device_code":"d","user_code":"U",\#(uri),"expires_in":60,"interval":1}"#)
            case "/pushed_authorization_request":
                return .json(#"{"request_uri":"urn:x:1","expires_in":60}"#, status: 201)
            default: return .text("", status: 404)
            }
        }
    }

    private func client(_ server: Responder) -> JSONObject { ["issuer": .string(server.url()), "client_id": "c"] }

    private func oap(_ arguments: String..., of document: JSONObject) throws -> ProgramResult {
        try Program.oap(arguments, input: document.input).run()
    }

    @Test("exchange finds the token endpoint by the issuer, and its token document works alone from then on")
    func exchange() throws {
        let server = try Self.server()
        let token = try Program.oap(
            ["exchange", "-n", "--grant", "client_credentials", "--issuer", server.url(), "--client-id", "c"],
            environment: ["OAP_CLIENT_SECRET": "hunter2"]
        ).run().expect(status: 0).expectSilence().object()
        #expect(token["issuer"] == .string(server.url()) && token["token_endpoint"] == .string(server.url("/token")))
        #expect(token["revocation_endpoint"] == .string(server.url("/revocation")))
        #expect(token["service_documentation"] == nil)
        try oap("refresh", of: token.with(["client_secret": "hunter2"])).expect(status: 0)
        try oap("revoke", of: token.with(["client_secret": "hunter2"])).expect(status: 0)
        #expect(server.requests.map(\.target) == [Self.path, "/token", "/token", "/revocation", "/revocation"])
        #expect(server.requests[0].headers.first("Authorization") == nil)
    }

    @Test("nobody is asked where nothing is missing, and what the document has is not replaced")
    func present() throws {
        let (server, other) = (try Self.server(), try Responder { _ in .token })
        let document = other.flow.with(client(server))
        try oap("exchange", of: document).expect(status: 0)
        #expect(server.connectionCount == 0 && other.requests.count == 1)
        let partial = document.with(["token_endpoint": .null, "revocation_endpoint": .string(other.url("/own"))])
        let found = try oap("exchange", of: partial).expect(status: 0).object()
        #expect(found["revocation_endpoint"] == .string(other.url("/own")))
        #expect(found["jwks_uri"] == .string(server.url("/jwks")))
        let own: JSONObject = [
            "client_id": "c", "access_token": "at", "issuer": .string(server.url()),
            "token_endpoint": .string(other.url("/token")), "refresh_token": "rt",
        ]
        try oap("revoke", of: own).expect(status: 0)
        #expect(other.requests.count == 1)
        #expect(server.requests.last?.target == "/revocation")
    }

    @Test("device, refresh and authurl --par find their endpoints by the issuer")
    func others() throws {
        let server = try Self.server()
        let flow = try oap("device", of: client(server)).expect(status: 0).object()
        #expect(flow["token_endpoint"] == .string(server.url("/token")))
        let renewed = try oap("refresh", of: client(server).with(["refresh_token": "r"])).expect(status: 0).object()
        #expect(renewed["access_token"] == "at" && renewed["token_endpoint"] == .string(server.url("/token")))
        let pushed = try oap("authurl", "--par", of: client(server)).expect(status: 0).object()
        #expect(pushed["authorization_url"]?.string?.contains("request_uri=urn") == true)
        let required = client(server).with(["require_pushed_authorization_requests": true])
        try oap("authurl", of: required).expect(status: 0)
        #expect(server.requests.filter { $0.target == Self.path }.count == 4)
    }

    @Test("a command with --no-discovery names the command that finds an endpoint")
    func hint() throws {
        let server = try Self.server()
        for arguments in [["authurl"], ["exchange", "--grant", "client_credentials"]].map({ $0 + ["--no-discovery"] }) {
            let result = try Program.oap(arguments, input: client(server).input).run().expect(status: 3)
            result.expect(errorLine: "oap: hint: oap discover \(server.url()) finds it")
        }
        let strange = client(server).with(["issuer": "https://as.example/$(id)"])
        #expect(try !oap("authurl", "--no-discovery", of: strange).expect(status: 3).errorText.contains("$(id)"))
        #expect(server.connectionCount == 0)
    }

    @Test(
        "metadata that does not help is a failure that names the endpoint and its option",
        arguments: [
            (#"{"issuer":"$"}"#, 3, "token_endpoint is missing, also in the metadata of $"),
            (#"{"issuer":"https://other.example"}"#, 9, "cannot read the metadata of $: "),
            (#"{"issuer":"$","token_endpoint":"http://as.example/t"}"#, 9, "token_endpoint is plain http"),
            (#"{"issuer":"$","token_endpoint":["x"]}"#, 3, "token_endpoint must be a string"),
            ("<html>", 10, "cannot read the metadata of $: "),
        ])
    func useless(metadata: String, status: Int, message: String) throws {
        let server = try Responder { request in
            .json(metadata.replacing("$", with: "http://" + (request.headers.first("Host") ?? "")))
        }
        let result = try oap("exchange", "--grant", "client_credentials", of: client(server)).expect(status: status)
        #expect(result.errorText.contains(message.replacing("$", with: server.url())), "\(result)")
        #expect(server.requests.allSatisfy { $0.method == "GET" })
        if status == 10 || metadata == #"{"issuer":"$"}"# { #expect(result.errorText.contains("--token-endpoint")) }
    }

    @Test("metadata that is a redirect, ten megabytes, or names a member twice ends the search at once")
    func hostile() throws {
        let large = #"{"issuer":""# + String(repeating: "x", count: 10 << 20) + #""}"#
        for (reply, status, error) in [
            (Responder.Reply.redirect(302, to: "https://other.example/"), 9, "redirect_refused"),
            (.json(large), 10, "too_large"), (.json(#"{"issuer":"a","issuer":"b"}"#), 10, "parse"),
        ] {
            let server = try Responder { _ in reply }
            let result = try oap("refresh", of: client(server).with(["refresh_token": "r"])).expect(status: status)
            #expect(try result.object()["error"]?.string == error && server.requests.count == 1)
        }
    }

    @Test("an endpoint on another host is used, as the issuer says, and -v shows where the request goes")
    func otherHost() throws {
        let other = try Responder { _ in .token }
        let server = try Responder { request in
            let issuer = "http://" + (request.headers.first("Host") ?? "")
            let endpoint = "http://localhost:\(other.port)/token"
            return .json(#"{"issuer":"\#(issuer)","token_endpoint":"\#(endpoint)"}"#)
        }
        let result = try oap("refresh", "-v", of: client(server).with(["refresh_token": "r"])).expect(status: 0)
        #expect(result.errorText.contains("localhost:\(other.port)") && other.requests.count == 1)
    }

    @Test("an issuer that cannot be asked is refused, and one that does not answer is exit 6")
    func badIssuer() throws {
        for (issuer, status) in [("http://as.example", 9), ("as example", 3), ("http://127.0.0.1:1", 6)] {
            let result = try oap("refresh", of: ["issuer": .string(issuer), "client_id": "c", "refresh_token": "r"])
            result.expect(status: status)
        }
    }

    @Test("a server that signs its ID tokens with RS512 needs nothing but its issuer and the client's identifier")
    func algorithm() throws {
        let key = try RSAKey()
        let server = try Responder { request in
            let address = "http://" + (request.headers.first("Host") ?? "")
            switch request.target {
            case Self.path:
                let metadata = #""jwks_uri":"$/jwks","id_token_signing_alg_values_supported":["RS512"]"#
                return .json(
                    #"{"issuer":"$","token_endpoint":"$/token",\#(metadata)}"#.replacing("$", with: address))
            case "/jwks": return .json(key.set)
            default:
                var claims = SignedToken.claims
                (claims["iss"], claims["aud"]) = (.string(address), "c")
                guard let token = try? key.signed(claims) else { return .text("", status: 500) }
                return .json(#"{"access_token":"at","token_type":"Bearer","id_token":"\#(token)"}"#)
            }
        }
        let flow = server.flow.with(client(server)).with([
            "token_endpoint": .null, "scope": "openid", "nonce": "the-nonce",
        ])
        let token = try oap("exchange", of: flow).expect(status: 0).object()
        #expect(token["id_token_claims"]?.object?["sub"] == "me")
    }
}

@Suite("Endpoints that a stored token lacks", .inProcessWithoutPauses)
struct StoredIssuerTests {
    private let home: TemporaryDirectory

    init() throws { home = try TemporaryDirectory() }

    private func oap(_ arguments: String..., environment: [String: String] = [:]) -> Program {
        Program.oap(arguments, environment: ["HOME": home.path].merging(environment) { $1 })
    }

    /// Stores a token that has expired.
    private func put(_ issuer: String?) throws {
        var token: JSONObject = [
            "client_id": "c", "access_token": "old", "token_type": "Bearer", "refresh_token": "r", "expires_at": 1,
        ]
        token["issuer"] = issuer.map { .string($0) }
        try Program.oap(["store", "put", "work"], input: token.input, environment: ["HOME": home.path]).run()
            .expect(status: 0)
    }

    @Test(
        "a stored token is renewed at the endpoint that its issuer names, which is stored with it",
        arguments: ["token", "call", "refresh"])
    func renewal(command: String) throws {
        let server = try IssuerSearchTests.server()
        try put(server.url())
        let api = try Responder { _ in .json("{}") }
        switch command {
        case "token": try oap("token", "work").run().expect(status: 0).expect(output: "at\n")
        case "call": try oap("call", "-p", "work", api.url("/x")).run().expect(status: 0)
        default: try oap("refresh", "-p", "work").run().expect(status: 0)
        }
        #expect(server.requests.map(\.target) == ["/.well-known/openid-configuration", "/token"])
        let stored = try oap("store", "get", "work").run().expect(status: 0).object()
        #expect(stored["token_endpoint"] == .string(server.url("/token")) && stored["access_token"] == "at")
        try oap("refresh", "-p", "work").run().expect(status: 0)
        #expect(server.requests.map(\.target).dropFirst(2) == ["/token"])
        try oap("logout", "work").run().expect(status: 0)
        #expect(server.requests.map(\.target).dropFirst(3) == ["/revocation", "/revocation"])
    }

    // They wait for each other, so no clock may jump.
    @Test(
        "ten processes that need a token whose issuer alone is known ask for its metadata once, and renew it once",
        .inProcess)
    func singleFlight() throws {
        let server = try IssuerSearchTests.server()
        try put(server.url())
        let running = try (1...10).map { _ in try oap("token", "work").start() }
        for program in running { try program.finish().expect(status: 0).expect(output: "at\n") }
        #expect(server.requests.map(\.target) == ["/.well-known/openid-configuration", "/token"])
    }

    @Test("logout revokes a token whose issuer alone is known, and says so where the metadata names no endpoint")
    func logout() throws {
        let server = try IssuerSearchTests.server()
        try put(server.url())
        let result = try oap("logout", "work").run().expect(status: 0)
        #expect(result.errorText.contains("refresh_token and access_token revoked"), "\(result)")
        let bare = try Responder { .json(#"{"issuer":"http://\#($0.headers.first("Host") ?? "")"}"#) }
        try put(bare.url())
        let other = try oap("logout", "work").run().expect(status: 0)
        #expect(other.errorText.contains("no revocation_endpoint is known") && bare.requests.count == 2)
        let none = try Responder { _ in .text("", status: 404) }
        try put(none.url())
        let without = try oap("logout", "work").run().expect(status: 0)
        #expect(without.errorText.contains("cannot read the metadata of \(none.url()): "))
        try put("http://127.0.0.1:1")
        try oap("logout", "work").run().expect(status: 6)
        // Whoever is between here and the server must not make the token be forgotten.
        for (answer, status) in [
            (Responder.Reply.text("", status: 302, headers: ["Location: https://as.example/"]), 9),
            (.json(#"{"issuer":"https://as.example"}"#), 9), (.content(Array("<html>".utf8), type: "text/html"), 10),
        ] {
            let liar = try Responder { _ in answer }
            try put(liar.url())
            try oap("logout", "work").run().expect(status: status)
            try oap("store", "get", "work").run().expect(status: 0)
        }
    }

    @Test("no variable names the issuer of a stored token, nor that of a document with a token endpoint")
    func variable() throws {
        let evil = try IssuerSearchTests.server()
        try put(nil)
        let environment = ["OAP_ISSUER": evil.url()]
        try oap("token", "work", environment: environment).run().expect(status: 3)
        try oap("refresh", "-p", "work", environment: environment).run().expect(status: 3)
        try oap("revoke", "-p", "work", environment: environment).run().expect(status: 3)
        try oap("logout", "work", environment: environment).run().expect(status: 0)
        let server = try Responder { _ in .token }
        try Program.oap(["revoke"], input: server.token.input, environment: environment).run().expect(status: 3)
        #expect(evil.connectionCount == 0)
    }
}
