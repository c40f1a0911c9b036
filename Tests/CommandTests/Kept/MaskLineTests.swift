import Foundation
import TestSupport
import Testing
import Wire

@testable import CommandSupport

@Suite("A token that is masked in the log of a CI job")
struct MaskLineTests {
    @Test("--mask-line prints the line of the system on standard error, and the token alone on standard output")
    func line() throws {
        let managed = try ManagedHome(expiresIn: 1000)
        try managed.put(try managed.stored().with(["access_token": "a%b/c=", "id_token": "e.y.z"]))
        for (options, output, texts) in [
            ([], "a%b/c=\n", ["a%b/c="]), (["--header"], "Authorization: Bearer a%b/c=\n", ["a%b/c="]),
            (["--id-token"], "e.y.z\n", ["e.y.z"]),
            (["--document", "--jq", ".refresh_token", "-r"], "rt-0\n", ["a%b/c=", "rt-0", "e.y.z"]),
        ] {
            for (system, before, percent) in [
                ("github", "::add-mask::", "%25"), ("azure", "##vso[task.setsecret]", "%AZP25"),
            ] {
                let words = ["token", "work", "--mask-line", system] + options
                let result = try managed.oap(words).run().expect(status: 0).expect(output: output)
                let lines = Set(result.errorText.split(separator: "\n").map(String.init))
                #expect(lines == Set(texts.map { before + $0.replacing("%", with: percent) }), "\(result)")
            }
        }
    }

    @Test("with --document every secret is masked: of further tokens, by the server's names, and in keys")
    func everySecret() throws {
        let managed = try ManagedHome(expiresIn: 1000)
        let pem = "-----BEGIN PRIVATE KEY-----\nQUJDREVGR0hJSktMTU5PUFFSU1RVVg==\n-----END PRIVATE KEY-----\n"
        let more = """
            {"access_token":"at-0","refresh_token":"rt-0","token_type":"Bearer","refreshToken":"rt-other","client_id":"c",
            "derived_tokens":[{"request":{"scope":"b"},"access_token":"derived-0"}],"authed_user":{"id":"u","access_token":"user-0"},
            "dpop_key":"{\\"kty\\":\\"EC\\",\\"crv\\":\\"P-256\\",\\"x\\":\\"xx\\",\\"d\\":\\"private-half\\"}",
            "parameter_names":{"client_secret":"secret"},"token_endpoint":"https://as.example/token"}
            """
        let document = try JSON(parsing: more).object ?? [:]
        try managed.put(
            document.with(["client_key": .string(pem), "expires_at": .integer(9_999_999_999)]))
        let result = try managed.oap("token", "work", "--document", "--mask-line", "github").run().expect(status: 0)
        let lines = result.errorText.split(separator: "\n").map { $0.replacing("::add-mask::", with: "") }
        let secrets: Set = [
            "at-0", "rt-0", "rt-other", "derived-0", "user-0", "private-half", "QUJDREVGR0hJSktMTU5PUFFSU1RVVg==",
        ]
        #expect(Set(lines) == secrets, "\(result)")
    }

    @Test("a renewed token is masked before it is printed, and each one of --watch before its file is written")
    func renewed() throws {
        let managed = try ManagedHome(expiresIn: 65)
        let file = managed.home.path("watched")
        let watch = try managed.oap("token", "work", "--watch", "-o", file, "--mask-line", "github").start()
        for token in ["at-0", "at-1"] { _ = try watch.errorLine { $0 == "::add-mask::\(token)" } }
        watch.send(signal: SIGTERM)
        try watch.finish().expect(signal: SIGTERM)
        try managed.put(try managed.stored().with(["expires_at": .integer(1)]))
        try managed.oap("token", "work", "--mask-line", "azure").run().expect(status: 0).expect(output: "at-2\n")
            .expect(errorLine: "##vso[task.setsecret]at-2")
    }

    @Test("in a job, a token is masked before a program gets it, and after a login")
    func handedOut() throws {
        let job = ["GITHUB_ACTIONS": "true"]
        let managed = try ManagedHome(expiresIn: 1000)
        let place = "https://api.example"
        try managed.put(try managed.stored().with(["api_base": .string(place)]))
        for words in [
            ["run", "work", "--", "sh", "-c", "exit 0"], ["run", "work", "--mask", "--", "sh", "-c", "exit 0"],
            ["credential", "netrc", "-p", "work"],
            ["credential", "keyring", "-p", "work", "--allow-origin", place, "--", "get", place, "x"],
            ["credential", "kubectl", "-p", "work"],
        ] {
            var program = managed.oap(words)
            program.environment.merge(job) { $1 }
            try program.run().expect(status: 0).expect(errorLine: "::add-mask::at-0")
            program = managed.oap(words)
            #expect(try !program.run().expect(status: 0).errorText.contains("add-mask"))
        }
        let server = try Responder { _ in .json(#"{"access_token":"at-9","token_type":"Bearer","refresh_token":"r9"}"#)
        }
        var login = managed.oap([
            "login", "bot", "--grant", "client_credentials", "--token-endpoint", server.url("/token"), "--client-id",
            "c",
            "--client-secret-file", try managed.home.write("s", to: "secret"),
        ])
        login.environment.merge(job) { $1 }
        try login.run().expect(status: 0).expect(errorLine: "::add-mask::at-9").expect(errorLine: "::add-mask::r9")
    }

    @Test("where the line cannot be written, no token is printed")
    func closed() throws {
        let managed = try ManagedHome(expiresIn: 1000)
        let words = "\(Program.oapPath) token work --mask-line github 2> /dev/full"
        try Program.shell(words, environment: ["HOME": managed.home.path]).run().expect(status: 11).expect(output: "")
    }
}
