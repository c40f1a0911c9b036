import Glibc
import TestSupport
import Testing
import Wire

@testable import CommandSupport

@Suite("oap inspect")
struct InspectTests {
    private func jwt(_ claims: String, header: String = #"{"alg":"RS256","typ":"at+jwt","crit":["x"]}"#) -> String {
        [header, claims, "signature"].map { Base64.encodeURL(Array($0.utf8)) }.joined(separator: ".")
    }

    private func run(_ input: String, _ options: String...) throws -> ProgramResult {
        try Program.oap(["inspect"] + options, input: .text(input)).run()
    }

    @Test("a token document says what it is, when it ends and what renews it, and shows no secret")
    func document() throws {
        let end = Int(time(nil)) + 1000
        let access = jwt(#"{"iss":"https://as.example","cnf":{"jkt":"x"},"exp":\#(end)}"#)
        let token: JSONObject = [
            "access_token": .string(access), "refresh_token": "the-refresh-token", "client_secret": "the-secret",
            "client_id": "c", "issuer": "https://as.example", "scope": "a b", "expires_at": .integer(end),
            "expires_in": 3600, "client_secret_file": "/home/me/secret", "token_type": "Bearer",
            "id_token_claims": .object(["sub": "7", "name": "Ada"]), "unknown": "the-unknown",
            "api_base": "https://me:the-password@api.example",
        ]
        let result = try run(JSON.object(token).text).expect(status: 0).expectSilence()
        for secret in [access, "the-refresh-token", "the-secret", "/home/me/secret", "the-unknown", "the-password"] {
            result.expect(nowhere: secret)
        }
        let shown = try result.object()
        #expect(shown["kind"] == "token" && shown["account"] == "Ada" && shown["sub"] == "7")
        #expect(shown["issued_at"] == .integer(end - 3600) && shown["renewed_by"] == "refresh_token")
        #expect(shown["bound_to"] == .object(["jkt": "x"]))
        #expect((990...1000).contains(try #require(shown["seconds_left"]?.integer)))
        let inner = try #require(shown["access_token"]?.object)
        #expect(inner["kind"] == "jwt" && inner["signature"] == "not checked" && inner["typ"] == "at+jwt")
    }

    @Test("a JWT is read from standard input, a file or the operand, and its signature is not shown")
    func sources() throws {
        let text = jwt(#"{"sub":"7","n":1.10}"#)
        let folder = try TemporaryDirectory()
        let file = try folder.write(text + "\n", to: "jwt")
        let part = Base64.encodeURL(Array("signature".utf8))
        for program in [
            Program.oap(["inspect"], input: .text(text + "\r\n")), .oap(["inspect", "--jwt-file", file]),
            .oap(["inspect", text]),
        ] {
            let result = try program.run().expect(status: 0).expect(nowhere: part)
            #expect(try result.object()["claims"] == .object(["sub": "7", "n": .number("1.10")]))
        }
    }

    @Test("the name of a file as the operand is answered with standard input", arguments: ["inspect", "verify"])
    func file(command: String) throws {
        let folder = try TemporaryDirectory()
        let text = jwt(#"{"sub":"7"}"#)
        try folder.write(text, to: "id.jwt")
        for (name, status) in [("id.jwt", 8), ("./id.jwt", 2)] {
            var program = Program.oap([command, name], environment: ["HOME": folder.path])
            program.directory = folder.path
            let result = try program.run().expect(status: status).expect(nowhere: text)
            #expect(result.errorText.contains("hint: \(name) is a file: to read it, use standard input: < \(name)"))
        }
        let other = try Program.oap([command, "none"], environment: ["HOME": folder.path]).run().expect(status: 8)
        #expect(!other.errorText.contains("standard input"), "\(other)")
    }

    @Test("a stored token is inspected by its name in both forms, without asking anybody")
    func stored() throws {
        let kept = try ManagedHome(expiresIn: -7200)
        for arguments in [["inspect", "work"], ["inspect", "-p", "work"]] {
            let shown = try kept.oap(arguments).run().expect(status: 0).object()
            #expect(shown["kind"] == "token" && (shown["seconds_left"]?.integer ?? 0) <= -7200)
        }
        #expect(kept.endpoint.connectionCount == 0)
        try kept.oap("inspect", "nobody").run().expect(status: 8)
    }

    @Test("on a terminal it is a table with local times and what is left")
    func table() throws {
        let end = Int(time(nil)) + 90_000
        let claims = #"{"iss":"x\u001b[2J\ny","exp":\#(end),"team":"t","cnf":{"jkt":"t5aF"}}"#
        var program = Program.oap(["inspect"], input: .text(jwt(claims)))
        program.output = .terminal
        program.environment["TZ"] = "XYZ-3"
        let text = try program.run().expect(status: 0).text
        #expect(text.contains(" +0300, in 1 d "), "\(text)")
        #expect(text.contains("bound to    a DPoP key, t5aF\r\n"), "\(text)")
        #expect(text.contains(#"issuer"#) && text.contains(#"x\u{1b}[2J\ny"#) && text.contains("team"), "\(text)")
    }

    @Test(
        "on a terminal it asks for the JWT, and takes one of any length in a header field",
        arguments: [["inspect"], ["verify", "--type", "jwt"]])
    func pasted(words: [String]) throws {
        var program = Program.oap(words)
        program.input = .terminal
        let running = try program.start()
        _ = try running.errorLine { $0.contains("paste the JWT") }
        let long = String(repeating: "x", count: 6_000)
        running.write("Authorization: Bearer \(jwt(#"{"sub":"\#(long)"}"#))\n")
        let result = try running.finish().expect(status: words == ["inspect"] ? 0 : 9)
        guard words == ["inspect"] else {
            result.expect(errorLine: "oap: verify: the JWT header has crit, which is not supported")
            return
        }
        #expect(try result.object()["claims"] == .object(["sub": .string(long)]))
    }

    @Test("on a terminal a URL, a set of keys and the metadata of a server are tables")
    func otherTables() throws {
        let keys = #"{"keys":[{"kty":"EC","kid":"k1","use":"sig"}]}"#
        for (input, lines) in [
            ("https://as.example/?client_id=c&x=\u{1B}[2J", ["client_id  c"]),
            (
                "https://as.example/?client_id=c&request=\(jwt("{}"))",
                ["client_id    c", "request", "  type       at+jwt"]
            ),
            (keys, ["JSON Web Key", "  kty         EC", "  key         k1", "  use         sig"]),
            (#"{"issuer":"https://a.example","scopes_supported":["a","b"]}"#, ["scopes supported  a, b"]),
        ] {
            var program = Program.oap(["inspect"], input: .text(input))
            program.output = .terminal
            let text = try program.run().expect(status: 0).text
            for line in lines { #expect(text.contains("\(line)\r\n"), "\(text)") }
            #expect(!text.contains("\u{1B}"))
        }
    }

    @Test("on a narrow terminal the lines of a value are below its start, and long words below the name")
    func narrow() throws {
        let key = String(repeating: "k", count: 60)
        let jwt = jwt(#"{"scope":"one two three four five six seven","auth_time":1000,"at_hash":"\#(key)"}"#)
        var program = Program.shell("stty cols 40 <&1; oap inspect --jwt-file /dev/stdin", input: .text(jwt))
        program.output = .terminal
        program.environment = ["TZ": "UTC"]
        let text = try program.run().expect(status: 0).text.replacing("\r\n", with: "\n")
        #expect(text.contains("\nscope         one two three four five\n              six seven\n"), "\(text)")
        #expect(text.contains("\nlogged in at  1970-01-01 00:16:40 +0000,\n              "), "\(text)")
        #expect(text.contains("\nat_hash\n    \(key.prefix(36))\n    \(key.dropFirst(36))\n"), "\(text)")
    }

    @Test(
        "what is no JWT is exit 3 with the part and the place, and is not repeated",
        arguments: [
            ("a.b", "encrypted, not 2"), ("eyJhbGciOiJub25lIn0.e30", "encrypted, not 2"),
            ("e+0.e30.", "the header is not base64url: character 2"),
            ("e30.e3*.", "the payload is not base64url: character 3"), ("e30.e30.A", "cut off after character 1"),
            ("e30.W10.", "the payload is an array, not an object"), ("e30.e3s.", "the payload is not JSON: "),
            ("bm9wZQ.e30.", "the header is not JSON: "), ("two words", "white space"),
        ])
    func malformed(text: String, message: String) throws {
        let result = try run(text).expect(status: 3).expect(output: "")
        #expect(result.errorText.contains(message) && !result.errorText.contains(text), "\(result)")
    }

    @Test("an encrypted JWT says so, and one that is huge or deep is refused quickly")
    func bounds() throws {
        let sealed = Base64.encodeURL(Array(#"{"alg":"dir","enc":"A256GCM"}"#.utf8)) + "....x"
        let shown = try run(sealed).expect(status: 0).object()
        #expect(shown["kind"] == "encrypted jwt" && shown["enc"] == "A256GCM" && shown["claims"] == nil)
        try run("eyJ." + String(repeating: "A", count: 1 << 20)).expect(status: 3)
        try run(jwt(String(repeating: "[", count: 500_000))).expect(status: 3)
        try run(jwt(#"{"a":\#(String(repeating: "[", count: 505) + String(repeating: "]", count: 505))}"#))
            .expect(status: 0)
    }
}
