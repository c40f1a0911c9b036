import Foundation
import PlaySupport
import Synchronization
import TestSupport
import Testing
import Wire

@testable import CommandSupport

@Suite("oap login", .inProcess)
struct LoginTests {
    private let person: LoginHome

    init() throws { person = try LoginHome() }

    @Test("oap login opens the browser, receives the redirect, and keeps the token")
    func browser() throws {
        let server = try LoginHome.server()
        try person.profile(server)
        let result = try person.oap(["login", "work", "--open"]).run().expect(status: 0).expect(output: "")
        result.expect(errorLine: "oap: login: the token is stored as work").expect(errorLine: "oap: login: logged in")
        result.expect(nowhere: "the-code")
        let token = try person.stored()
        #expect(token["access_token"] == "at" && token["refresh_token"] == "rt" && token["client_id"] == "client")
        #expect(token["code_verifier"] == nil && token["state"] == nil && token["callback_url"] == nil)
        let exchange = try #require(server.requests.first { $0.method == "POST" })
        #expect(exchange.bodyText.contains("code=the-code") && exchange.bodyText.contains("code_verifier="))
    }

    @Test("oap login without a refresh token does not speak of renewals")
    func noRenewal() throws {
        let server = try LoginHome.server(#"{"access_token":"at","token_type":"Bearer"}"#)
        try person.profile(server)
        let result = try person.oap(["login", "work", "--open"], ["OAP_CLIENT_SECRET": "s3cret-value"]).run()
        #expect(server.requests.count { $0.method == "POST" } == 1)
        #expect(!result.expect(status: 0).errorText.contains("warning"))
    }

    @Test("a login that is made if needed is needed for a scope that the token has not")
    func scopeIfNeeded() throws {
        let server = try LoginHome.server(#"{"access_token":"at","token_type":"Bearer","scope":"a b"}"#)
        try person.profile(server, ["scope": "a b"])
        try person.oap(["login", "work", "--open"]).run().expect(status: 0)
        for (scope, logins) in [("a", 1), ("b a", 1), ("c", 2), ("a c", 3)] {
            try person.oap(["login", "work", "--open", "--if-needed", "--scope", scope]).run().expect(status: 0)
            #expect(server.requests.count { $0.method == "POST" } == logins, "\(scope)")
        }
    }

    @Test("a response that is not in a URL cannot be pasted, which is said before the login")
    func pastedForm() throws {
        let server = try LoginHome.server()
        try person.profile(server, ["response_mode": "form_post"])
        let result = try person.oap(["login", "work", "--paste"]).run().expect(status: 2)
        #expect(result.errorText.contains("response_mode is form_post: its response is not in a URL"), "\(result)")
        #expect(server.requests.isEmpty)
    }

    @Test("the values of several --scope are asked for together")
    func scopes() throws {
        let server = try LoginHome.server()
        try person.profile(server)
        try person.oap(["login", "work", "--open", "--scope", "repo", "--scope", "gist repo"]).run().expect(status: 0)
        #expect(server.requests.contains { $0.target.contains("scope=repo+gist&") })
    }

    @Test("oap login says who is logged in, from the userinfo endpoint where the ID token does not say it")
    func identity() throws {
        let server = try LoginHome.server()
        try person.profile(server, ["userinfo_endpoint": .string(server.url("/userinfo"))])
        let result = try person.oap(["login", "work", "--open"]).run().expect(status: 0)
        result.expect(errorLine: #"oap: login: logged in as Ada\u{1b}[2J"#)
        #expect(server.requests.last?.headers.first("Authorization") == "Bearer at")
        try person.oap(["store", "list", "-q", ".account", "-r"]).run().expect(output: "Ada\u{1b}[2J\n")
        try person.profile(server, ["userinfo_endpoint": "http://127.0.0.1:1/"])
        try person.oap(["login", "work", "--open"]).run().expect(status: 0)
    }

    @Test("oap login sends the pushed request, the code and the question for the person over one connection")
    func oneConnection() throws {
        let pushed = Mutex("")
        let server = try Responder { request in
            switch request.target {
            case "/par":
                pushed.withLock { $0 = request.bodyText }
                return .json(#"{"request_uri":"urn:example:1","expires_in":60}"#, status: 201)
            case "/userinfo": return .json(#"{"sub":"7","name":"Ada"}"#)
            default: return .token
            }
        }
        let page = try Responder { _ in
            let query = (try? FormEncoding.parse(pushed.withLock { $0 })) ?? []
            let value = { (name: String) in query.first { $0.name == name }?.value ?? "" }
            let redirect = "\(value("redirect_uri"))?code=c&state=\(value("state"))"
            return .text("", status: 302, headers: ["Location: \(redirect)"])
        }
        try person.profile(
            server,
            [
                "authorization_endpoint": .string(page.url("/authorize")),
                "pushed_authorization_request_endpoint": .string(server.url("/par")),
                "userinfo_endpoint": .string(server.url("/userinfo")),
            ])
        try person.oap(["login", "work", "--open", "--par"]).run().expect(status: 0)
        #expect(server.requests.map(\.target) == ["/par", "/token", "/userinfo"])
        #expect(server.connectionCount == 1)
    }

    @Test(
        "oap login asks nobody to log in where the ID token could not be checked afterwards",
        arguments: ["issuer", "jwks_uri", "client_secret"])
    func uncheckable(missing: String) throws {
        let server = try LoginHome.server()
        var client: JSONObject = [
            "scope": "openid", "issuer": "https://as.example", "jwks_uri": .string(server.url("/keys")),
        ]
        if missing == "client_secret" { client["id_token_signed_response_alg"] = "HS256" }
        client[missing] = nil
        try person.profile(server, client)
        let result = try person.oap(["login", "work", "--open", "--no-discovery"]).run().expect(status: 3)
        #expect(result.errorText.contains("\(missing) is missing"), "\(result)")
        #expect(server.connectionCount == 0)
    }

    @Test(
        "oap login does not believe a userinfo endpoint that speaks of somebody else than the ID token, or of nobody",
        arguments: [
            (#"{"sub":"another","name":"Mallory"}"#, "the userinfo endpoint names another user than the ID token"),
            (#"{"name":"Mallory"}"#, "the answer of the userinfo endpoint has no sub"),
            (#"{"sub":"","name":"Mallory"}"#, "the answer of the userinfo endpoint has no sub"),
        ])
    func otherIdentity(userinfo: String, message: String) throws {
        var claims = SignedToken.claims
        claims["nonce"] = nil
        let device =
            #"{"device_code":"d","user_code":"U","verification_uri":"https://as.example/d","expires_in":60,"interval":1}"#
        let token = #"{"access_token":"at","token_type":"Bearer","id_token":"\#(try SignedToken.signed(claims))"}"#
        let server = try Responder { request in
            switch request.target {
            case "/device": .json(device)
            case "/userinfo": .json(userinfo)
            default: .json(token)
            }
        }
        try person.profile(
            server,
            [
                "scope": "openid", "issuer": "https://as.example", "id_token_signed_response_alg": "HS256",
                "client_secret": .string(SignedToken.secret), "userinfo_endpoint": .string(server.url("/userinfo")),
                "device_authorization_endpoint": .string(server.url("/device")),
            ])
        let result = try person.oap(["login", "work", "--device"]).run().expect(status: 0)
        result.expect(errorLine: "oap: login: warning: the name of the user is not known: \(message)")
        result.expect(errorLine: "oap: login: logged in as me").expect(nowhere: "Mallory")
    }

    @Test("oap login keeps what was stored when it fails, and asks for nothing where a token could not be kept")
    func failure() throws {
        let server = try LoginHome.server(#"{"error":"invalid_grant"}"#)
        try person.profile(server)
        try person.oap(["login", "work", "--open"]).run().expect(status: 4).expect(
            errorLine: "oap: hint: a code works once and expires soon; begin the login again: oap login work")
        try person.oap(["store", "get", "work"]).run().expect(status: 8)
        let blocked = try TemporaryDirectory()
        try blocked.write("", to: ".local")
        let before = server.connectionCount
        let result = try person.oap(["login", "work", "--open"], ["XDG_STATE_HOME": blocked.path(".local")]).run()
        result.expect(status: 11)
        #expect(server.connectionCount == before)
    }
}
