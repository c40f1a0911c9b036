import PlaySupport
import TestSupport
import Testing
import Wire

@Suite("The request to the token endpoint", .inProcessWithoutPauses)
struct TokenRequestTests {
    private static let codeForm =
        "grant_type=authorization_code&code=the-code&redirect_uri=http%3A%2F%2F127.0.0.1%3A1%2Fcb"
        + "&code_verifier=verifier-verifier-verifier-verifier-verifier"

    /// The head of a form of this size.
    private func head(_ responder: Responder, size: Int, authorization: String? = nil) -> [String] {
        [
            "POST /token HTTP/1.1", "Host: 127.0.0.1:\(responder.port)", "Accept: application/json",
            "Content-Type: application/x-www-form-urlencoded",
        ]
            + (authorization.map { ["Authorization: \($0)"] } ?? []) + ["Content-Length: \(size)"]
    }

    @Test("the request to the token endpoint of a public client names it in the form")
    func publicClient() throws {
        let responder = try Responder(.token)
        try Program.oap(["exchange"], input: responder.flow.input).run().expect(status: 0).expectSilence()
        let request = try #require(responder.requests.first)
        #expect(request.bodyText == Self.codeForm + "&client_id=client")
        #expect(request.lines == head(responder, size: request.bodySize))
        #expect(responder.connectionCount == 1)
    }

    @Test(
        "the token request authenticates as the document says: form-encoded Basic, raw Basic, or in the form",
        arguments: [
            (["token_endpoint_auth_method": "client_secret_basic"], "Basic Y2xpZW50OmErYiUyRiUzQSVDMyVBOQ==", ""),
            ([:], "Basic Y2xpZW50OmErYiUyRiUzQSVDMyVBOQ==", ""),
            (["basic_encoding": "raw"], "Basic Y2xpZW50OmEgYi86w6k=", ""),
            (
                ["token_endpoint_auth_method": "client_secret_post"], nil,
                "&client_id=client&client_secret=a+b%2F%3A%C3%A9"
            ),
            (["token_endpoint_auth_method": "none"], nil, "&client_id=client"),
        ] as [([String: String], String?, String)])
    func authentication(members: [String: String], authorization: String?, form: String) throws {
        let responder = try Responder(.token)
        let document = members.reduce(into: responder.flow.with(["client_secret": "a b/:é"])) {
            $0[$1.key] = .string($1.value)
        }
        try Program.oap(["exchange"], input: document.input).run().expect(status: 0)
        let request = try #require(responder.requests.first)
        #expect(request.bodyText == Self.codeForm + form)
        #expect(request.lines == head(responder, size: request.bodySize, authorization: authorization))
    }

