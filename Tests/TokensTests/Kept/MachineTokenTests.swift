import Foundation
import PlaySupport
import TestSupport
import Testing
import Wire

@testable import CommandSupport

@Suite("The token of a machine", .inProcessWithoutPauses)
struct MachineTokenTests: MachineTokens {
    let home: TemporaryDirectory
    let endpoint: Responder

    init() throws {
        home = try TemporaryDirectory()
        endpoint = try Self.tokenServer()
    }

    @Test(
        "oap login --grant client_credentials stores a token without terminal and browser, and no secret of a variable")
    func login() throws {
        let said = try logIn("--scope", "read write", "--param", "audience=https://api.example").errorText
        #expect(said.contains("the token is stored as ci") && !said.contains("logged in"))
        let token = try stored()
        #expect(token["grant_type"] == "client_credentials" && token["requested_scope"] == "read write")
        #expect(token["scope"] == "read" && token["client_secret"] == nil)
        #expect(token["token_params"] == .object(["audience": "https://api.example"]))
        #expect(try oap("token", "ci").run().expect(status: 0).text == "at-1\n")
        #expect(endpoint.requests.count == 1)
    }

    @Test(
        "an expired token of a machine is renewed by the first request again, by every command",
        arguments: [["token", "ci"], ["refresh", "-p", "ci"], ["login", "ci", "--if-needed"]])
    func repeated(command: [String]) throws {
        try logIn("--scope", "read write", "--param", "audience=https://api.example", "--resource", "https://r.example")
        try expire()
        try oap(command).run().expect(status: 0)
        #expect(endpoint.requests.count == 2)
        #expect(endpoint.requests[0].bodyText == endpoint.requests[1].bodyText)
        #expect(endpoint.requests[1].bodyText.contains("scope=read+write&resource=https%3A%2F%2Fr.example"))
        #expect(endpoint.requests[1].headers.contains { $0.name == "Authorization" && $0.value.hasPrefix("Basic ") })
        #expect(try stored()["requested_scope"] == "read write" && stored()["scope"] == "read")
        #expect(try oap("token", "ci").run().expect(status: 0).text == "at-1\n")
        #expect(endpoint.requests.count == 2)
    }

    @Test("a token of a machine that the API refuses is renewed before the call goes out again")
    func refusedByTheAPI() throws {
        try logIn()
        try put(stored().with(["access_token": "at-0"]))
        let api = try Responder { request in
            .json("{}", status: request.head.contains("Bearer at-1\r\n") ? 200 : 401)
        }
        try oap("call", "-p", "ci", api.url("/me")).run().expect(status: 0)
        #expect(api.requests.count == 2 && endpoint.requests.count == 2)
    }

    @Test("a token of a machine in a file is renewed there")
    func inFile() throws {
        var exchange = oap(
            "exchange", "-n", "--grant", "client_credentials", "--client-id", "m", "--token-endpoint",
            endpoint.url("/token"), "-o", home.path("token.json"))
        exchange.environment["OAP_CLIENT_SECRET"] = "s3cret-value"
        try exchange.run().expect(status: 0)
        try oap("refresh", "--token-file", home.path("token.json")).run().expect(status: 0)
        let document = try home.read("token.json")
        var piped = oap("refresh", "--jq", ".access_token", "-r")
        piped.input = .text(document)
        #expect(try piped.run().expect(status: 0).text == "at-1\n")
        #expect(endpoint.requests.count == 3)
    }

    @Test("the values of several --scope are asked for together, in every command with this option")
    func scopes() throws {
        try logIn("--scope", "read", "--scope", "write read")
        try oap("refresh", "-p", "ci", "--scope", "a", "--scope", "b").run().expect(status: 0)
        try oap("token", "ci", "--scope", "c", "--scope", "d").run().expect(status: 0)
        let sent = ["scope=read+write", "scope=a+b", "scope=c+d"]
        #expect(endpoint.requests.map(\.bodyText).elementsEqual(sent) { $0.contains($1) })
    }

    @Test("a narrower scope for a machine's token is asked for once, and the first one again after that")
    func narrower() throws {
        try logIn("--scope", "read write")
        try oap("refresh", "-p", "ci", "--scope", "read").run().expect(status: 0)
        try oap("refresh", "-p", "ci").run().expect(status: 0)
        #expect(endpoint.requests.map { $0.bodyText.contains("scope=read+write") } == [true, false, true])
    }

