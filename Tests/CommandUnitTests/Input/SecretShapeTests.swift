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

    @Test(
        "of a word with a secret in it, the secret is told from the rest",
        arguments: [
            ("https://root:hunter2hunter2@etcd.example:2379", ["hunter2hunter2"]),
            ("http:root:hunter2/hunter2@h", ["root:hunter2/hunter2"]), ("u:hunter2hunter2@h:1", ["hunter2hunter2"]),
            ("https://h/x?access_token=hunter2", ["hunter2"]), (#"{"client_secret":"hunter2"}"#, ["hunter2"]),
            ("Bearer ghp_0123456789abcdefABCDEF0123456789abcd", ["23456789abcdefABCDEF0123456789abcd"]),
            ("x -----BEGIN KEY----- a", ["EGIN KEY----- a"]),
        ])
    func parts(word: String, parts: [String]) { #expect(SecretShape.parts(of: word) == parts) }

    @Test(
        "an address, a filter, a path and a name hold no secret",
        arguments: [
            "https://registry.example/@scope/9f86d081884c7d659a2feaa0c55ad015", "localhost:8080/users/@me",
            "urn:ietf:params:oauth:grant-type:jwt-bearer", "map({(.name): .value}) | .[0] | @csv",
            "/tmp/9f8e7d6c5b4a39281706f5e4d3c2b1a0/client", "me@example.com", "api.example/v1/items?time=10:30&to=a@b",
            "file:/tmp/oap-test-3762BBE8-194F-4322-BF97-2BEC8832CC23/place", "self_signed_tls_client_auth",
            "git@github.com:owner/name",
        ])
    func wholes(word: String) { #expect(SecretShape.parts(of: word) == []) }

    @Test("a file that is there is a path, whatever it is called")
    func there() throws {
        let folder = try TemporaryDirectory()
        let path = folder.path("ghp_0123456789abcdefABCDEF0123456789abcd")
        #expect(SecretShape.isNoPath(path, isSecrets: false))
        try folder.write("x", to: "ghp_0123456789abcdefABCDEF0123456789abcd")
        #expect(!SecretShape.isNoPath(path, isSecrets: true))
    }
}
