import Foundation
import PlaySupport
import TestSupport
import Testing
import Wire

@Suite("Public keys and certificates in files", .inProcessWithoutPauses)
struct PublicKeyFileTests {
    private let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
        for (name, options) in [
            ("rsa", ["-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048"]),
            ("ec", ["-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256"]), ("ed", ["-algorithm", "ED25519"]),
        ] {
            let (key, open) = (folder.path("\(name).key"), folder.path("\(name).pub"))
            try openssl(["genpkey", "-out", key] + options)
            chmod(key, 0o600)
            try openssl(["pkey", "-in", key, "-pubout", "-out", open])
            try openssl(["req", "-x509", "-key", key, "-subj", "/CN=x", "-out", folder.path("\(name).crt")])
            for ending in ["pub", "crt"] { chmod(folder.path("\(name).\(ending)"), 0o644) }
        }
    }

    private func openssl(_ words: [String]) throws {
        try Program(path: "/usr/bin/openssl", arguments: words).run().expect(status: 0)
    }

    @Test(
        "the public half of a PEM key is the same in each of its forms, and what is public causes no warning",
        arguments: ["rsa", "ec", "ed"])
    func forms(name: String) throws {
        let own = try Program.oap(["jwk", "public", folder.path("\(name).key")]).run().expect(status: 0).object()
        let open = try Program.oap(["jwk", "public", folder.path("\(name).pub")]).run().expect(status: 0)
        #expect(try open.expectSilence().object() == own)
        var certified = try Program.oap(["jwk", "public", folder.path("\(name).crt")]).run().expect(status: 0)
            .expectSilence().object()
        let chain = try #require(certified["x5c"]?.strings)
        let pem = try folder.read("\(name).crt").split(separator: "\n").dropFirst().dropLast().joined()
        #expect(chain == [pem])
        certified["x5c"] = nil
        #expect(certified == own)
        let prints = try ["key", "pub", "crt"].map {
            try Program.oap(["jwk", "thumbprint", folder.path("\(name).\($0)")]).run().expect(status: 0).text
        }
        #expect(Set(prints).count == 1)
    }

    @Test("the public key of PKCS#1 is read too, and one that is broken is refused")
    func others() throws {
        try openssl([
            "rsa", "-in", folder.path("rsa.key"), "-RSAPublicKey_out", "-out", folder.path("old.pub"),
        ])
        let prints = try ["old.pub", "rsa.pub"].map {
            try Program.oap(["jwk", "thumbprint", folder.path($0)]).run().expect(status: 0).text
        }
        #expect(prints[0] == prints[1])
        let broken = "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n"
        for text in [broken, "-----BEGIN CERTIFICATE-----\nMA"] {
            let refused = try Program.oap(["jwk", "public"], input: .text(text)).run().expect(status: 3)
            #expect(refused.errorText.contains("the key is not valid"), "\(refused)")
        }
    }

    private func verify(_ jwt: String, keys: String) throws -> ProgramResult {
        let expected = ["--type", "jwt", "--issuer", "https://as.example", "--audience", "me"]
        return try Program.oap(["verify", "--jwks-file", folder.path(keys), "-q", ".iss"] + expected + [jwt]).run()
    }

    @Test("verify takes a key alone in every form, which needs no kid", arguments: ["rsa", "ec", "ed"])
    func verification(name: String) throws {
        let sign = ["jwt", "-n", "--claim", "iss=https://as.example", "--claim", "aud=me", "--client-key-id", "k1"]
        let jwt = try Program.oap(sign + ["--client-key-file", folder.path("\(name).key")]).run().expect(status: 0)
            .text.trimmingCharacters(in: .newlines)
        let key = try Program.oap(["jwk", "public", folder.path("\(name).key")]).run().object()
        try folder.write(JSON.object(key).text, to: "jwk")
        try folder.write(JSON.object(["keys": .array([.object(key)])]).text, to: "set")
        for file in ["\(name).pub", "\(name).crt", "jwk", "set"] {
            #expect(try verify(jwt, keys: file).expect(status: 0).text == "\"https://as.example\"\n", "\(file)")
        }
        try folder.write(JSON.object(key.with(["kid": "k2"])).text, to: "named")
        let other = try verify(jwt, keys: "named").expect(status: 9)
        #expect(other.errorText.contains(#"no key for"#))
        try folder.write(JSON.object(["keys": .array([.object(key), .object(key)])]).text, to: "two")
        try verify(jwt, keys: "two").expect(status: 9)
        let wrong = try verify(jwt, keys: name == "ec" ? "rsa.pub" : "ec.crt").expect(status: 9)
        #expect(wrong.errorText.contains("no key for"), "\(wrong)")
        let secret = try verify(jwt, keys: "\(name).key").expect(status: 3)
        #expect(secret.errorText.contains("\(name).key has a private key in PEM"), "\(secret)")
        #expect(secret.errorText.contains("oap: hint: oap jwk public < "), "\(secret)")
    }

    @Test("the JWT of a client names the certificate of the connection if that is of its key")
    func certificate() throws {
        let server = try Responder { _ in .json(#"{"access_token":"at","token_type":"Bearer"}"#) }
        let client = ["exchange", "-n", "--grant", "client_credentials", "--client-id", "c", "--issuer", server.url()]
        let words = client + ["--token-endpoint", server.url("/t"), "--key", folder.path("rsa.key")]
        func header(key: String, certificate: String) throws -> JSONObject {
            try Program.oap(
                words + ["--client-key-file", folder.path(key), "--cert", folder.path(certificate)]
            ).run().expect(status: 0)
            let form = try FormEncoding.parse(server.requests.last?.bodyText ?? "")
            let jwt = form.first { $0.name == "client_assertion" }?.value ?? ""
            return try Program.oap(["inspect", jwt, "-q", ".header"]).run().expect(status: 0).object()
        }
        try folder.write(folder.read("rsa.crt") + folder.read("rsa.key"), to: "both")
        chmod(folder.path("both"), 0o600)
        let named = try header(key: "both", certificate: "rsa.crt")["x5t#S256"]
        #expect(named?.string?.utf8.count == 43)
        #expect(try header(key: "rsa.key", certificate: "rsa.crt")["x5t#S256"] == named)
        #expect(try header(key: "ec.key", certificate: "rsa.crt")["x5t#S256"] == nil)
        let key = try Program.oap(["jwk", "new", "--alg", "ES256"]).run().object()
        try folder.write(JSON.object(key).text, to: "jwk")
        chmod(folder.path("jwk"), 0o600)
        #expect(try header(key: "jwk", certificate: "rsa.crt")["x5t#S256"] == nil)
    }

    @Test("--jwk-header puts the public key alone into the header, and no kid")
    func header() throws {
        let sign = ["jwt", "-n", "--client-key-file", folder.path("ec.key"), "--client-key-id", "k1"]
        let jwt = try Program.oap(sign + ["--typ", "dpop+jwt", "--jwk-header", "--claim", "htm=POST"]).run()
            .expect(status: 0).text
        let header = try Program.oap(["inspect", "-q", ".header"], input: .text(jwt)).run().object()
        #expect(header.members.map(\.name) == ["alg", "typ", "jwk"])
        let jwk = try #require(header["jwk"]?.object)
        #expect(jwk.members.map(\.name).sorted() == ["crv", "kty", "x", "y"])
        let plain = try Program.oap(sign).run().expect(status: 0).text
        let usual = try Program.oap(["inspect", "-q", ".header"], input: .text(plain)).run().object()
        #expect(usual["kid"] == "k1")
        #expect(usual["jwk"] == nil)
    }
}
