import Foundation
import TestSupport
import Testing
import Wire

@Suite("A secret that a program prints")
struct SecretCommandTests {
    private let home: TemporaryDirectory
    private let server: Responder

    init() throws {
        home = try TemporaryDirectory()
        server = try Responder { _ in .json(#"{"access_token":"at","token_type":"Bearer"}"#) }
    }

    /// Writes the profile `ci` with this command.
    private func profile(_ command: [String], adding members: JSONObject = [:]) throws {
        var profile: JSONObject = [
            "client_id": "ci", "token_endpoint": .string(server.url("/token")),
            "token_endpoint_auth_method": "client_secret_post", "client_secret_command": .strings(command),
        ]
        for member in members.members { profile[member.name] = member.value }
        let folder = home.path(".config/oap/profiles")
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let path = try home.write(JSON.object(profile).text, to: ".config/oap/profiles/ci.json")
        chmod(path, 0o600)
    }

    private func exchange(_ environment: [String: String] = [:], _ options: String...) throws -> ProgramResult {
        let words = ["exchange", "-p", "ci", "--grant", "client_credentials"] + options
        return try Program.oap(words, environment: environment.merging(["HOME": home.path]) { $1 }).run()
    }

    private var sent: String { server.requests.last?.bodyText ?? "" }

    @Test("the secret goes to the server and into no document, and a line end after it is dropped, also CR LF")
    func secret() throws {
        for command in [
            ["printf", "s3cret"], ["echo", "s3cret"], ["printf", "s3cret\r\n"], ["echo", "-n", "s3cret"],
        ] {
            try profile(command)
            let result = try exchange().expect(status: 0)
            #expect(sent.contains("client_secret=s3cret"))
            #expect(!result.text.contains("s3cret") && !result.text.contains("_command"), "\(result)")
        }
    }

    @Test("the program has no shell, no standard input and none of oap's variables, but standard error")
    func surroundings() throws {
        try profile(["echo", "$HOME;*"])
        try exchange().expect(status: 0)
        #expect(sent.contains("client_secret=%24HOME%3B*") || sent.contains("client_secret=%24HOME%3B%2A"), "\(sent)")
        try profile(["sh", "-c", "cat; env | grep ^OAP_; echo asked >&2; echo s"])
        let result = try exchange(["OAP_SCOPE": "x"]).expect(status: 0)
        #expect(result.errorText == "asked\n" && sent.contains("client_secret=s&") || sent.hasSuffix("client_secret=s"))
    }

    @Test("a secret that the server refuses is named with the program that printed it, or the variable before it")
    func place() throws {
        let refusing = try Responder { _ in .json(#"{"error":"invalid_client"}"#, status: 401) }
        try profile(["echo", "wrong"], adding: ["token_endpoint": .string(refusing.url("/token"))])
        let printed = try exchange().expect(status: 4)
        #expect(
            printed.errorText.contains("the secret came from echo, the client_secret_command of the profile"),
            "\(printed)")
        let set = try exchange(["OAP_CLIENT_SECRET": "worse"]).expect(status: 4)
        #expect(set.errorText.contains("the secret came from OAP_CLIENT_SECRET"), "\(set)")
    }

    @Test("the program is run when the value is used, once for a process, and not where another secret comes first")
    func once() throws {
        let count = home.path("count")
        let command = ["sh", "-c", "echo x >> \(count); echo s"]
        try profile(command)
        _ = try Program.oap(["authurl", "-p", "ci"], environment: ["HOME": home.path]).run()
        #expect(!home.contains("count"))
        try exchange().expect(status: 0)
        #expect(try home.read("count") == "x\n")
        try exchange(["OAP_CLIENT_SECRET": "variable"]).expect(status: 0)
        #expect(sent.contains("client_secret=variable"))
        let file = try home.write("file", to: "secret")
        try exchange([:], "--client-secret-file", file).expect(status: 0)
        #expect(sent.contains("client_secret=file"))
        #expect(try home.read("count") == "x\n")
    }

    @Test(
        "what is no secret is refused, naming the program and not what it prints",
        arguments: [
            (["printf", "one\\nhidden\\n"], 3, "for client_secret has 2 lines; a secret is one line"),
            (["printf", "hid\\tden"], 3, "the output of printf for client_secret holds a control character"),
            (["true"], 3, "true prints nothing for client_secret"),
            (["printf", "\\n"], 3, "printf prints nothing for client_secret"),
            (["printf", "\\377hidden"], 3, "the output of printf for client_secret is not UTF-8"),
            (["head", "-c", "65537", "/dev/zero"], 11, "head prints more than 65536 bytes for client_secret"),
            (["cat", "/dev/zero"], 11, "cat prints more than 65536 bytes for client_secret"),
            (["sh", "-c", "echo hidden; exit 7"], 11, "sh, run for client_secret, failed with status 7"),
            (["sh", "-c", "echo hidden; kill $$"], 11, "sh, run for client_secret, failed with status 143"),
            (["no-such-program", "hidden"], 11, "cannot execute no-such-program for client_secret: "),
        ])
    func refused(command: [String], status: Int, message: String) throws {
        try profile(command)
        let result = try exchange().expect(status: status)
        #expect(result.errorText.contains(message) && !result.errorText.contains("hidden"), "\(result)")
        #expect(server.requests.isEmpty && !result.text.contains("hidden"))
    }

    @Test("a program that hangs is killed after thirty seconds")
    func hanging() throws {
        try profile(["sh", "-c", "echo $$ > \(home.path("pid")); echo hidden; exec sleep 1000"])
        let result = try exchange().expect(status: 11)
        #expect(result.errorText.contains("sh, run for client_secret, took longer than 30 seconds"))
        let process = try #require(Int32(home.read("pid").dropLast()))
        #expect(kill(process, 0) != 0)
    }

    @Test("a program that leaves a child with its standard output is not waited for any longer than it runs")
    func orphan() throws {
        try profile(["sh", "-c", "sleep 1000 2> /dev/null & echo $! > \(home.path("pid")); echo from-parent"])
        try exchange().expect(status: 0)
        #expect(sent.contains("client_secret=from-parent"))
        kill(try #require(Int32(home.read("pid").dropLast())), SIGKILL)
    }

    @Test("a command of another form, and one beside the same secret, is exit 3")
    func form() throws {
        for value: JSON in ["pass", .array([]), .strings([""]), .array([.integer(1)]), .object([:])] {
            try profile([], adding: ["client_secret_command": value])
            try exchange().expect(status: 3)
        }
        for other in ["client_secret", "client_secret_file"] {
            try profile(["echo", "s"], adding: [other: "x"])
            #expect(try exchange().expect(status: 3).errorText.contains("both \(other) and client_secret_command"))
        }
        #expect(server.requests.isEmpty)
    }

    @Test("a command from a pipe, a stored token or a server's answer is never run")
    func elsewhere() throws {
        let mark = home.path("ran")
        let document =
            #"{"client_id":"c","token_endpoint":"\#(server.url("/token"))","grant":"x","#
            + #""client_secret_command":["touch","\#(mark)"],"access_token":"a","refresh_token":"r","expires_at":1}"#
        for words in [["exchange", "--grant", "client_credentials"], ["refresh"], ["authurl"], ["revoke"]] {
            let program = Program.oap(words, input: .text(document), environment: ["HOME": home.path])
            let result = try program.run().expect(status: 3)
            #expect(result.errorText.contains("client_secret_command is allowed only in a profile"), "\(result)")
        }
        _ = try Program.oap(["store", "put", "x"], input: .text(document), environment: ["HOME": home.path]).run()
        _ = try Program.oap(["token", "x"], environment: ["HOME": home.path]).run()
        try profile(["echo", "s"])
        let lying = try Responder(
            .json(#"{"access_token":"at","token_type":"Bearer","client_secret_command":["touch","\#(mark)"]}"#))
        let words = ["exchange", "-p", "ci", "--grant", "client_credentials", "--token-endpoint", lying.url("/token")]
        let result = try Program.oap(words, environment: ["HOME": home.path]).run().expect(status: 0)
        #expect(!result.text.contains("client_secret_command"))
        #expect(!home.contains("ran"))
    }

    @Test("a profile that others can write to is exit 11, and its command is not run")
    func writable() throws {
        let mark = home.path("ran")
        try profile(["touch", mark])
        let path = home.path(".config/oap/profiles/ci.json")
        for (place, mode) in [(path, 0o620), (path, 0o602), (home.path(".config/oap/profiles"), 0o770)] {
            chmod(path, 0o600)
            chmod(place, mode_t(mode))
            let result = try exchange().expect(status: 11)
            #expect(result.errorText.contains("others can write to it"), "\(result)")
        }
        #expect(!home.contains("ran") && server.requests.isEmpty)
    }

    @Test(
        "a program that prints an access token is run where the stored document has none, and not beside a stored token",
        arguments: ["token", "call", "userinfo", "whoami", "run"])
    func accessToken(command: String) throws {
        let api = try Responder { _ in .json(#"{"sub":"7"}"#) }
        try profile(
            ["echo", "s"],
            adding: [
                "access_token_command": .strings(["sh", "-c", "echo x >> \(home.path("count")); echo at-printed"]),
                "userinfo_endpoint": .string(api.url("/userinfo")),
            ])
        let token: JSONObject = ["client_id": "ci", "access_token": "at-stored", "api_base": .string(api.url())]
        let environment = ["HOME": home.path]
        try Program.oap(["store", "put", "ci"], input: token.input, environment: environment).run().expect(status: 0)
        let words =
            switch command {
            case "token": ["token", "ci"]
            case "call": ["call", "-p", "ci", "/me"]
            case "run": ["run", "ci", "--", "printenv", "OAP_ACCESS_TOKEN"]
            default: [command, "-p", "ci"]
            }
        func used() throws -> String? {
            let result = try Program.oap(words, environment: environment).run().expect(status: 0)
            guard ["call", "userinfo", "whoami"].contains(command) else { return result.text }
            return api.requests.last?.headers.first("Authorization").map { $0.dropFirst("Bearer ".count) + "\n" }
        }
        #expect(try used() == "at-stored\n")
        #expect(!home.contains("count"))
        // oap stores no such document, but a person may write one.
        var bare = token
        bare["access_token"] = nil
        chmod(try home.write(JSON.object(bare).text, to: ".local/state/oap/tokens/ci.json"), 0o600)
        #expect(try used() == "at-printed\n")
    }

    @Test("pass gives the client secret, and the key of the store")
    func pass() throws {
        let setUp = """
            mkdir -m 700 "$GNUPGHOME"
            gpg --batch --quiet --passphrase '' --quick-generate-key test@example.test default default never
            pass init test@example.test > /dev/null
            printf 'from-pass\\n' | pass insert --multiline work/secret > /dev/null
            oap store key | pass insert --multiline work/key > /dev/null
            """
        let environment = [
            "HOME": home.path, "GNUPGHOME": home.path("gnupg"), "PASSWORD_STORE_DIR": home.path("passwords"),
        ]
        defer {
            var stop = Program(path: "/usr/bin/gpgconf", arguments: ["--kill", "all"])
            stop.environment = environment
            _ = try? stop.run()
        }
        try Program.shell("set -euo pipefail\n\(setUp)", environment: environment).run().expect(status: 0)
        try profile(["pass", "show", "work/secret"])
        try exchange(environment).expect(status: 0)
        #expect(sent.contains("client_secret=from-pass"))
        let list = try home.write(#"["pass","show","work/key"]"#, to: "key-command.json")
        chmod(list, 0o600)
        let sealed = environment.merging(["OAP_STORE_KEY_COMMAND": list]) { $1 }
        let put = Program.oap(["store", "put", "w"], input: .text(#"{"access_token":"at-w"}"#), environment: sealed)
        try put.run().expect(status: 0)
        #expect(try !home.read(".local/state/oap/tokens/w.json").contains("at-w"))
        #expect(try Program.oap(["token", "w"], environment: sealed).run().expect(status: 0).text == "at-w\n")
        try Program.oap(["token", "w"], environment: environment).run().expect(status: 11)
        chmod(list, 0o666)
        try Program.oap(["token", "w"], environment: sealed).run().expect(status: 11)
    }

    @Test("a key command that fails, prints no key, is missing or stands beside a key file is exit 11")
    func storeKey() throws {
        func token(_ text: String, _ more: [String: String] = [:]) throws -> ProgramResult {
            let path = try home.write(text, to: "list.json")
            chmod(path, 0o600)
            let environment = ["HOME": home.path, "OAP_STORE_KEY_COMMAND": path].merging(more) { $1 }
            return try Program.oap(
                ["store", "put", "w"], input: .text(#"{"access_token":"a"}"#), environment: environment
            )
            .run().expect(status: 11)
        }
        for text in ["x", "[]", #"["false"]"#, #"["true"]"#, #"["echo","hidden"]"#, #"["no-such-program"]"#] {
            #expect(try !token(text).errorText.contains("hidden"))
        }
        _ = try token(#"["echo","{}"]"#, ["OAP_STORE_KEY_FILE": "/k"])
        _ = try token(#"["echo","{}"]"#, ["OAP_STORE_KEY_COMMAND": ""])
        _ = try token(#"["echo","{}"]"#, ["OAP_STORE_KEY_COMMAND": home.path("missing")])
        #expect(!home.contains(".local/state/oap/tokens/w.json"))
    }
}