    @Test(
        "a scope that was named once for a machine's token is not missing later", arguments: [[], ["--scope", "a"]])
    func named(scope: [String]) throws {
        let server = try Responder { request in
            let form = (try? FormEncoding.parse(request.bodyText)) ?? []
            let said = form.first { $0.name == "scope" }.map { #","scope":"\#($0.value)""# } ?? ""
            return .json(#"{"access_token":"at-1","token_type":"Bearer"\#(said)}"#)
        }
        let client = ["--client-id", "m", "--token-endpoint", server.url("/token")]
        try oap(["login", "ci", "--grant", "client_credentials"] + client + scope).run().expect(status: 0)
        try oap("refresh", "-p", "ci", "--scope", "b").run().expect(status: 0).expectSilence()
        try oap("refresh", "-p", "ci", "--strict").run().expect(status: 0).expectSilence()
    }

    @Test("a file of an assertion is read again at each renewal of its token")
    func assertion() throws {
        let file = try home.write("first.assertion.value\n", to: "assertion")
        let type = "urn:ietf:params:oauth:grant-type:jwt-bearer"
        try oap(
            "login", "ci", "--grant", type, "--client-id", "m", "--token-endpoint", endpoint.url("/token"),
            "--assertion-file", file
        ).run().expect(status: 0)
        try home.write("second.assertion.value\n", to: "assertion")
        try expire()
        try oap("token", "ci").run().expect(status: 0)
        let bodies = endpoint.requests.map(\.bodyText)
        #expect(bodies[0].contains("assertion=first.assertion.value"))
        #expect(bodies[1].contains("assertion=second.assertion.value"))
        #expect(try stored()["assertion"] == nil)
    }

    @Test("an assertion that may have arrived is not sent twice: a further attempt needs another one in its file")
    func sentAssertion() throws {
        for isReplaced in [false, true] {
            let file = try home.write("first.assertion.value\n", to: "assertion")
            let server = try Responder { [home] request in
                guard request.bodyText.contains("first.assertion.value") else { return .token }
                if isReplaced { _ = try? home.write("second.assertion.value\n", to: "assertion") }
                return .text("", status: 503)
            }
            let result = try oap(
                "exchange", "-n", "--grant", "jwt-bearer", "--client-id", "m", "--token-endpoint", server.url("/token"),
                "--assertion-file", file, "--retry", "3"
            ).run()
            #expect(server.requests.count == (isReplaced ? 2 : 1))
            #expect((result.ending == .status(0)) == isReplaced, "\(result)")
            #expect(result.errorText.contains("still gives the assertion that was sent") != isReplaced, "\(result)")
        }
    }

    @Test("oap login repeats the grant of the profile, or of the stored token, without naming it")
    func again() throws {
        try logIn("--save-profile")
        let profile = home.path(".config/oap/profiles/ci.json")
        #expect(try String(contentsOfFile: profile, encoding: .utf8).contains("client_credentials"))
        try oap("login", "ci").run().expect(status: 0)
        try FileManager.default.removeItem(atPath: profile)
        try oap("login", "ci").run().expect(status: 0)
        #expect(endpoint.requests.count == 3)
    }

    // They wait for each other, so no clock may jump.
    @Test("twenty logins at once that are needed only without a token make one token request", .inProcess)
    func loginsAtOnce() throws {
        let arguments = [
            "login", "ci", "--if-needed", "--grant", "client_credentials", "--client-id", "m", "--token-endpoint",
            endpoint.url("/token"),
        ]
        for login in try (1...20).map({ _ in try oap(arguments).start() }) { try login.finish().expect(status: 0) }
        #expect(endpoint.requests.count == 1)
    }

    @Test(
        "an option without effect on the grant is refused, and nothing is sent",
        arguments: [
            (["--subject-token-from", "ci"], "--subject-token-from has no effect: the grant is client_credentials"),
            (["--assertion-file", "a"], "--assertion-file has no effect: the grant is client_credentials"),
            (["--password-file", "p"], "--password-file has no effect: the grant is client_credentials"),
            (["--identity-audience", "a"], "--identity-audience has no effect without --subject-token-from"),
        ])
    func idle(options: [String], message: String) throws {
        let client = ["--client-id", "m", "--token-endpoint", endpoint.url("/token")]
        for command in [["exchange", "-n"], ["login", "ci"]] {
            let result = try oap(command + ["--grant", "client_credentials"] + client + options).run()
            #expect(result.ending == .status(2) && result.errorText.contains(message), "\(result)")
        }
        #expect(endpoint.requests.isEmpty)
    }
}
