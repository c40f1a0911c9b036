import Foundation
import PlaySupport
import Synchronization
import TestSupport
import Testing
import Wire

@Suite("oap with --fapi2", .inProcessWithoutPauses)
struct FAPIProfileTests {
    private let folder: TemporaryDirectory
    private let key: String

    init() throws {
        folder = try TemporaryDirectory()
        key = folder.path("key")
        try Program.oap(["jwk", "new", "-o", key]).run().expect(status: 0)
    }

    private func server() throws -> Responder {
        try Responder { request in
            request.target == "/par"
                ? .json(#"{"request_uri":"urn:x","expires_in":60}"#, status: 201)
                : .json(#"{"access_token":"at","token_type":"DPoP"}"#)
        }
    }

    private func client(_ server: Responder) -> JSONObject {
        [
            "client_id": "c", "issuer": .string(server.url()), "authorization_endpoint": .string(server.url("/a")),
            "token_endpoint": .string(server.url("/token")), "client_key_file": .string(key), "profile": "fapi2",
            "pushed_authorization_request_endpoint": .string(server.url("/par")),
            "redirect_uri": "http://127.0.0.1:8765/cb",
        ]
    }

    @Test("P-06 the request is pushed with a JWT of the client and the thumbprint of a key; the callback needs iss")
    func flow() throws {
        let server = try server()
        let flow = try Program.oap(["authurl"], input: client(server).input).run().expect(status: 0).object()
        let pushed = try FormEncoding.parse(server.requests[0].bodyText)
        for name in ["client_assertion", "dpop_jkt", "code_challenge", "redirect_uri", "state"] {
            #expect(pushed.contains { $0.name == name }, "\(name)")
        }
        #expect(pushed.contains { $0.name == "code_challenge_method" && $0.value == "S256" })
        let url = flow["authorization_url"]?.string ?? ""
        #expect(URLComponents(string: url)?.queryItems?.map(\.name) == ["client_id", "request_uri"])
        let callback = "http://127.0.0.1:8765/cb?code=x&state=\(flow["state"]?.string ?? "")"
        let without = try Program.oap(["callback-parse", callback], input: flow.input).run().expect(status: 9)
        #expect(without.errorText.contains("section 5.3.3.2"), "\(without)")
        let issuer = server.url().addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        let code = try Program.oap(["callback-parse", callback + "&iss=\(issuer)"], input: flow.input).run()
            .expect(status: 0).object()
        let token = try Program.oap(["exchange"], input: code.input).run().expect(status: 0).object()
        #expect(token["token_type"] == "DPoP" && token["profile"] == "fapi2")
        let request = try #require(server.requests.last)
        #expect(request.headers.values(of: "DPoP").count == 1 && request.bodyText.contains("client_assertion="))
    }

    @Test(
        "what the profile does not allow is refused before anything is sent, with its section",
        arguments: [
            (["authurl", "--no-pkce"], [:], "5.3.3.2"),
            (["authurl", "--assertion-audience", "token_endpoint"], [:], "5.3.3.1"),
            (["authurl"], ["token_endpoint_auth_method": "none"], "5.3.3.1"),
            (["authurl"], ["dpop_bound_access_tokens": false], "5.3.3.1"),
            (["authurl", "--token-endpoint-auth-signing-alg", "RS256"], [:], "5.4.1"),
            (["exchange", "--grant", "password"], ["username": "u", "password": "p"], "5.3.2.1"),
        ] as [([String], JSONObject, String)])
    func refused(command: [String], members: JSONObject, section: String) throws {
        let server = try server()
        let result = try Program.oap(command, input: client(server).with(members).input).run().expect(status: 3)
        #expect(result.errorText.contains("section \(section)"), "\(result)")
        #expect(server.requests.isEmpty)
    }

    @Test("a pushed request that is tried again has a JWT and a request object of its own")
    func pushedAgain() throws {
        let replies = Mutex([Responder.Reply.text("", status: 503, headers: ["Retry-After: 0"])][...])
        let server = try Responder { _ in
            replies.withLock { $0.popFirst() } ?? .json(#"{"request_uri":"urn:x","expires_in":60}"#, status: 201)
        }
        let document = client(server).with(["require_signed_request_object": true, "scope": "openid"])
        try Program.oap(["authurl"], input: document.input).run().expect(status: 0)
        let forms = try server.requests.map { try FormEncoding.parse($0.bodyText) }
        let jwts = forms.flatMap { form in form.filter { ["request", "client_assertion"].contains($0.name) } }
        #expect(forms.count == 2 && Set(jwts.map(\.value)).count == 4)
        // OpenID Connect Core §6.1.
        let plain = forms.map { form in form.filter { ["response_type", "scope"].contains($0.name) }.map(\.value) }
        #expect(plain == [["code", "openid"], ["code", "openid"]])
        let ids = try jwts.map {
            try Program.oap(["inspect", "--raw", "-q", ".claims.jti", "-r"], input: .text($0.value)).run().text
        }
        #expect(Set(ids).count == 4, "\(ids)")
    }

    @Test("a server that does not list S256 is told with the section, and never with options that the profile forbids")
    func withoutS256() throws {
        let server = try server()
        var document = client(server).with(["code_challenge_methods_supported": .array(["plain"])])
        let message = "oap: authurl: the server does not list S256 among its code_challenge_methods_supported"
        let refused = try Program.oap(["authurl"], input: document.input).run().expect(status: 2)
        refused.expect(errorLine: message + " (FAPI 2.0, section 5.3.2.2)")
        #expect(!refused.errorText.contains("hint"))
        document["profile"] = nil
        let other = try Program.oap(["authurl"], input: document.input).run().expect(status: 2)
        other.expect(errorLine: message)
        #expect(other.errorText.contains("hint: if nothing else works, use --code-challenge-method plain or --no-pkce"))
        #expect(server.requests.isEmpty)
    }

    /// The report about a server with this metadata: the verdict by the member that shows a point, and what was printed.
    private func report(_ metadata: JSONObject, status: Int) throws -> (verdicts: [String: String], ProgramResult) {
        let server = try Responder { request in
            let address = "http://" + (request.headers.first("Host") ?? "")
            return .json(JSON.object(metadata.with(["issuer": .string(address)])).text)
        }
        let result = try Program.oap(["discover", "--fapi2", server.url()]).run().expect(status: status)
        let lines = try result.text.split(separator: "\n").map { try #require(JSON(parsing: String($0)).object) }
        var verdicts: [String: String] = [:]
        for line in lines {
            #expect(line.members.map(\.name) == ["section", "point", "member", "found", "verdict"])
            verdicts["\(line["section"]?.string ?? "") \(line["member"]?.string ?? "")"] = line["verdict"]?.string
        }
        return (verdicts, result)
    }

    private static let good: JSONObject = [
        "token_endpoint": "https://as.example/token", "response_types_supported": .array(["code"]),
        "pushed_authorization_request_endpoint": "https://as.example/par",
        "token_endpoint_auth_methods_supported": .array(["private_key_jwt", "tls_client_auth"]),
        "dpop_signing_alg_values_supported": .array(["ES256"]), "code_challenge_methods_supported": .array(["S256"]),
        "authorization_response_iss_parameter_supported": true,
    ]

    @Test("discover --fapi2 is a line for each point, and succeeds where the metadata leaves none out")
    func passes() throws {
        let (verdicts, result) = try report(Self.good, status: 0)
        result.expectSilence()
        let unknown = [
            "5.3.2.2 require_pushed_authorization_requests", "5.4.1 token_endpoint_auth_signing_alg_values_supported",
            "5.4.1 id_token_signing_alg_values_supported",
        ]
        #expect(verdicts.filter { $0.value == "unknown" }.keys.sorted() == unknown.sorted())
        #expect(!verdicts.values.contains("fail"))
        #expect(verdicts.count == 12)
        let certificates = Self.good.with([
            "dpop_signing_alg_values_supported": .null, "tls_client_certificate_bound_access_tokens": true,
        ])
        let (bound, _) = try report(certificates, status: 0)
        #expect(bound["5.3.2.1 tls_client_certificate_bound_access_tokens"] == "pass")
    }

    @Test(
        "discover --fapi2 does not know whether a server that lists weaker ways too takes them from the profile's clients",
        arguments: [
            ("5.3.2.1", "token_endpoint_auth_methods_supported", ["private_key_jwt", "none"]),
            ("5.3.2.1", "token_endpoint_auth_methods_supported", ["client_secret_basic", "tls_client_auth"]),
            ("5.3.2.2", "code_challenge_methods_supported", ["S256", "plain"]),
            ("5.4.1", "id_token_signing_alg_values_supported", ["RS256", "PS256"]),
            ("5.4.1", "dpop_signing_alg_values_supported", ["RS256", "ES256"]),
        ])
    func weakerToo(section: String, member: String, listed: [String]) throws {
        let (verdicts, result) = try report(Self.good.with([member: .strings(listed)]), status: 0)
        #expect(verdicts["\(section) \(member)"] == "unknown", "\(result)")
    }

    @Test("discover --fapi2 takes the metadata on standard input or in a file, and asks nobody")
    func document() throws {
        let metadata = Self.good.with(["issuer": "https://as.invalid"])
        let words = ["discover", "--fapi2", "--jq", ".verdict", "-r"]
        let piped = try Program.oap(words, input: metadata.input).run().expect(status: 0).expectSilence()
        #expect(piped.text.split(separator: "\n").count == 12)
        let file = try folder.write(JSON.object(metadata).text, to: "metadata.json")
        try Program.oap(words + [file]).run().expect(status: 0).expect(output: piped.text)
        let broken = try Program.oap(words, input: .text("{}")).run().expect(status: 10)
        broken.expect(errorLine: "oap: discover: the metadata has no issuer")
        try Program.oap(["discover"]).run().expect(status: 2)
            .expect(errorLine: "oap: discover: missing operand: URL")
    }

    @Test(
        "discover --fapi2 exits with 9 for each point that fails, and names it",
        arguments: [
            (["token_endpoint": "http://as.example/token"], "5.2.1 *_endpoint"),
            (["grant_types_supported": .array(["password"])], "5.3.2.1 grant_types_supported"),
            (
                ["token_endpoint_auth_methods_supported": .array(["client_secret_basic"])],
                "5.3.2.1 token_endpoint_auth_methods_supported"
            ), (["token_endpoint_auth_methods_supported": .null], "5.3.2.1 token_endpoint_auth_methods_supported"),
            (["dpop_signing_alg_values_supported": .null], "5.3.2.1 dpop_signing_alg_values_supported"),
            (["response_types_supported": .array(["code id_token"])], "5.3.2.2 response_types_supported"),
            (["pushed_authorization_request_endpoint": .null], "5.3.2.2 pushed_authorization_request_endpoint"),
            (["code_challenge_methods_supported": .null], "5.3.2.2 code_challenge_methods_supported"),
            (
                ["authorization_response_iss_parameter_supported": .null],
                "5.3.2.2 authorization_response_iss_parameter_supported"
            ), (["dpop_signing_alg_values_supported": .array(["RS256"])], "5.4.1 dpop_signing_alg_values_supported"),
            (
                ["id_token_signing_alg_values_supported": .array(["RS256"])],
                "5.4.1 id_token_signing_alg_values_supported"
            ),
        ] as [(JSONObject, String)])
    func fails(members: JSONObject, point: String) throws {
        let (verdicts, result) = try report(Self.good.with(members), status: 9)
        #expect(verdicts.filter { $0.value == "fail" }.map(\.key) == [point])
        result.expect(errorLine: "oap: discover: the metadata fails 1 of 12 points of FAPI 2.0")
    }

    @Test("a bearer token in the place of a bound one is refused")
    func bearer() throws {
        let server = try Responder { _ in .json(#"{"access_token":"at","token_type":"Bearer"}"#) }
        let grant = ["exchange", "--grant", "client_credentials"]
        let result = try Program.oap(grant, input: client(server).input).run().expect(status: 9)
        #expect(try result.object()["error"] == "dpop_downgrade")
        #expect(result.errorText.contains("hint: the profile forbids bearer tokens"), "\(result)")
    }

    @Test("5.3.3.1 no grant brings a token that is bound to nothing")
    func unbound() throws {
        let server = try server()
        let document = client(server).with(["dpop_bound_access_tokens": false, "code": "c"])
        for words in [["exchange"], ["exchange", "--grant", "client_credentials"]] {
            let result = try Program.oap(words, input: document.input).run().expect(status: 3)
            #expect(result.errorText.contains("bound to nothing (FAPI 2.0, section 5.3.3.1)"), "\(result)")
        }
        #expect(server.requests.isEmpty)
    }
}
