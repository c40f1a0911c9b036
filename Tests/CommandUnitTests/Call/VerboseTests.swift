import PlaySupport
import TestSupport
import Testing
import Wire

@Suite("-v", .inProcess)
struct VerboseTests {
    @Test("-v shows the heads of request and answer, on standard error alone")
    func heads() throws {
        let responder = try Responder(.text("body", headers: ["X-A: b"]))
        let result = try Program.oap(["call", "/x?q=1", "-v"], input: responder.token.input).run()
        result.expect(status: 0).expect(output: "body").expect(nowhere: "old-access")
        for line in ["> GET /api/x?q=1 HTTP/1.1", "> Authorization: Bearer ***", "< HTTP/1.1 200 Status", "< X-A: b"] {
            result.expect(errorLine: line)
        }
    }

    @Test(
        "-v masks what authenticates a client and what it spends",
        arguments: ["client_secret_basic", "client_secret_post"])
    func client(method: String) throws {
        let secret = "s3cret/+ä"
        let echo = "X-Echo: the-code old-refresh \(secret) s3cret%2F%2B%C3%A4 Y2xpZW50OnMzY3JldCUyRiUyQiVDMyVBNA=="
        let responder = try Responder { _ in
            .json(#"{"error":"x"}"#, status: 400, headers: [echo, "Set-Cookie: sid=1234567"])
        }
        for (command, document) in [("exchange", responder.flow), ("refresh", responder.token)] {
            let result = try Program.oap(
                [command, "-v"], input: document.with(["token_endpoint_auth_method": .string(method)]).input,
                environment: ["OAP_CLIENT_SECRET": secret]
            ).run().expect(status: 4)
            result.expect(errorLine: "> POST /token HTTP/1.1")
            let hidden = [
                secret, "s3cret", "Y2xpZW50OnMzY3Jld", "1234567", command == "exchange" ? "the-code" : "old-refresh",
                "verifier-",
            ]
            for text in hidden { result.expect(nowhere: text) }
        }
    }

    @Test("-v masks credentials of one's own headers and of the URL")
    func ownCredentials() throws {
        let responder = try Responder(.text("x"))
        try Program.oap(
            [
                "call", "/x?access_token=hunter2&code=hunter2", "-v", "-H", "X-Api-Key: hunter2", "-H",
                "Cookie: a=hunter2",
            ],
            input: responder.token.input
        ).run().expect(status: 0).expect(nowhere: "hunter2")
    }

    @Test("E-03 -v shows no control character of a server")
    func controls() throws {
        let responder = try Responder(.text("x", headers: ["X-A: \u{1B}[31m\u{9B}2J"]))
        let result = try Program.oap(["call", "/x", "-v"], input: responder.token.input).run().expect(status: 0)
        #expect(
            !result.errorText.unicodeScalars.contains { $0 != "\n" && $0.properties.generalCategory == .control },
            "\(result)")
    }
}
