import PlaySupport
import TestSupport
import Testing
import Wire

@Suite("Error documents", .inProcess)
struct ErrorDocumentTests {
    private static let earlier =
        #"{"error":"x","n":1.10,"stage":"elsewhere","exit_status":9,"hint":"\u0007"}"#

    @Test(
        "error documents are passed on as they are, without a word, with their own status",
        arguments: ["authurl", "callback-parse", "device", "exchange", "refresh"])
    func passedOn(command: String) throws {
        let result = try Program.oap([command, "--strict"], input: .text(" " + Self.earlier + "\n")).run()
        result.expect(status: 9).expect(output: Self.earlier + "\n").expectSilence()
    }

    @Test("error documents end call with their status, without a word")
    func call() throws {
        try Program.oap(["call", "https://api.example/"], input: .text(Self.earlier)).run()
            .expect(status: 9).expect(output: "").expectSilence()
    }

    @Test("error documents leave nothing where a filter or a file is given")
    func withForm() throws {
        let folder = try TemporaryDirectory()
        let file = try folder.write("old", to: "result")
        for options in [["-q", "."], ["-o", file]] {
            try Program.oap(["refresh"] + options, input: .text(Self.earlier)).run()
                .expect(status: 9).expect(output: "").expectSilence()
        }
        #expect(try folder.read("result") == "old")
    }

    @Test(
        "an error document has an error, a stage and an exit status of oap; anything else with an error is data",
        arguments: [
            #"{"error":"x"}"#, #"{"error":"x","stage":"s"}"#, #"{"error":"x","stage":"s","exit_status":0}"#,
            #"{"error":"x","stage":"s","exit_status":99}"#, #"{"error":"x","stage":"s","exit_status":"3"}"#,
            #"{"error":"x","stage":"s","exit_status":3.0}"#, #"{"error":null,"stage":"s","exit_status":3}"#,
            #"{"error":"x","stage":1,"exit_status":3}"#,
        ])
    func data(document: String) throws {
        let input = document.dropLast() + #","access_token":"a"}"#
        // What is passed on as an error document goes through no filter.
        try Program.oap(["refresh", "--if-expired", "-rq", ".access_token"], input: .text(String(input))).run()
            .expect(status: 0).expect(output: "a\n")
        try Program.oap(["refresh", "--if-expired"], input: .text(String(input))).run()
            .expect(status: 0).expect(output: input + "\n")
    }

