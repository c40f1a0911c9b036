import Glibc
import TestSupport
import Testing
import Wire

@testable import CommandSupport

@Suite("oap verify")
struct VerifyTests {
    private static let key = Result { try RSAKey() }

    /// Claims that fit every kind of JWT.
    private func claims(_ more: JSONObject = [:]) -> JSONObject {
        let now = Int(time(nil))
        let claims: JSONObject = [
            "iss": "https://as.example", "aud": .array(["client", "https://api.example"]), "sub": "me", "azp": "client",
            "iat": .integer(now), "exp": .integer(now + 60), "jti": "1", "client_id": "client",
        ]
        return claims.with(more)
    }

    private static let event: JSON = .object(["http://schemas.openid.net/event/backchannel-logout": .object([:])])

    /// Checks a JWT with the keys in a file.
    private func run(_ text: String, _ options: String...) throws -> ProgramResult {
        let folder = try TemporaryDirectory()
        let file = try folder.write(try Self.key.get().set, to: "keys.json")
        let own = ["--issuer", "https://as.example", "--client-id", "client", "--jwks-file", file]
        return try Program.oap(
            ["verify", "--error-document", "/dev/stdout", "--id-token-signed-response-alg", "RS512"] + own + options,
            input: .text(text)
        ).run()
    }

