import Glibc
import PlaySupport
import TestSupport
import Testing
import Wire

@Suite("authurl and callback-parse", .inProcess)
struct LoginPipelineTests {
    @Test("a document that is no flow is called that, whatever the redirected URL says")
    func noFlow() throws {
        let client: JSONObject = ["client_id": "c", "redirect_uri": "http://127.0.0.1:0/callback"]
        let words = ["callback-parse", "http://127.0.0.1:9/callback?code=x&state=y"]
        try Program.oap(words, input: client.input).run().expect(status: 3)
            .expect(errorLine: "oap: hint: pass the flow document that oap authurl printed")
    }

    private static let client: JSONObject = [
        "client_id": "client", "authorization_endpoint": "https://as.example/a?tenant=1",
        "issuer": "https://as.example",
    ]

    private func flow(_ options: [String] = [], _ more: JSONObject = [:]) throws -> JSONObject {
        try Program.oap(["authurl"] + options, input: Self.client.with(more).input).run().expect(status: 0).object()
    }

    @Test("authurl finds its endpoint in the metadata of the issuer, and whether requests are pushed")
    func discovered() throws {
        let server = try Responder { request in
            let address = "http://" + (request.headers.first("Host") ?? "")
            let metadata: JSONObject = [
                "issuer": .string(address), "authorization_endpoint": .string(address + "/a"),
                "require_pushed_authorization_requests": true,
                "pushed_authorization_request_endpoint": .string(address + "/par"),
            ]
            return request.target == "/par"
                ? .json(#"{"request_uri":"urn:x","expires_in":60}"#, status: 201) : .json(JSON.object(metadata).text)
        }
        let client: JSONObject = [
            "client_id": "c", "issuer": .string(server.url()), "token_endpoint_auth_method": "none",
        ]
        let flow = try Program.oap(["authurl"], input: client.input).run().expect(status: 0).object()
        #expect(flow["authorization_url"]?.string == server.url("/a?client_id=c&request_uri=urn%3Ax"))
        let none = try Program.oap(["authurl", "--no-discovery"], input: client.input).run().expect(status: 3)
        none.expect(errorLine: "oap: authurl: authorization_endpoint is missing")
    }

    @Test("authurl makes a request of its own each time, on a port that is free")
    func request() throws {
        let flows = try [flow(["--scope", "openid a"]), flow(["--scope", "openid a"])]
        for name in ["state", "nonce", "code_verifier", "authorization_url"] {
            let values = flows.compactMap { $0[name]?.string }
            #expect(values.count == 2 && values[0] != values[1] && values[0].utf8.count >= 43)
        }
        let url = try #require(flows[0]["authorization_url"]?.string)
        #expect(
            url.hasPrefix(
                "https://as.example/a?tenant=1&response_type=code&client_id=client&redirect_uri=http%3A%2F%2F127.0.0.1%3A"
            ))
        let verifier = try #require(flows[0]["code_verifier"]?.string)
        #expect(url.contains("&code_challenge_method=S256") && !url.contains(verifier))
        #expect(flows[0]["redirect_uri"]?.string?.hasSuffix(":0/callback") == false)
    }

    @Test(
        "authurl warns of what the steps after the login lack, and of what the metadata does not offer",
        arguments: [
            ([:], nil), (["scope": "openid"], nil), (["token_endpoint": "https://as.example/t"], nil),
            (["issuer": .null], "token_endpoint is missing: without it, the code cannot be exchanged"),
            (["token_endpoint": "/token"], "token_endpoint is not an absolute https URL"),
            (
                ["issuer": .null, "token_endpoint": "https://as.example/t", "scope": "openid"],
                "issuer is missing: without it, the ID token cannot be checked"
            ),
            (["scope": "openid", "jwks_uri": "/keys"], "jwks_uri is not an absolute https URL"),
            (
                ["response_mode": "fragment", "response_modes_supported": .array(["query"])],
                "the server's metadata does not offer response_mode fragment"
            ),
            (["response_modes_supported": .array(["query"])], nil),
            (
                ["claims": .object([:]), "claims_parameter_supported": false],
                "the server's metadata does not offer the claims parameter"
            ),
            (["claims": .object([:])], nil),
        ] as [(JSONObject, String?)])
    func obstacles(members: JSONObject, warning: String?) throws {
        let result = try Program.oap(["authurl"], input: Self.client.with(members).input).run().expect(status: 0)
        #expect(result.errorText == (warning.map { "oap: authurl: warning: \($0)\n" } ?? ""))
    }

