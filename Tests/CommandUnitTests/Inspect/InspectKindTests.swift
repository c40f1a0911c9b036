import Glibc
import PlaySupport
import TestSupport
import Testing
import Wire

@testable import CommandSupport

@Suite("What oap inspect takes", .inProcess)
struct InspectKindTests {
    private static func jwt(_ claims: String) -> String {
        [#"{"alg":"RS256"}"#, claims, "signature"].map { Base64.encodeURL(Array($0.utf8)) }.joined(separator: ".")
    }

    private func inspect(_ words: [String] = [], input: String = "") throws -> ProgramResult {
        try Program.oap(["inspect"] + words, input: .text(input)).run()
    }

    @Test(
        "a JWT is found behind its scheme and in header fields, as the operand and on standard input",
        arguments: [
            "Bearer JWT", "bearer JWT\n", "Authorization: Bearer JWT", "authorization:Bearer JWT", "DPoP JWT",
            "Authorization: DPoP JWT\nDPoP: PROOF\n", "Host: a.example\r\nAuthorization: Bearer JWT\r\nAccept: */*\r\n",
            "DPoP: JWT",
        ])
    func headers(form: String) throws {
        let text = form.replacing("JWT", with: Self.jwt(#"{"sub":"7"}"#)).replacing("PROOF", with: Self.jwt("{}"))
        for result in [
            try inspect([text]), try inspect(input: text), try inspect(["--raw"], input: text),
        ] {
            #expect(try result.expect(status: 0).object()["claims"] == .object(["sub": "7"]))
        }
        let verified = try Program.oap(["verify", "--issuer", "https://as.example", "--client-id", "c", text]).run()
        #expect(!verified.errorText.contains("white space"), "\(verified)")
    }

    @Test("an opaque token behind its scheme is called opaque, and is not repeated")
    func opaque() throws {
        let result = try inspect(["Bearer an-opaque-token-1"]).expect(status: 3).expect(nowhere: "an-opaque-token-1")
        #expect(result.errorText.contains("the token is opaque"))
    }

    @Test("a set of keys is a list without private parts, and so is a key alone; a shared secret has no thumbprint")
    func keys() throws {
        let key = try Program.oap(["jwk", "new", "--kid", "k1"]).run().expect(status: 0).object()
        let thumbprint = try Program.oap(["jwk", "thumbprint"], input: key.input).run().text.dropLast()
        let expected: JSONObject = [
            "kid": "k1", "kty": "EC", "crv": "P-256", "alg": "ES256", "use": "sig",
            "thumbprint": .string(String(thumbprint)), "private": .bool(true),
        ]
        let alone = try inspect(input: JSON.object(key).text).expect(status: 0).object()
        #expect(alone == ["kind": "keys", "keys": .array([.object(expected)])])
        let secret = #"{"kty":"oct","kid":"s","k":"c2VjcmV0c2VjcmV0"}"#
        let odd = #"{"kty":"XYZ","kid":"x"}"#
        let set = try inspect(input: #"{"keys":[\#(JSON.object(key).text),\#(secret),\#(odd)]}"#).expect(status: 0)
        set.expect(nowhere: key["d"]?.string ?? "?").expect(nowhere: "c2VjcmV0")
        let others = #"[{"kid":"s","kty":"oct","private":true},{"kid":"x","kty":"XYZ"}]"#
        let shown = try set.object()["keys"]?.array ?? []
        #expect(shown.first == .object(expected))
        #expect(JSON.array(Array(shown.dropFirst())).text == others)
    }

    @Test("a certificate in PEM shows whom it names, its dates and its thumbprint, and a key beside it no private half")
    func certificate() throws {
        let certificates = try ClientCertificates()
        try certificates.make("ada", subject: "/O=Ada, Inc/CN=ada", issuer: "ca")
        let shown = try inspect(input: certificates.text("ada")).expect(status: 0).object()
        #expect(shown["kind"] == "certificates")
        let certificate = try #require(shown["certificates"]?.array?.first?.object)
        #expect(certificate["subject"] == #"CN=ada,O=Ada\, Inc"#)
        let issuer = try inspect(input: certificates.text("ca")).object()["certificates"]?.array?.first?.object
        #expect(certificate["issuer"] == issuer?["subject"])
        #expect(certificate["x5t#S256"]?.string == (try thumbprint(of: "ada", certificates)))
        let (start, end) = (certificate["not_before"]?.integer ?? 0, certificate["expires_at"]?.integer ?? 0)
        #expect(start < end)
        #expect(abs(start - Int(time(nil))) < 90_000)
        #expect(end - (certificate["seconds_left"]?.integer ?? 0) >= start)
        let key = try certificates.folder.read("ada.key")
        let both = try inspect(input: certificates.text("ada") + key).expect(status: 0).object()
        #expect(both["certificates"]?.array?.count == 1)
        let thumbprint = try Program.oap(["jwk", "thumbprint"], input: .text(key)).run().text.dropLast()
        let own = try #require(both["keys"]?.array?.first?.object)
        #expect(own["thumbprint"]?.string == String(thumbprint))
        #expect(own["private"] == true)
        #expect(own["d"] == nil)
        let broken = "-----BEGIN CERTIFICATE-----\nQUJD\n-----END CERTIFICATE-----\n"
        try inspect(input: broken).expect(status: 3).expect(output: "")
        try Program.oap(["verify"], input: .text(broken)).run().expect(status: 3)
            .expect(errorLine: "oap: verify: PEM is not a JWT")
    }

    @Test("an opaque token that is bound to the client's certificate shows the thumbprint of that")
    func bound() throws {
        let certificates = try ClientCertificates()
        try certificates.make("ada", subject: "/CN=ada", issuer: "ca")
        var token: JSONObject = [
            "access_token": "opaque", "tls_client_certificate_bound_access_tokens": true,
            "tls_client_certificate_file": .string(certificates.path("ada")),
        ]
        let thumbprint = try thumbprint(of: "ada", certificates)
        let shown: JSONObject = ["x5t#S256": .string(thumbprint), "confirmed": false]
        #expect(try inspect(input: JSON.object(token).text).object()["bound_to"] == .object(shown))
        token["tls_client_certificate_file"] = "/nonexistent"
        let unknown: JSONObject = ["x5t#S256": .null, "confirmed": false]
        #expect(try inspect(input: JSON.object(token).text).object()["bound_to"] == .object(unknown))
    }

    /// The thumbprint of a certificate, as openssl computes it.
    private func thumbprint(of name: String, _ certificates: ClientCertificates) throws -> String {
        let digits = Array(try ClientCertificates.digest(of: certificates.text(name)))
        let bytes = stride(from: 0, to: digits.count, by: 2)
            .compactMap { UInt8(String(digits[$0...($0 + 1)]), radix: 16) }
        return Base64.encodeURL(bytes)
    }

    @Test("the metadata of a server is a server, with its endpoints and what it supports")
    func server() throws {
        let metadata = """
            {"issuer":"https://as.example","token_endpoint":"https://me:the-password@as.example/token",
            "scopes_supported":["a"],"claims_supported":["b"]}
            """
        let shown = try inspect(input: metadata).expect(status: 0).expect(nowhere: "the-password").object()
        #expect(shown["kind"] == "server")
        #expect(shown["issuer"] == "https://as.example")
        #expect(shown["token_endpoint"] == "https://***@as.example/token")
        #expect(shown["scopes_supported"] == .array(["a"]))
        #expect(shown["claims_supported"] == nil)
        let client = try inspect(input: metadata.replacing("{", with: #"{"client_id":"c","#)).expect(status: 0).object()
        #expect(client["kind"] == "client")
    }

    @Test("the URL of an authorization request shows its parameters and the claims of its request object")
    func request() throws {
        let url = """
            https://as.example/authorize?response_type=code&client_id=c&resource=https%3A%2F%2Fa&resource=b\
            &state=the-state-1&request=\(Self.jwt(#"{"scope":"x","state":"the-state-2"}"#))
            """
        for result in [try inspect([url]), try inspect(input: url + "\n")] {
            let shown = try result.expect(status: 0).expect(nowhere: "the-state").object()
            #expect(shown["kind"] == "authorization request")
            #expect(shown["url"] == "https://as.example/authorize")
            let parameters = try #require(shown["parameters"]?.object)
            #expect(parameters["client_id"] == "c")
            #expect(parameters["resource"] == .array(["https://a", "b"]))
            #expect(parameters["state"] == "***")
            let claims = parameters["request"]?.object?["claims"]
            #expect(claims == .object(["scope": "x", "state": "***"]))
        }
    }

    @Test("a callback shows what it says without its code, and its response without the code in it")
    func callback() throws {
        let response = Self.jwt(#"{"iss":"https://as.example","code":"the-code-2"}"#)
        let shown = try inspect(["app:/cb?code=the-code-1&error_description=a+b#response=\(response)"])
            .expect(status: 0).expect(nowhere: "the-code").object()
        #expect(shown["kind"] == "authorization response")
        #expect(shown["url"] == "app:/cb")
        let parameters = try #require(shown["parameters"]?.object)
        #expect(parameters["error_description"] == "a b")
        #expect(
            parameters["response"]?.object?["claims"] == .object(["iss": "https://as.example", "code": "***"]))
        let both = try inspect(["-p", "work", "app:/cb?code=the-code-1"]).expect(status: 2).expect(nowhere: "the-code")
        #expect(both.errorText.contains("a URL and --profile cannot be combined"), "\(both)")
        let refused = try Program.oap(["verify", "app:/cb?code=the-code-1"]).run().expect(status: 3)
        refused.expect(nowhere: "the-code").expect(errorLine: "oap: verify: a URL is not a JWT")
    }

    @Test(
        "the key of a token is told by its thumbprint, as far as the token or the document has it",
        arguments: [
            (#""token_type":"DPoP","dpop_jkt":"abc""#, #"{"jkt":"abc"}"#), (#""token_type":"DPoP""#, #"{"jkt":null}"#),
            (#""tls_client_certificate_bound_access_tokens":true"#, ##"{"x5t#S256":null,"confirmed":false}"##),
            (#""token_type":"Bearer""#, "null"),
        ])
    func binding(members: String, expected: String) throws {
        let shown = try inspect(input: #"{"access_token":"opaque",\#(members)}"#).expect(status: 0).object()
        #expect(shown["bound_to"]?.text == expected)
        let confirmed = Self.jwt(##"{"cnf":{"x5t#S256":"def"}}"##)
        #expect(try inspect([confirmed]).object()["bound_to"] == .object(["x5t#S256": "def"]))
        let token = try inspect(input: #"{"access_token":"\#(confirmed)",\#(members)}"#).expect(status: 0).object()
        #expect(token["bound_to"] == .object(["x5t#S256": "def"]))
    }
}