    @Test("the ID token of a document is checked with the keys of the issuer, and its claims are printed")
    func document() throws {
        let key = try Self.key.get()
        let server = try Responder { _ in .json(key.set) }
        let document = server.token.with([
            "issuer": "https://as.example", "jwks_uri": .string(server.url("/keys")),
            "id_token_signed_response_alg": "RS512", "id_token": .string(try key.signed(claims())),
        ])
        let result = try Program.oap(["verify", "-v"], input: document.input).run().expect(status: 0)
        #expect(
            try result.object()
                == claims(["iat": result.object()["iat"] ?? .null, "exp": result.object()["exp"] ?? .null]))
        result.expect(nowhere: "old-access").expect(nowhere: try key.signed(claims()))
        let wrong = document.with(["id_token": .string(try key.signed(claims(["at_hash": "x"])))])
        try Program.oap(["verify"], input: wrong.input).run().expect(status: 9)
        let other = document.with(["id_token_signed_response_alg": "ES256"])
        try Program.oap(["verify"], input: other.input).run().expect(status: 9)
    }

    @Test("a profile says what to expect of a JWT in a file; without a JWT the stored token's is checked")
    func profile() throws {
        let key = try Self.key.get()
        let home = try TemporaryDirectory()
        let client: JSONObject = [
            "issuer": "https://as.example", "client_id": "client", "id_token_signed_response_alg": "RS512",
        ]
        _ = try home.write(JSON.object(client).text, to: ".config/oap/profiles/api.json")
        let (keys, jwt) = (try home.write(key.set, to: "keys"), try home.write(key.signed(claims()), to: "jwt"))
        let verify = { (options: [String]) in
            try Program.oap(
                ["verify", "-p", "api", "--jwks-file", keys] + options,
                input: options.isEmpty ? .none : .text("eyJ.no.jwt"), environment: ["HOME": home.path]
            ).run()
        }
        #expect(try verify(["--jwt-file", jwt]).expect(status: 0).object()["sub"] == "me")
        try verify(["--jwt-file", "/dev/stdin"]).expect(status: 9)
        try verify([]).expect(status: 8)
    }

    @Test("each kind is checked as what the caller wants, and the JWT cannot choose")
    func kinds() throws {
        let key = try Self.key.get()
        let access = try key.signed(claims(), type: "at+jwt")
        let logout = try key.signed(claims(["events": Self.event]), type: "logout+jwt")
        let audience = ["--audience", "https://api.example"]
        try run(access, "--type", "access_token", audience[0], audience[1]).expect(status: 0)
        try run(logout, "--type", "logout_token").expect(status: 0)
        try run(try key.signed(claims()), "--type", "jwt", audience[0], audience[1]).expect(status: 0)
        try run(try key.signed(claims())).expect(status: 0)
        for text in [access, logout] {
            let result = try run(text).expect(status: 9)
            #expect(try result.object()["error"] == "id_token_header", "\(result)")
        }
        try run(try key.signed(claims()), "--type", "access_token", audience[0], audience[1]).expect(status: 9)
        try run(try key.signed(claims()), "--type", "logout_token").expect(status: 9)
    }

    @Test(
        "a JWT that fails a check is exit 9, and no claim is printed",
        arguments: [
            ["exp": 1], ["iss": "https://evil.example"], ["aud": "other"], ["sub": .null], ["nonce": "other"],
            ["iat": 99_999_999_999], ["nbf": 99_999_999_999],
        ] as [JSONObject])
    func refused(wrong: JSONObject) throws {
        let text = try Self.key.get().signed(claims(["email": "a@example.com"]).with(wrong))
        try run(text, "--nonce", "mine").expect(status: 9).expect(nowhere: "a@example.com")
    }

    @Test("alg none, HMAC with the public key, keys of its own and crit are refused")
    func algorithms() throws {
        let payload = Base64.encodeURL(JSON.object(claims()).bytes)
        let signature = Base64.encodeURL([UInt8](repeating: 1, count: 256))
        let headers = [
            #"{"alg":"none"}"#, #"{"alg":"None"}"#, #"{"alg":"HS256","kid":"k"}"#, #"{"alg":"RS512","crit":["exp"]}"#,
            #"{"alg":"RS512","kid":"k","jwk":{"kty":"RSA","n":"AQAB","e":"AQAB"}}"#,
            #"{"alg":"RS512","kid":"mine","jku":"http://127.0.0.1:1/keys"}"#,
        ]
        for header in headers {
            let text = "\(Base64.encodeURL(Array(header.utf8))).\(payload).\(header.contains("none") ? "" : signature)"
            let result = try run(text).expect(status: 9)
            #expect(!result.errorText.contains(payload), "\(result)")
        }
        for text in ["a.b.c.d.e", "eyJ.x.y", "x"] { try run(text).expect(status: 9) }
    }

    @Test("without an issuer, a client or an audience it says which, and asks nobody")
    func missing() throws {
        let text = try Self.key.get().signed(claims())
        let other = "for a JWT of a CI job, or of another kind: --type jwt"
        for (options, status, message) in [
            (["--client-id", "c"], 3, "issuer is missing"),
            (["--issuer", "https://as.example"], 3, "client_id is missing"),
        ] {
            let result = try Program.oap(["verify"] + options, input: .text(text)).run().expect(status: status)
            #expect(result.errorText.contains(message), "\(result)")
        }
        let document: JSONObject = ["access_token": "opaque", "issuer": "https://as.example"]
        let result = try Program.oap(["verify"], input: document.input).run().expect(status: 3)
        result.expect(
            errorLine: """
                oap: hint: to get an ID token, log in with openid in the scope; to check an access token: --type access_token
                """)
        let audience = Program.oap(
            ["verify", "--issuer", "https://as.example", "--client-id", "c", "--audience", "api"],
            input: .text(try Self.key.get().signed(claims())))
        try audience.run().expect(status: 2)
            .expect(errorLine: "oap: hint: to check an access token: --type access_token; \(other)")
        let job = Program.oap(
            ["verify", "--issuer", "https://as.example", "--audience", "api"], input: .text(text))
        try job.run().expect(status: 3)
            .expect(errorLine: "oap: hint: the client of an ID token: --client-id ID; \(other)")
        let access = Program.oap(
            ["verify", "--issuer", "https://as.example", "--audience", "api", "--type", "access_token"],
            input: .text(text))
        try access.run().expect(status: 9).expect(errorLine: "oap: hint: \(other)")
        let opaque = Program.oap(["verify", "--type", "access_token"], input: document.input)
        try opaque.run().expect(status: 9).expect(
            errorLine: """
                oap: hint: many servers issue access tokens that are not JWTs: ask the server about the token with oap \
                introspect
                """)
    }
}