    @Test(
        "the request to the token endpoint of client credentials carries scope, resources and parameters of one's own")
    func clientCredentials() throws {
        let responder = try Responder(.token)
        try Program.oap([
            "exchange", "-n", "--grant", "client_credentials", "--token-endpoint", responder.url("/token?tenant=1"),
            "--client-id", "ci", "--scope", "a b", "--resource", "https://x.example", "--resource", "https://y.example",
            "--param", "audience=z", "--param", "x=1=2", "--token-endpoint-auth-method", "none",
        ]).run().expect(status: 0)
        let request = try #require(responder.requests.first)
        #expect(request.target == "/token?tenant=1")
        #expect(
            request.bodyText == "grant_type=client_credentials&scope=a+b&resource=https%3A%2F%2Fx.example"
                + "&resource=https%3A%2F%2Fy.example&audience=z&x=1%3D2&client_id=ci")
    }

    @Test(
        "a token request is not sent for tokens bound to a certificate that is not there",
        arguments: ["exchange", "refresh"])
    func certificateBound(command: String) throws {
        let responder = try Responder(.token)
        let name = "tls_client_certificate_bound_access_tokens"
        let document = responder.flow.with(["refresh_token": "r", name: true])
        let result = try Program.oap([command], input: document.input).run().expect(status: 3)
        #expect(result.errorText.contains("\(name) needs a certificate"), "\(result)")
        #expect(responder.connectionCount == 0)
    }

    @Test("the request to the token endpoint of a refresh sends scope only when it is asked for")
    func refresh() throws {
        let responder = try Responder(.token, .token)
        let document = responder.token.with(["scope": "a b"]).input
        try Program.oap(["refresh"], input: document).run().expect(status: 0)
        try Program.oap(["refresh", "--scope", "a"], input: document).run().expect(status: 0)
        #expect(
            responder.requests.map(\.bodyText) == [
                "grant_type=refresh_token&refresh_token=old-refresh&client_id=client",
                "grant_type=refresh_token&refresh_token=old-refresh&scope=a&client_id=client",
            ])
    }

    @Test("the request to the token endpoint of an extension grant has its URN and its parameters")
    func extensionGrant() throws {
        let responder = try Responder(.token)
        try Program.oap(
            ["exchange", "--grant", "urn:x:y", "--param", "assertion=abc"], input: responder.client.input
        ).run().expect(status: 0)
        #expect(responder.requests.first?.bodyText == "grant_type=urn%3Ax%3Ay&assertion=abc&client_id=client")
    }

    @Test(
        "the request to the token endpoint is not sent for what is wrong beforehand",
        arguments: [
            (["exchange"], [:], 3), (["exchange", "--grant", "password"], ["code": "x"], 3),
            (["exchange", "--param", "code=x"], ["code": "x"], 2), (["exchange", "--param", "x"], ["code": "x"], 2),
            (["exchange"], ["code": "x", "token_endpoint": "http://as.example/t"], 9),
            (["exchange"], ["code": "x", "token_endpoint": "http://localhost.evil.example/t"], 9),
            (["exchange"], ["code": "x", "token_endpoint": "http://127.0.0.1:1/t#f"], 3),
            (["exchange"], ["code": "x", "token_endpoint": "http://u:p@127.0.0.1:1/t"], 3),
            (["exchange"], ["code": "x", "token_endpoint": "ftp://127.0.0.1/t"], 3),
            (["exchange"], ["code": "x", "scope": "openid"], 3),
            (["exchange"], ["code": "x", "code_verifier": "short"], 3),
            (["exchange"], ["code": "x", "token_endpoint_auth_method": "private_key_jwt"], 3),
            (["exchange"], ["code": "x", "token_endpoint_auth_method": "client_secret_basic"], 3),
            (["refresh"], ["access_token": "x"], 8), (["refresh"], [:], 3),
            (["refresh", "-m", "x"], ["refresh_token": "x"], 2),
            (["refresh", "-m", "-1"], ["refresh_token": "x"], 2),
            (["refresh", "--min-ttl", "-1"], ["refresh_token": "x"], 2),
        ] as [([String], [String: String], Int)])
    func refused(command: [String], members: [String: String], status: Int) throws {
        let responder = try Responder(.token)
        let document = members.reduce(into: responder.client) { $0[$1.key] = .string($1.value) }
        let result = try Program.oap(command, input: document.input).run().expect(status: status)
        #expect(try result.object()["exit_status"] == .integer(status))
        #expect(responder.connectionCount == 0, "\(result)")
    }

    @Test("client credentials without a secret are not sent: a client must authenticate for them")
    func noSecret() throws {
        let responder = try Responder(.token)
        let command = ["exchange", "--grant", "client_credentials"]
        let result = try Program.oap(command, input: responder.client.input).run().expect(status: 3)
        result.expect(errorLine: "oap: exchange: client_secret is missing")
        #expect(result.errorText.contains("OAP_CLIENT_SECRET") && responder.connectionCount == 0)
        try Program.oap(command, input: responder.machine.input).run().expect(status: 0)
    }

    @Test(
        "a client that the server refuses is told what to look at: a secret, its encoding, its method",
        arguments: [
            ("invalid_client", nil, "form", "no client secret was given; use OAP_CLIENT_SECRET"),
            ("unauthorized_client", nil, "form", "no client secret was given; use OAP_CLIENT_SECRET"),
            ("invalid_client", "plain", "form", "token_endpoint_auth_method; the secret came from the document\n"),
            ("unauthorized_client", "odd/secret", "form", "expects them unencoded, use --basic-encoding raw"),
            ("invalid_client", "odd/secret", "form", "expects them unencoded, use --basic-encoding raw"),
            ("invalid_client", "odd/secret", "raw", "token_endpoint_auth_method; the secret came from the document\n"),
        ] as [(String, String?, String, String)])
    func refusedClient(code: String, secret: String?, encoding: String, hint: String) throws {
        let responder = try Responder(.json(#"{"error":"\#(code)"}"#, status: 401))
        var document = responder.flow.with(["basic_encoding": .string(encoding)])
        document["client_secret"] = secret.map { .string($0) }
        let result = try Program.oap(["exchange"], input: document.input).run().expect(status: 4)
        #expect(result.errorText.contains("oap: hint: ") && result.errorText.contains(hint), "\(result)")
    }

    @Test("a JWT that is refused by whatever code is told with how far the clocks are apart")
    func clocks() throws {
        let folder = try TemporaryDirectory()
        let assertion = try folder.write("a.b.c", to: "assertion")
        try Program.oap(["jwk", "new", "-o", folder.path("key")]).run().expect(status: 0)
        let own = ["--client-key-file", folder.path("key"), "--assertion-audience", "token_endpoint"]
        let cases: [(code: String, words: [String], isTold: Bool)] = [
            ("invalid_grant", ["jwt-bearer", "--assertion-file", assertion], true),
            ("invalid_request", ["client_credentials"] + own, true),
            ("invalid_client", ["client_credentials"] + own, true),
            ("invalid_scope", ["client_credentials"] + own, false),
            ("invalid_request", ["client_credentials"], false),
        ]
        for (code, words, isTold) in cases {
            for isOther in [true, false] {
                let date = isOther ? ["Date: Thu, 01 Jan 2015 00:00:00 GMT"] : []
                let server = try Responder(.json(#"{"error":"\#(code)"}"#, status: 400, headers: date))
                let client = server.client.with(["client_secret": words.count > 1 ? .null : "s"])
                let result = try Program.oap(["exchange", "--grant"] + words, input: client.input).run()
                let isSaid = result.expect(status: 4).errorText.contains("s ahead of the server's")
                #expect(isSaid == (isTold && isOther), "\(result)")
            }
        }
    }

    @Test(
        "a grant of another RFC is named without its URN",
        arguments: [
            ("password", "password", "--password-file", "password"),
            ("jwt-bearer", "urn:ietf:params:oauth:grant-type:jwt-bearer", "--assertion-file", "assertion"),
            ("saml2-bearer", "urn:ietf:params:oauth:grant-type:saml2-bearer", "--assertion-file", "assertion"),
            (
                "token-exchange", "urn:ietf:params:oauth:grant-type:token-exchange", "--subject-token-file",
                "subject_token"
            ),
        ])
    func namedGrant(name: String, type: String, option: String, parameter: String) throws {
        let responder = try Responder(.token)
        let folder = try TemporaryDirectory()
        let secret = try folder.write("the-secret\n", to: "secret")
        let command = ["exchange", "--grant", name, option, secret, "--param", "username=ada"]
        try Program.oap(command, input: responder.client.input).run().expect(status: 0)
        let sent = Set(try #require(responder.requests.first).bodyText.split(separator: "&").map(String.init))
        let written = type.split(separator: ":").joined(separator: "%3A")
        #expect(sent.isSuperset(of: ["grant_type=\(written)", "\(parameter)=the-secret", "username=ada"]), "\(sent)")
    }

    @Test("an assertion needs no client (RFC 7521 section 4.1); one that is known is named, and other grants need it")
    func nameless() throws {
        let responder = try Responder { _ in .token }
        let folder = try TemporaryDirectory()
        let file = try folder.write("the-secret\n", to: "a")
        let command = ["exchange", "-n", "--token-endpoint", responder.url("/token"), "--grant"]
        for name in ["jwt-bearer", "saml2-bearer"] {
            let words = command + [name, "--assertion-file", file]
            let token = try Program.oap(words).run().expect(status: 0).object()
            #expect(token["client_id"] == nil)
            try Program.oap(words, environment: ["OAP_CLIENT_ID": "c"]).run().expect(status: 0)
            let bodies = responder.requests.suffix(2).map(\.bodyText)
            #expect(!bodies[0].contains("client_id") && bodies[1].contains("client_id=c"), "\(bodies)")
            let secret = try Program.oap(words, environment: ["OAP_CLIENT_SECRET": "s"]).run().expect(status: 3)
            #expect(secret.errorText.contains("client_id is missing"), "\(secret)")
        }
        let other = try Program.oap(command + ["client_credentials"]).run().expect(status: 3)
        #expect(other.errorText.contains("client_id is missing"), "\(other)")
    }

    @Test("a document without a code is told of other grants")
    func noCode() throws {
        let responder = try Responder()
        try Program.oap(["exchange"], input: responder.client.with(["client_secret": "s"]).input).run()
            .expect(status: 3).expect(
                errorLine:
                    "oap: hint: pipe in the flow document that oap callback-parse printed; for a grant without a user, use --grant, such as "
                    + "--grant client_credentials")
    }

    @Test(
        "a refused JWT of the client is explained by the clocks where they are apart", arguments: ["token", "revoke"])
    func clocks(endpoint: String) throws {
        let server = try Responder { _ in
            .json(#"{"error":"invalid_client"}"#, status: 401, headers: ["Date: Fri, 27 Nov 2020 10:00:00 GMT"])
        }
        let client = server.token.with([
            "token_endpoint_auth_method": "client_secret_jwt", "issuer": .string(server.url()),
            "client_secret": "a secret of at least thirty-two bytes", "revocation_endpoint": .string(server.url("/r")),
        ])
        let words = endpoint == "token" ? ["exchange", "--grant", "client_credentials"] : ["revoke"]
        let result = try Program.oap(words, input: client.input).run().expect(status: 4)
        #expect(result.errorText.contains("correct the clock of this machine: it is "), "\(result)")
    }

    @Test(
        "a public client that an endpoint refuses is not told that a secret is missing",
        arguments: ["introspect", "revoke"])
    func publicClient(command: String) throws {
        let server = try Responder { _ in .json(#"{"error":"invalid_client"}"#, status: 401) }
        let client = server.token.with([
            "token_endpoint_auth_method": "none", "revocation_endpoint": .string(server.url("/r")),
            "introspection_endpoint": .string(server.url("/i")),
        ])
        let result = try Program.oap([command], input: client.input).run().expect(status: 4)
        #expect(result.errorText.contains("the client is public (token_endpoint_auth_method is none)"), "\(result)")
        #expect(!result.errorText.contains("no client secret was given"), "\(result)")
    }

    @Test("the server's own words about a refusal are shown, escaped, masked and cut")
    func words() throws {
        let why = #"because\u001b[31m the-code "# + String(repeating: "x", count: 400)
        let server = try Responder { _ in .json(#"{"errors":[{"message":"\#(why)"}]}"#, status: 400) }
        let result = try Program.oap(["exchange"], input: server.flow.input).run().expect(status: 10)
        #expect(result.errorText.contains(" answered 400: because\\u{1b}[31m "), "\(result)")
        #expect(result.errorText.utf8.count < 700)
        result.expect(nowhere: "the-code").expect(nowhere: "\u{1B}")
        #expect(try result.object()["error"] == "http_status" && result.object()["http_status"] == 400)
        let silent = try Responder { _ in .text("", status: 400) }
        let none = try Program.oap(["exchange"], input: silent.flow.input).run().expect(status: 10)
        #expect(none.errorText.contains("hint: the server does not say why: "), "\(none)")
        let page = try Responder { _ in .json("<!DOCTYPE html><title>Blocked</title>") }
        let blocked = try Program.oap(["exchange"], input: page.flow.input).run().expect(status: 10)
        #expect(blocked.errorText.contains("is an HTML page, not JSON"), "\(blocked)")
        #expect(blocked.errorText.contains("hint: check whether the URL is right, and whether a proxy"), "\(blocked)")
    }
}