    @Test("callback-parse names the error of a response that fails a check, and asks for the whole URL")
    func named() throws {
        let flow = try flow()
        let redirect = try #require(flow["redirect_uri"]?.string)
        for (given, message) in [
            ("\(redirect)?error=access_denied", "the callback has no state; it says error=access_denied"),
            ("\(redirect)?code=x&state=y", "the state of the callback is not the one that was sent"),
        ] {
            let result = try Program.oap(["callback-parse", given], input: flow.input).run().expect(status: 9)
            result.expect(errorLine: "oap: callback-parse: \(message)")
        }
        let promised = flow.with(["authorization_response_iss_parameter_supported": true])
        let state = flow["state"]?.string ?? ""
        for given in ["the-code", "the-code#\(state)"] {
            try Program.oap(["callback-parse", given], input: promised.input).run().expect(status: 9)
                .expect(errorLine: "oap: hint: give the whole URL to which the browser was redirected")
        }
        let other = try Program.oap(
            ["callback-parse", "\(redirect)?error=x&state=\(state)&iss=https://other.example"], input: flow.input
        ).run().expect(status: 9)
        #expect(other.errorText.contains("not from https://as.example; it says error=x\n"), "\(other)")
        #expect(other.errorText.contains("correct the spelling of the issuer in the document"))
    }

    @Test("authurl takes nothing of an earlier flow into the new one")
    func earlierFlow() throws {
        let earlier: [String] = [
            "code", "callback_url", "callback_body", "nonce", "device_code", "user_code", "interval",
        ]
        let flow = try flow([], earlier.reduce(into: ["state": "old"]) { $0[$1] = "old" })
        #expect(earlier.allSatisfy { flow[$0] == nil } && flow["state"] != "old")
    }

