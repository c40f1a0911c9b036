import Glibc
import PlaySupport
import TestSupport
import Testing
import Wire

@Suite("The token endpoint's answer", .inProcessWithoutPauses)
struct TokenAnswerTests {
    /// A lie, what it is told as, and the exit status where the request spends something and where it does not.
    struct Lie: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let reply: Responder.Reply
        let error: String
        let spent: Int
        let repeatable: Int
        /// What `retryable` says where the request spends something.
        var retryable: JSON?
        var retryAfter: JSON?
    }

    static let lies: [Lie] = [
        Lie(
            testDescription: "an error in a 200", reply: .json(#"{"error":"invalid_scope"}"#), error: "invalid_scope",
            spent: 4, repeatable: 4),
        Lie(
            testDescription: "invalid_client", reply: .json(#"{"error":"invalid_client"}"#, status: 401),
            error: "invalid_client", spent: 4, repeatable: 4),
        Lie(
            testDescription: "an error beside a token",
            reply: .json(#"{"error":"x","access_token":"a","token_type":"Bearer"}"#), error: "x", spent: 4,
            repeatable: 4),
        Lie(
            testDescription: "server_error", reply: .json(#"{"error":"server_error"}"#, status: 400),
            error: "server_error", spent: 6, repeatable: 6, retryable: true),
        Lie(
            testDescription: "HTML", reply: .content(Array("<p>login".utf8), type: "text/html"), error: "not_json",
            spent: 10, repeatable: 10),
        Lie(testDescription: "nothing", reply: .json(""), error: "parse", spent: 10, repeatable: 10),
        Lie(testDescription: "an array", reply: .json("[]"), error: "invalid_response", spent: 10, repeatable: 10),
        Lie(
            testDescription: "no access_token", reply: .json("{}"), error: "invalid_response", spent: 10, repeatable: 10
        ),
        Lie(
            testDescription: "a number for a token", reply: .json(#"{"access_token":1,"token_type":"Bearer"}"#),
            error: "invalid_response", spent: 10, repeatable: 10),
        Lie(
            testDescription: "a token that breaks a header",
            reply: .json(#"{"access_token":"a\r\nX: y","token_type":"Bearer"}"#), error: "invalid_response", spent: 10,
            repeatable: 10),
        Lie(
            testDescription: "an unknown token_type", reply: .json(#"{"access_token":"a","token_type":"mac"}"#),
            error: "token_type_unsupported", spent: 9, repeatable: 9),
        Lie(
            testDescription: "a redirect", reply: .redirect(307, to: "/elsewhere"), error: "redirect_refused", spent: 9,
            repeatable: 9),
        Lie(
            testDescription: "404 in HTML", reply: .content(Array("<p>".utf8), status: 404, type: "text/html"),
            error: "http_status", spent: 10, repeatable: 10),
        Lie(
            testDescription: "503", reply: .text("busy", status: 503, headers: ["Retry-After: 7"]),
            error: "http_status", spent: 12, repeatable: 6, retryable: false, retryAfter: 7),
        Lie(
            testDescription: "500 with a word of a framework",
            reply: .json(#"{"status":500,"error":"Internal Server Error"}"#, status: 500), error: "http_status",
            spent: 12, repeatable: 6, retryable: false),
        Lie(
            testDescription: "500 with a code of the server's own",
            reply: .json(#"{"error":"internal_server_error"}"#, status: 500), error: "http_status", spent: 12,
            repeatable: 6, retryable: false),
        Lie(
            testDescription: "500 with invalid_grant", reply: .json(#"{"error":"invalid_grant"}"#, status: 500),
            error: "invalid_grant", spent: 12, repeatable: 6, retryable: false),
        Lie(
            testDescription: "503 with server_error", reply: .json(#"{"error":"server_error"}"#, status: 503),
            error: "server_error", spent: 12, repeatable: 6, retryable: false),
        Lie(
            testDescription: "503 that asks for another attempt",
            reply: .json(
                #"{"error":"temporarily_unavailable"}"#, status: 503, headers: ["Retry-After: 3"]),
            error: "temporarily_unavailable", spent: 6, repeatable: 6, retryable: true, retryAfter: 3),
        Lie(
            testDescription: "408", reply: .text("", status: 408), error: "http_status", spent: 12, repeatable: 6,
            retryable: false),
        Lie(
            testDescription: "600", reply: .text("busy", status: 600), error: "http_status", spent: 10, repeatable: 10),
        Lie(
            testDescription: "429", reply: .text("slow", status: 429, headers: ["Retry-After: 9"]),
            error: "http_status", spent: 6, repeatable: 6, retryable: true, retryAfter: 9),
        Lie(
            testDescription: "a body cut off", reply: .truncated(#"{"access"#, promised: 100), error: "network",
            spent: 12, repeatable: 6, retryable: false),
        Lie(
            testDescription: "a compression cut off",
            reply: .content(
                [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 0xCB], type: "application/json",
                headers: ["Content-Encoding: gzip"]), error: "network", spent: 12, repeatable: 6, retryable: false),
        Lie(testDescription: "a reset", reply: .reset, error: "network", spent: 12, repeatable: 6, retryable: false),
        Lie(testDescription: "a close", reply: .close, error: "network", spent: 12, repeatable: 6, retryable: false),
        Lie(
            testDescription: "another protocol", reply: Responder.Reply.raw("SSH-2.0-x\r\n\r\n").then(.close),
            error: "network", spent: 12, repeatable: 10, retryable: false),
        Lie(testDescription: "an endless body", reply: .endless(), error: "too_large", spent: 10, repeatable: 10),
        Lie(
            testDescription: "an endless head",
            reply: .raw("HTTP/1.1 200 OK\r\n" + String(repeating: "X: y\r\n", count: 60_000)), error: "too_large",
            spent: 10, repeatable: 10),
    ]

    @Test(
        "an answer of the token endpoint that lies is told for what it is, with what it means for the next step",
        arguments: lies)
    func lie(_ lie: Lie) throws {
        let responder = try Responder { _ in lie.reply }
        let runs: [(command: [String], document: JSONObject, status: Int, isSpent: Bool)] = [
            (["exchange"], responder.flow, lie.spent, true), (["refresh"], responder.token, lie.spent, true),
            (["exchange", "--grant", "client_credentials"], responder.machine, lie.repeatable, false),
        ]
        for run in runs {
            let result = try Program.oap(run.command + ["--retry", "0"], input: run.document.input).run().expect(
                status: run.status)
            let document = try result.object()
            #expect(document["error"] == .string(lie.error), "\(result)")
            #expect(document["stage"] == .string(run.command[0]) && document["exit_status"] == .integer(run.status))
            #expect(document["retryable"] == (run.isSpent ? lie.retryable : run.status == 6 ? true : nil), "\(result)")
            #expect(document["retry_after"] == lie.retryAfter, "\(result)")
            #expect(document["access_token"] == nil)
            #expect(run.isSpent && lie.spent == 12 ? document["hint"] != nil : true, "\(result)")
        }
        #expect(responder.requests.count == 3, "one attempt each")
    }

    @Test("R-06 invalid_grant needs a new login after a refresh, and a new code after an exchange")
    func invalidGrant() throws {
        let responder = try Responder { _ in .json(#"{"error":"invalid_grant"}"#, status: 400) }
        try Program.oap(["refresh"], input: responder.token.input).run().expect(status: 8)
        try Program.oap(["exchange", "--grant", "refresh_token"], input: responder.token.input).run().expect(status: 8)
        try Program.oap(["exchange"], input: responder.flow.input).run().expect(status: 4)
    }

    @Test("an answer of the token endpoint that never comes is exit 6: connection refused, and may be retried")
    func connectionRefused() throws {
        let responder = try Responder()
        responder.stop()
        for (command, document) in [("exchange", responder.flow), ("refresh", responder.token)] {
            let result = try Program.oap([command, "--retry", "0"], input: document.input).run()
                .expect(status: 6)
            let error = try result.object()
            #expect(error["error"] == "network" && error["retryable"] == true)
        }
    }

    @Test("T-09, X-03, R-12 an answer of the token endpoint that is too slow for -m is exit 12 for a code, else 6")
    func slow() throws {
        let gate = Responder.Gate()
        defer { gate.open() }
        let responder = try Responder { _ in
            .raw("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n{").then(.close.after(gate))
        }
        let spent = try Program.oap(["exchange", "-m", "0.3"], input: responder.flow.input).run().expect(status: 12)
        #expect(try spent.object()["error"] == "timeout", "\(spent)")
        try Program.oap(["exchange", "--grant", "client_credentials", "-m", "0.3"], input: responder.machine.input)
            .run()
            .expect(status: 6)
    }

    @Test("an answer of the token endpoint may not steer the client: such members are dropped with a warning")
    func steering() throws {
        let names = [
            "token_endpoint", "client_id", "client_secret", "issuer", "api_base", "refresh_token_file", "x_file",
            "client_secret_command",
            "expires_at", "stage", "exit_status", "code", "id_token_claims", "redirect_uri",
            "registration_access_token",
        ]
        for start in stride(from: 0, to: names.count, by: 5) {
            let names = names[start..<min(start + 5, names.count)]
            let members = names.map { #""\#($0)":"evil""# }.joined(separator: ",")
            let responder = try Responder(
                .json(#"{"access_token":"a","token_type":"Bearer","custom":1.10,\#(members)}"#))
            let result = try Program.oap(["refresh"], input: responder.token.input).run().expect(status: 0)
            let document = try result.object()
            #expect(document["custom"] == .number("1.10"))
            #expect(document["token_endpoint"] == .string(responder.url("/token")) && document["client_id"] == "client")
            for name in names {
                #expect(document[name] != "evil")
                result.expect(
                    errorLine: "oap: refresh: warning: the server's answer has a member \(name), which was dropped")
            }
        }
    }

    @Test(
        "of thousands of members of a token response that are dropped, the first five are named and the rest are counted"
    )
    func manyDropped() throws {
        let members = (1...2000).map { #""m\#($0)_file":0"# }.joined(separator: ",")
        let responder = try Responder(.json(#"{"access_token":"a","token_type":"Bearer",\#(members)}"#))
        let result = try Program.oap(["refresh"], input: responder.token.input).run().expect(status: 0)
        let warnings = (1...5).map {
            "oap: refresh: warning: the server's answer has a member m\($0)_file, which was dropped\n"
        }
        let rest = "oap: refresh: warning: the server's answer has 1995 more members that were dropped\n"
        #expect(result.errorText == warnings.joined() + rest)
        #expect(try result.object()["m2000_file"] == nil)
    }

    @Test("an answer of the token endpoint that is odd is a warning, and with --strict an error without a token")
    func strict() throws {
        let odd = Responder.Reply.json(#"{"access_token":"odd-access","scope":"a"}"#)
        let responder = try Responder(odd, odd)
        let document = responder.token.with(["scope": "a b"])
        let lenient = try Program.oap(["refresh"], input: document.input).run().expect(status: 0)
        lenient.expect(errorLine: "oap: refresh: warning: the server names no token_type; oap assumes Bearer")
        lenient.expect(errorLine: "oap: refresh: warning: the server did not grant the scope b")
        let strict = try Program.oap(["refresh", "--strict"], input: document.input).run().expect(status: 10)
        #expect(try strict.object()["error"] == "invalid_response")
        strict.expect(nowhere: "odd-access")
    }

    @Test("the lifetime of a token counts from the request, whether it is a number or a string")
    func lifetime() throws {
        for text in ["3600", "\"3600\""] {
            let responder = try Responder(.json(#"{"access_token":"a","token_type":"bearer","expires_in":\#(text)}"#))
            let before = Int(time(nil))
            let document = try Program.oap(["refresh"], input: responder.token.input).run().expect(status: 0).object()
            let end = try #require(document["expires_at"]?.integer)
            #expect((before + 3600...Int(time(nil)) + 3600).contains(end))
            #expect(document["token_type"] == "Bearer" && document["expires_in"] == 3600)
        }
    }
}