    @Test("error documents tell the server's error, its description and URI, the status and the stage")
    func members() throws {
        let responder = try Responder(
            .json(
                #"{"error":"invalid_scope","error_description":"no \u001b[31m","error_uri":"https://as.example/e"}"#,
                status: 400))
        let result = try Program.oap(
            ["exchange", "--grant", "client_credentials"], input: responder.machine.input
        ).run().expect(status: 4)
        result.expect(
            output: #"{"error":"invalid_scope","error_description":"no \u001b[31m","error_uri":"https://as.example/e","#
                + #""stage":"exchange","exit_status":4,"http_status":400}"# + "\n")
        result.expect(
            errorLine:
                #"oap: exchange: the token endpoint \#(responder.url("/token")) said invalid_scope (no \u{1b}[31m)"#)
    }

    @Test("the error document of a refused refresh token has the kind, and in the description the code of the server")
    func refusedRefresh() throws {
        let responder = try Responder(
            .json(#"{"error":"invalid_grant","error_description":"old-refresh is over"}"#, status: 400))
        let error = try Program.oap(["refresh"], input: responder.token.input).run().expect(status: 8).object()
        #expect(error["error"] == "refresh_refused")
        #expect(
            error["error_description"]
                == .string("the token endpoint \(responder.url("/token")) said invalid_grant (*** is over)"))
    }

    @Test("error documents and messages hold 300 characters of each text of a server, after the secrets are masked")
    func longTexts() throws {
        let long = String(repeating: "x", count: 290) + "hunter2hunter2" + String(repeating: "y", count: 5000)
        let shown = String(repeating: "x", count: 290) + "***yyyyyyy…"
        let responder = try Responder(
            .json(#"{"error":"\#(long)","error_description":"\#(long)","error_uri":"\#(long)"}"#, status: 400),
            .json(#"{"error":"invalid_scope","error_description":"\#(long)"}"#, status: 400))
        let environment = ["OAP_CLIENT_SECRET": "hunter2hunter2", "LC_ALL": "C.UTF-8"]
        for code in [shown, "invalid_scope"] {
            let result = try Program.oap(
                ["exchange", "--grant", "client_credentials"], input: responder.client.input, environment: environment
            ).run().expect(status: 4)
            let document = try result.object()
            #expect(document["error"]?.string == code && document["error_description"]?.string == shown, "\(result)")
            #expect(code != shown || document["error_uri"]?.string == shown, "\(result)")
            #expect(result.errorText.count < 400, "\(result)")
        }
        let callback = "https://client.example/cb?state=s&error=access_denied&error_description=\(long)"
        let refused = try Program.oap(
            ["callback-parse", callback],
            input: responder.client.with(["state": "s", "redirect_uri": "https://client.example/cb"]).input
        ).run().expect(status: 4)
        #expect(try refused.object()["error_description"]?.string?.count == 301, "\(refused)")
        #expect(refused.errorText.count < 400, "\(refused)")
    }

    @Test("error documents and messages hold no secret, neither in oap's own sentence nor in the hint")
    func ownTexts() throws {
        let secret = "hunter2hunter2"
        let client: JSONObject = [
            "client_id": "c", "client_secret": .string(secret), "authorization_endpoint": "https://as.example/a",
        ]
        let several = client.with(["redirect_uris": .strings(["https://a.example/\(secret)", "app:/cb"])])
        let named = try Program.oap(["authurl"], input: several.input).run().expect(status: 3)
        named.expect(nowhere: secret)
        let message = JSON.string("redirect_uris has 2 entries: https://a.example/***, app:/cb")
        #expect(try named.object()["error_description"] == message, "\(named)")
        let schemeless = client.with(["redirect_uri": .string("127.0.0.1:8080/\(secret)")])
        let hinted = try Program.oap(["authurl"], input: schemeless.input).run().expect(status: 3)
        hinted.expect(nowhere: secret)
        #expect(try hinted.object()["hint"] == "did you mean http://127.0.0.1:8080/***?", "\(hinted)")
    }

    @Test("error documents are written for a command line that is wrong, unless it asks for a filter or a file")
    func usage() throws {
        let document = try Program.oap(["refresh", "--nope"]).run().expect(status: 2).object()
        #expect(document["error"] == "usage" && document["stage"] == "refresh")
        for option in ["-o", "--output", "--jq", "-rq"] {
            try Program.oap(["refresh", "--nope", option, "x"]).run().expect(status: 2).expect(output: "")
        }
    }

    @Test("a text of a server in a warning or in a message of a check is cut, and its line ends are escaped")
    func cutTexts() throws {
        let long = String(repeating: "x ", count: 5000)
        let values = (0..<5000).map { "s\($0)" }.joined(separator: " ")
        let wide = try Responder(.json(#"{"access_token":"a","token_type":"Bearer","scope":"\#(values)"}"#))
        let warned = try Program.oap(["refresh"], input: wide.token.with(["scope": "s0"]).input).run().expect(status: 0)
        #expect(
            warned.errorText.hasPrefix("oap: refresh: warning: the server granted more scope than requested: s1 ")
                && warned.errorText.count < 400, "\(warned)")
        let odd = try Responder(.json(#"{"access_token":"a","token_type":"\#(long)"}"#))
        let refused = try Program.oap(["refresh"], input: odd.token.input).run().expect(status: 9)
        #expect(refused.errorText.count < 400, "\(refused)")
        let lines = try Responder(
            .json(#"{"error":"invalid_scope","error_description":"one\r\ntwo"}"#, status: 400))
        try Program.oap(["refresh"], input: lines.token.input).run().expect(status: 4).expect(
            errorLine: #"oap: refresh: the token endpoint \#(lines.url("/token")) said invalid_scope (one\r\ntwo)"#)
    }
}