    @Test("authurl leaves PKCE out, or plain, only when it is told to, and says so")
    func weakProtection() throws {
        for (options, words) in [
            (["--no-pkce"], "without PKCE"), (["--code-challenge-method", "plain"], "plain challenge"),
        ] {
            let result = try Program.oap(["authurl"] + options, input: Self.client.input).run().expect(status: 0)
            #expect(
                result.errorText.hasPrefix("oap: authurl: warning: ") && result.errorText.contains(words), "\(result)")
        }
    }

    @Test(
        "authurl refuses what breaks the protocol",
        arguments: [
            (["--param", "state=x"], 2), (["--param", "client_id=x"], 2), (["--param", "x"], 2),
            (["--scope", "a\"b"], 2),
            (["--redirect-uri", "relative"], 2), (["--redirect-uri", "http://127.0.0.1/#f"], 2),
            (["--authorization-endpoint", "http://as.example/"], 9), (["--prompt", "none login"], 2),
            (["--resource", "relative"], 2), (["--claims", "[]"], 2), (["--par", "--no-discovery"], 3),
        ])
    func refused(options: [String], status: Int) throws {
        let result = try Program.oap(["authurl"] + options, input: Self.client.input).run().expect(status: status)
        #expect(try result.object()["stage"] == "authurl")
    }

    @Test("A-13 authurl: a request that the metadata want pushed is pushed without being asked for")
    func pushRequired() throws {
        let vector = try VectorGroup("authurl").case(named: "par-required")
        let responder = try Responder(.json(#"{"request_uri":"urn:x:1","expires_in":60}"#, status: 201))
        let name = "pushed_authorization_request_endpoint"
        let metadata = try #require(vector["metadata"]?.object).with([name: .string(responder.url("/par"))])
        let result = try Program.oap(["authurl"], input: Self.client.with(metadata).input).run()
        let url = try #require(result.expect(status: 0).object()["authorization_url"]?.string)
        #expect(url.hasSuffix("client_id=client&request_uri=urn%3Ax%3A1"))
        #expect(vector["expect"] == "pushed, without being asked" && responder.requests.map(\.target) == ["/par"])
    }

    @Test("authurl pushes the request, authenticated, and the URL carries a reference alone")
    func pushed() throws {
        let responder = try Responder(.json(#"{"request_uri":"urn:x:1","expires_in":60}"#, status: 201))
        let document: JSONObject = [
            "pushed_authorization_request_endpoint": .string(responder.url("/par")),
            "require_pushed_authorization_requests": true, "redirect_uri": "http://127.0.0.1:9/cb",
        ]
        let result = try Program.oap(
            ["authurl"], input: Self.client.with(document).input, environment: ["OAP_CLIENT_SECRET": "hunter2"]
        ).run().expect(status: 0).expect(nowhere: "hunter2").object()
        #expect(result["authorization_url"] == "https://as.example/a?tenant=1&client_id=client&request_uri=urn%3Ax%3A1")
        let request = try #require(responder.requests.first)
        #expect(request.headers.first("Authorization") == "Basic Y2xpZW50Omh1bnRlcjI=")
        #expect(
            request.bodyText.hasPrefix(
                "response_type=code&client_id=client&redirect_uri=http%3A%2F%2F127.0.0.1%3A9%2Fcb&state="))
    }

    @Test("callback-parse takes the URL from the operand, a file, the document or a posted form")
    func ways() throws {
        let flow = try flow([], ["redirect_uri": "http://127.0.0.1:9/cb"])
        let query = "code=x&state=\(flow["state"]?.string ?? "")&iss=https%3A%2F%2Fas.example&extra=1"
        let url = "http://127.0.0.1:9/cb?\(query)"
        let folder = try TemporaryDirectory()
        let file = try folder.write(url + "\n", to: "url")
        let ways: [([String], JSONObject)] = [
            ([url], [:]), (["--url-file", file], [:]), ([], ["callback_url": .string(url)]), (["?" + query], [:]),
            (
                [],
                [
                    "callback_url": "http://127.0.0.1:9/cb", "callback_body": .string(query),
                    "response_mode": "form_post",
                ]
            ),
        ]
        for (arguments, more) in ways {
            let result = try Program.oap(["callback-parse"] + arguments, input: flow.with(more).input).run()
            let parsed = try result.expect(status: 0).expectSilence().object()
            #expect(parsed["code"] == "x" && parsed["iss"] == "https://as.example", "\(result)")
            #expect(parsed["callback_params"] == .object(["extra": "1"]))
            for name in ["state", "authorization_url", "callback_url", "callback_body"] { #expect(parsed[name] == nil) }
        }
        try Program.oap(["callback-parse", "--url-file", "/nowhere"], input: flow.input).run().expect(status: 11)
        try Program.oap(["callback-parse"], input: flow.input).run().expect(status: 3)
    }

    @Test(
        "callback-parse believes nothing that fails a check, and shows no code",
        arguments: [
            ("http://127.0.0.1:9/cb?code=hunter2&state=wrong", 9, "state_mismatch"),
            ("http://127.0.0.1:9/cb?code=hunter2", 9, "state_missing"),
            ("http://127.0.0.1:9/other?code=hunter2&state=S", 9, "redirect_mismatch"),
            ("http://127.0.0.1:9/cb?code=hunter2&state=S&iss=https://evil.example", 9, "iss_mismatch"),
            ("http://127.0.0.1:9/cb?code=hunter2&code=b&state=S", 9, "duplicate_param"),
            ("http://127.0.0.1:9/cb?error=access_denied&state=wrong", 9, "state_mismatch"),
            ("http://127.0.0.1:9/cb?error=access_denied&code=hunter2&state=S", 4, "access_denied"),
            ("http://127.0.0.1:9/cb?error=temporarily_unavailable&state=S", 6, "temporarily_unavailable"),
            ("http://127.0.0.1:9/cb?access_token=hunter2&code=x&state=S", 9, "unexpected_param"),
            ("http://127.0.0.1:9/cb?state=S", 10, "code_missing"),
            ("http://127.0.0.1:9/cb#code=hunter2&state=S", 9, "wrong_channel"),
        ])
    func checks(url: String, status: Int, error: String) throws {
        let document: JSONObject = [
            "state": "S", "redirect_uri": "http://127.0.0.1:9/cb", "issuer": "https://as.example", "code_verifier": "v",
        ]
        let result = try Program.oap(["callback-parse", url], input: document.input).run().expect(status: status)
        result.expect(nowhere: "hunter2")
        #expect(try result.object()["error"] == .string(error), "\(result)")
    }
}
