import TestSupport
import Testing

@testable import Commands
@testable import Calling
@testable import Login
@testable import Sessions
@testable import Tokens
@testable import Shell

@Suite("Words that may be secrets")
struct SecretShapeTests {
    private static let secrets = [
        "GOCSPX-abcdefghijklmnopqrstuvwxyz12", "abc8Q~dEfGhIjKlMnOpQrStUvWxYz0123456789.a",
        "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08", "hunter2/s3cret+value=%41&more",
        "Zk9/3kLmN8pQ+rSt/UvWxYz0123456789abcdefGHIJK=", "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln",
        "/9j3kLmN8pQrStUvWxYz0123456789abcdefGHIJK=", "-----BEGIN PRIVATE KEY----- MIIE -----END PRIVATE KEY-----",
        #"{"client_secret":"x"}"#, "https://app.example/cb?code=x", "two\nlines",
    ]

    @Test("what has the form of a secret is no path, whatever the file would hold", arguments: secrets)
    func noPath(text: String) {
        #expect(SecretShape.isNoPath(text, isSecrets: true) && SecretShape.isNoPath(text, isSecrets: false))
    }

    @Test(
        "a word without a slash may be the secret that a file should hold",
        arguments: ["hunter2", "correct-horse", "a/b"])
    func words(text: String) {
        #expect(SecretShape.isNoPath(text, isSecrets: true) && !SecretShape.isNoPath(text, isSecrets: false))
    }

    @Test(
        "a path with an error is shown, as its writer expects",
        arguments: [
            "secret.txt", "./secret", "../secrets/client", "/run/secrets/client", "/etc/oap/client-secret", "key.pem",
            "/tmp/client_secret", "~/keys/client.pem", "keys/prod.jwk", "/tmp/tmp.AbCd1234xY/secret",
            "/tmp/9f8e7d6c5b4a39281706f5e4d3c2b1a0/client", "build-9f8e7d6c5b4a39281706/client.jwk",
        ])
    func paths(text: String) { #expect(!SecretShape.isNoPath(text, isSecrets: true)) }

    @Test("an absolute path of another file is shown with all its signs")
    func signs() {
        for text in ["/nowhere/x.txt;type=text/plain", "/data/day=1/part+2", "notes", "body"] {
            #expect(!SecretShape.isNoPath(text, isSecrets: false))
        }
    }

    @Test("a file that is there is a path, whatever it is called")
    func there() throws {
        let folder = try TemporaryDirectory()
        let path = folder.path("ghp_0123456789abcdefABCDEF0123456789abcd")
        #expect(SecretShape.isNoPath(path, isSecrets: false))
        try folder.write("x", to: "ghp_0123456789abcdefABCDEF0123456789abcd")
        #expect(!SecretShape.isNoPath(path, isSecrets: true))
    }
}
