import TestSupport
import Testing
import Wire

@testable import CommandSupport

@Suite("Signed responses of the authorization endpoint (JARM)")
struct SignedResponseTests {
    private static let client: JSONObject = [
        "client_id": "client", "issuer": "https://as.example", "authorization_endpoint": "https://as.example/a",
        "redirect_uri": "http://127.0.0.1:8765/cb", "client_secret": .string(SignedToken.secret),
        "token_endpoint_auth_method": "client_secret_post", "authorization_signed_response_alg": "HS256",
        "response_mode": "jwt",
    ]

    private func flow(_ more: JSONObject = [:]) throws -> JSONObject {
        try Program.oap(["authurl"], input: Self.client.with(more).input).run().expect(status: 0).object()
    }

    /// The claims of a response that fits the flow.
    private func claims(_ flow: JSONObject, _ more: JSONObject = [:]) throws -> JSONObject {
        var claims = SignedToken.claims.with(["code": "the-code", "state": try #require(flow["state"])]).with(more)
        for name in ["sub", "nonce"] { claims[name] = nil }
        return JSONObject(unique: claims.members.filter { !$0.value.isNull })
    }

    private func parse(_ flow: JSONObject, _ query: String) throws -> ProgramResult {
        try Program.oap(["callback-parse", "http://127.0.0.1:8765/cb\(query)"], input: flow.input).run()
    }

    @Test("the code is that of the JWT, and no parameter beside it counts")
    func taken() throws {
        let flow = try flow()
        #expect(flow["authorization_url"]?.string?.contains("response_mode=jwt") == true)
        let text = try SignedToken.signed(try claims(flow, ["extra": "1"]))
        for more in ["", "&code=other&state=x&iss=y&error=e"] {
            let parsed = try parse(flow, "?response=\(text)\(more)").expect(status: 0).object()
            #expect(parsed["code"] == "the-code" && parsed["iss"] == "https://as.example")
            #expect(parsed["callback_params"] == .object(["extra": "1"]))
        }
        let fragment = flow.with(["response_mode": "fragment.jwt"])
        try parse(fragment, "#response=\(text)").expect(status: 0)
        let posted = flow.with(["response_mode": "form_post.jwt", "callback_body": .string("response=\(text)")])
        try Program.oap(["callback-parse"], input: posted.input).run().expect(status: 0)
    }

    @Test(
        "a response that is of another issuer, client, login or time, or signed otherwise, is refused",
        arguments: [
            (["iss": "https://evil.example"], "id_token_claim"), (["iss": .null], "id_token_claim"),
            (["aud": "other"], "id_token_claim"), (["aud": .null], "id_token_claim"),
            (["exp": .null], "id_token_claim"), (["exp": 1_000_000_000], "id_token_expired"),
            (["state": "other"], "state_mismatch"), (["state": .null], "state_missing"),
            (["code": .null], "code_missing"), (["access_token": "at"], "unexpected_param"),
            (["error": "access_denied"], "access_denied"), (["code": 1234], "invalid_response"),
            (["state": 1], "invalid_response"), (["code": .strings(["the-code"])], "invalid_response"),
            (["error": false], "invalid_response"),
        ] as [(JSONObject, String)])
    func refused(more: JSONObject, kind: String) throws {
        let flow = try flow()
        let result = try parse(flow, "?response=\(try SignedToken.signed(try claims(flow, more)))")
        #expect(try result.object()["error"]?.string == kind, "\(result)")
        #expect(result.ending != .status(0))
    }

    @Test("no JWT, two, one without a signature, with another key, or in another place, is refused")
    func forms() throws {
        let flow = try flow()
        let good = try SignedToken.signed(try claims(flow))
        let parts = good.split(separator: ".")
        let state = try #require(flow["state"]?.string)
        let none = Base64.encodeURL(Array(#"{"alg":"none"}"#.utf8))
        let changed = good.dropLast(4) + (good.hasSuffix("AAAA") ? "BBBB" : "AAAA")
        for (query, kind) in [
            ("?code=x&state=\(state)&iss=https%3A%2F%2Fas.example", "jarm_missing"),
            ("?response=\(good)&response=\(good)", "duplicate_param"),
            ("?response=\(none).\(parts[1]).", "id_token_alg"), ("?response=\(changed)", "id_token_signature"),
            ("#response=\(good)", "wrong_channel"), ("?response=a.b", "id_token_malformed"),
        ] {
            let result = try parse(flow, query).expect(status: 9)
            #expect(try result.object()["error"]?.string == kind, "\(result)")
        }
        // The default without a registered algorithm is RS256, and the metadata never makes it HMAC.
        let other = flow.with(["authorization_signed_response_alg": .null, "jwks_uri": "http://127.0.0.1:1/keys"])
        let listed = other.with(["authorization_signing_alg_values_supported": .strings(["HS256"])])
        for document in [other, listed] {
            let result = try parse(document, "?response=\(good)").expect(status: 9)
            #expect(try result.object()["error"] == "id_token_alg", "\(result)")
        }
    }

    @Test("without an issuer nothing could be checked, which is said before the user logs in")
    func early() throws {
        let result = try Program.oap(["authurl"], input: Self.client.with(["issuer": .null]).input).run()
        #expect(result.expect(status: 3).errorText.contains("the signed response cannot be checked"), "\(result)")
    }

    @Test("a login takes the signed redirect, waits through those of others, and takes what is pasted")
    func login() throws {
        let home = try LoginHome()
        let script = """
            set -e
            export HOME='\(home.home.path)' BROWSER='\(LoginHome.browser)'
            issuer="$(jq -r .issuer "$OAP_SANDBOX_FILE")"
            for mode in jwt query.jwt; do
                oap login "as-$mode" --issuer "$issuer" --client-id sandbox-public --response-mode "$mode" --open
                oap token "as-$mode" > /dev/null
            done
            """
        let result = try Program.sandbox(["--run", "bash", "-c", script]).run().expect(status: 0)
        #expect(result.errorText.contains("the token is stored as as-query.jwt"), "\(result)")
    }
}
