import TestSupport
import Testing
import Wire

@testable import CommandSupport

@Suite("oap introspect")
struct IntrospectTests {
    private func document(_ server: Responder) -> JSONObject {
        server.token.with(["introspection_endpoint": .string(server.url("/introspect"))])
    }

    private func run(_ document: JSONObject, _ options: String...) throws -> ProgramResult {
        try Program.oap(["introspect"] + options, input: document.input).run()
    }

    @Test("IN-01 oap introspect asks about the access token, or the one that is named, and prints the answer")
    func tokens() throws {
        let server = try Responder { _ in .json(#"{"active":true,"n":1.10}"#) }
        try run(document(server)).expect(status: 0).expect(output: #"{"active":true,"n":1.10}"# + "\n").expectSilence()
        try run(document(server), "--token-type-hint", "refresh_token").expect(status: 0)
        #expect(
            server.requests.map(\.bodyText) == [
                "token=old-access&token_type_hint=access_token&client_id=client",
                "token=old-refresh&token_type_hint=refresh_token&client_id=client",
            ])
    }

    @Test("a token that is given in another way is answered with the option for it")
    func hints() throws {
        let alone = try Program.oap(["introspect"], input: .text("at-1\n")).run().expect(status: 3)
        #expect(alone.errorText.contains("only the token: -p NAME --raw"), "\(alone)")
    }

    @Test("a token that is not active is an answer, and -e makes it an exit status")
    func inactive() throws {
        let server = try Responder { _ in .json(#"{"active":false}"#) }
        try run(document(server)).expect(status: 0).expect(output: #"{"active":false}"# + "\n")
        try run(document(server), "--jq", ".active", "-e").expect(status: 1).expect(output: "false\n")
    }

    @Test("a resource server asks about the token of a file or a variable, as its own client")
    func resourceServer() throws {
        let server = try Responder { _ in .json(#"{"active":true}"#) }
        let home = try TemporaryDirectory()
        let client = server.client.with(["introspection_endpoint": .string(server.url("/introspect"))])
        _ = try home.write(JSON.object(client).text, to: ".config/oap/profiles/api.json")
        let environment = ["HOME": home.path, "OAP_CLIENT_SECRET": "s3cret-of-the-api"]
        let file = try home.write("someones-token\n", to: "token")
        try Program.oap(["introspect", "-p", "api", "--access-token-file", file], environment: environment).run()
            .expect(status: 0)
        try Program.oap(["introspect", "--access-token-file", file], input: document(server).input).run()
            .expect(status: 0)
        let variables = ["OAP_ACCESS_TOKEN": "someones-token", "OAP_CLIENT_ID": "client"]
        try Program.oap(
            ["introspect", "-n", "--introspection-endpoint", server.url("/introspect")],
            environment: environment.merging(variables) { $1 }
        ).run().expect(status: 0)
        #expect(server.requests.allSatisfy { $0.bodyText.hasPrefix("token=someones-token&") })
        #expect(server.requests[0].headers.first("Authorization")?.hasPrefix("Basic ") == true)
    }

    @Test("oap introspect does not answer for another token than that of OAP_ACCESS_TOKEN, which is used only with -n")
    func otherToken() throws {
        let server = try Responder { _ in .json(#"{"active":true}"#) }
        let home = try TemporaryDirectory()
        let client = server.client.with(["introspection_endpoint": .string(server.url("/introspect"))])
        _ = try home.write(JSON.object(client).text, to: ".config/oap/profiles/api.json")
        let environment = ["HOME": home.path, "OAP_ACCESS_TOKEN": "someones-token"]
        try Program.oap(["store", "put", "work"], input: document(server).input, environment: environment).run()
            .expect(status: 0)
        for (words, input) in [(["work"], Program.Input.none), (["-p", "api"], .none), ([], client.input)] {
            let result = try Program.oap(["introspect"] + words, input: input, environment: environment).run()
            result.expect(status: 2).expect(nowhere: "someones-token")
            result.expect(
                errorLine: "oap: hint: unset the variable; to ask about its token, use "
                    + "--access-token-file <(printenv OAP_ACCESS_TOKEN)")
        }
        #expect(server.connectionCount == 0)
        let asked = Program.shell(
            "oap introspect -p api --access-token-file <(printenv OAP_ACCESS_TOKEN)", environment: environment)
        try asked.run().expect(status: 0)
        let same = environment.merging(["OAP_ACCESS_TOKEN": "old-access"]) { $1 }
        try Program.oap(["introspect", "work"], environment: same).run().expect(status: 0)
        #expect(server.requests.map { $0.bodyText.prefix(15) } == ["token=someones-", "token=old-acces"])
    }

    @Test("IN-02 a signed answer is checked with the keys of the issuer, and one without a signature refused")
    func signed() throws {
        let key = try RSAKey()
        let server = try Responder { request in
            guard request.target == "/introspect" else { return .json(key.set) }
            let type = "application/token-introspection+jwt"
            guard request.headers.first("Accept")?.hasPrefix(type) == true else { return .json(#"{"active":true}"#) }
            let claims: JSONObject = [
                "iss": "https://as.example", "aud": "client", "iat": 1,
                "token_introspection": .object(["active": true, "sub": "me"]),
            ]
            guard let text = try? key.signed(claims, type: "token-introspection+jwt") else { return .close }
            return .text(text, headers: ["Content-Type: \(type)"])
        }
        let document = document(server).with([
            "issuer": "https://as.example", "jwks_uri": .string(server.url("/keys")),
            "introspection_signing_alg_values_supported": .array(["RS512"]),
        ])
        try run(document).expect(status: 0).expect(output: #"{"active":true,"sub":"me"}"# + "\n").expectSilence()
        try run(document.with(["client_id": "other"])).expect(status: 9)
        try run(document.with(["introspection_signing_alg_values_supported": .null]), "--signed").expect(status: 9)
        let plain = try Responder { _ in .json(#"{"active":true}"#) }
        let unsigned = try run(self.document(plain), "--signed").expect(status: 9)
        #expect(try unsigned.object()["error"] == "jwt_expected")
        try run(self.document(plain).with(["introspection_signed_response_alg": "RS256"])).expect(status: 9)
    }

    @Test(
        "an answer that lies is refused, and shows no token",
        arguments: [
            (Responder.Reply.json(#"{"active":"true"}"#), 10), (.json(#"{}"#), 10), (.json("[]"), 10),
            (.text("", status: 204), 10), (.redirect(307, to: "https://evil.example/"), 9),
            (.json(#"{"error":"invalid_client"}"#, status: 401), 4), (.text("", status: 503), 6),
            (.json(#"{"error":"invalid_request","error_description":"bad old-access"}"#, status: 400), 4),
        ] as [(Responder.Reply, Int)])
    func lies(reply: Responder.Reply, status: Int) throws {
        let server = try Responder(reply)
        let result = try run(document(server), "-v").expect(status: status).expect(nowhere: "old-access")
        #expect(try result.object()["stage"] == "introspect")
    }

    @Test("without an endpoint, a client or a token nothing is sent")
    func missing() throws {
        let server = try Responder()
        for name in ["introspection_endpoint", "client_id", "access_token"] {
            let result = try run(document(server).with([name: .null])).expect(status: 3)
            #expect(result.errorText.contains("\(name) is missing"), "\(result)")
        }
        #expect(server.connectionCount == 0)
    }
}
