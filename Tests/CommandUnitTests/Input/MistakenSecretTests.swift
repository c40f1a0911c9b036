import Foundation
import PlaySupport
import TestSupport
import Testing
import Wire

@Suite("Secrets in the wrong place", .inProcess)
struct MistakenSecretTests {
    /// Secrets as servers issue and people choose them.
    private static let secrets = [
        "hunter2/s3cret+value=%41&more", "ghp_0123456789abcdefABCDEF0123456789abcd",
        "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    ]

    /// A line of the Base64 of a key.
    private static let line = "MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgV1cUL3pXyQ2mZk8d"

    /// What holds a secret, and the secret in it.
    private static let holders =
        secrets.map { ($0, $0) }
        + [
            "qzvkxwjyhbgpfmdtnrslcaoeiuqzvkxwjyhbgp", "839201748392017483920174839201748392", line,
        ].map { ($0, $0) }
        + [
            "-----BEGIN PRIVATE KEY-----\n\(line)\n\(line)\n-----END PRIVATE KEY-----\n",
            "-----BEGIN PRIVATE KEY----- \(line) -----END PRIVATE KEY-----",
            #"{"type":"service_account","private_key":"-----BEGIN PRIVATE KEY-----\n\#(line)\n-----END PRIVATE KEY"#
                + #"-----\n","token_uri":"https://oauth2.googleapis.com/token"}"#,
            "first line\n\(line)", "helper:\(line)", "kubernetes:ns?token=\(line)", "token: \(line)", "Bearer \(line)",
            "\(line)\n\(line)",
        ].map { ($0, line) }
        + [
            "etcd:https://root:hunter2hunter2@etcd.example:2379", "etcd://root:hunter2hunter2@etcd.example",
            "etcd:root:hunter2hunter2@etcd.example/oap",
            "etcd:https://a.example,https://root:hunter2hunter2@b.example/p",
            "redis://:hunter2hunter2@cache.example", "http:admin:hunter2hunter2@proxy.example:3128",
            "admin:hunter2hunter2@proxy.example:3128", "git:hunter2hunter2@corp",
            "http://admin:hunter2hunter2@proxy.example:3128",
        ].map { ($0, "hunter2hunter2") }
        + [
            "http://admin:hunter2/hunter2@proxy.example", "http://admin:hunter2 hunter2@proxy.example",
            "socks5h:admin:hunter2/hunter2@proxy.example",
        ].map { ($0, String($0.dropFirst(12).prefix { $0 != "@" })) }

    private static let document: JSONObject = [
        "client_id": "c", "token_endpoint": "http://127.0.0.1:9/t", "access_token": "at", "token_type": "Bearer",
    ]

    /// Records a failure where more of a secret is shown than tells which one it is.
    private func check(_ result: ProgramResult, of secret: String, _ what: String) {
        let shown = (result.errorText + (result.ending == .status(0) ? "" : result.text)).lowercased()
        let letters = Array(secret.lowercased())
        for start in 0...(letters.count - 10) where shown.contains(String(letters[start..<start + 10])) {
            Issue.record("\(what): the secret was shown\n\(result)")
            return
        }
    }

    /// The names in a list of records.
    private func names(_ value: JSON?) -> [String] { value?.array?.compactMap { $0.object?["name"]?.string } ?? [] }

    @Test("a secret as the value of any option, as any operand and as any variable is not shown", arguments: holders)
    func everywhere(text: String, secret: String) throws {
        let help = try Program.oap(["help", "--json"]).run().expect(status: 0).object()
        let place = Self.holders.firstIndex { $0.0 == text } ?? 0
        var runs: [([String], [String: String])] = [([text], [:])]
        for command in (help["commands"]?.array ?? []).compactMap(\.object) {
            guard let name = command["name"]?.string, !["help", "completion"].contains(name) else { continue }
            let own = names(command["options"])
            let ending = [("--null-input", ["-n"]), ("--retry", ["--retry=0"]), ("--timeout", ["--timeout=1"])]
                .flatMap { own.contains($0.0) ? $0.1 : [] }
            for option in command["options"]?.array?.compactMap(\.object) ?? [] {
                guard let long = option["name"]?.string, let number = option["arguments"]?.array?.count, number > 0
                else { continue }
                let operands = name == "call" ? ["http://127.0.0.1:9/x", "--anonymous"] : []
                runs.append(
                    ([name] + operands + [long] + Array(repeating: text, count: number) + ending, [:]))
            }
            runs += [([name, text], [:]), ([name], ["OAP_PROFILE": text])]
            let choices = command["operands"]?.array?.first?.object?["choices"]?.array?.compactMap(\.string) ?? []
            runs += choices.map { ([name, $0, text], [:]) }
        }
        let words = [
            "exchange", "-n", "--grant", "client_credentials", "--client-id", "c", "--token-endpoint",
            "http://127.0.0.1:9/t", "--retry", "0",
        ]
        runs += names(help["environment"]).flatMap { [(words, [$0: text]), (["token", "work"], [$0: text])] }
        #expect(runs.count > 150)
        let folder = try TemporaryDirectory()
        // Each with some of the secrets.
        for (index, (words, variables)) in runs.enumerated() where (index + place) % 8 == 0 || Extent.isAll {
            var program = Program.oap(words, input: Self.document.input, environment: variables)
            program.directory = folder.path
            check(try program.run(), of: secret, "\(words) \(variables)")
            // What was written there would be a file from then on.
            try FileManager.default.removeItem(atPath: folder.path)
            try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
        }
    }

    private static let members = [
        "client_secret", "client_key", "client_key_passphrase", "access_token", "refresh_token", "dpop_key",
    ]

    @Test(
        "a secret as the file of a secret, in a document, a variable or an option, is named by that and not shown",
        arguments: members)
    func files(member: String) throws {
        let member = member + "_file"
        for secret in Self.secrets + ["correct-horse-battery"] {
            var document = Self.document.with([member: .string(secret)])
            document["access_token"] = nil
            for command in [["exchange", "--grant", "client_credentials"], ["refresh"], ["revoke"]] {
                let result = try Program.oap(command, input: document.input).run()
                check(result, of: secret, "\(command) \(member)")
            }
        }
        let words = [
            "exchange", "-n", "--grant", "client_credentials", "--client-id", "c", "--token-endpoint",
            "http://127.0.0.1:9/t",
        ]
        guard member == "client_secret_file" else { return }
        for secret in Self.secrets + ["correct-horse-battery"] {
            let end = "is not the path of a file; its value is not shown, since it may be the secret"
            try Program.oap(words, environment: ["OAP_CLIENT_SECRET_FILE": secret]).run().expect(status: 11)
                .expect(errorLine: "oap: exchange: OAP_CLIENT_SECRET_FILE \(end) (OAP_CLIENT_SECRET)")
            try Program.oap(words + ["--client-secret-file", secret]).run().expect(status: 11)
                .expect(errorLine: "oap: exchange: --client-secret-file \(end) (OAP_CLIENT_SECRET)")
            let document = Self.document.with(["client_secret_file": .string(secret)])
            try Program.oap(["exchange", "--grant", "client_credentials"], input: document.input).run().expect(
                status: 11
            )
            .expect(errorLine: "oap: exchange: client_secret_file \(end) (client_secret)")
        }
        try Program.oap(words + ["--client-secret-file", "/run/secrets/nope"]).run().expect(status: 11)
            .expect(errorLine: "oap: exchange: cannot open /run/secrets/nope: no such file or directory")
    }

    @Test("a secret as a file is not shown with its slashes made single, nor when a profile or a token is stored")
    func spellings() throws {
        let words = ["exchange", "-n", "--grant", "client_credentials", "--client-id", "c", "--issuer", "https://a"]
        for secret in ["aB3+dk//29xKQz81/./mNcV0pLwE7uYt5rHs==", "//Zk9qR3dk29xKQz81mNcV0pLwE7uYt5rHs"] {
            let environment = ["OAP_CLIENT_KEY_FILE": secret, "OAP_TOKEN_ENDPOINT": "http://127.0.0.1:9/t"]
            let result = try Program.oap(words, environment: environment).run().expect(status: 11)
            #expect(result.errorText.contains("OAP_CLIENT_KEY_FILE is not the path of a file"), "\(result)")
        }
        for secret in Self.secrets {
            let document = Self.document.with(["client_key_file": .string(secret)])
            check(try Program.oap(["profile", "set", "p"], input: document.input).run(), of: secret, "profile set")
            check(try Program.oap(["store", "put", "p"], input: document.input).run(), of: secret, "store put")
        }
    }

    @Test("a path that is missing in the current folder is shown, if it was given from the root")
    func shown() throws {
        let folder = try TemporaryDirectory()
        let path = folder.path("client-secret")
        var program = Program.oap(
            ["exchange", "--grant", "client_credentials", "--client-secret-file", path], input: Self.document.input)
        program.directory = folder.path
        try program.run().expect(status: 11)
            .expect(errorLine: "oap: exchange: cannot open \(path): no such file or directory")
        let client = Self.document.with(["client_secret_file": .string(path)])
        program = Program.oap(["exchange", "--grant", "client_credentials"], input: client.input)
        program.directory = folder.path
        try program.run().expect(status: 11)
            .expect(errorLine: "oap: exchange: cannot open \(path): no such file or directory")
    }

    @Test("a name of 20 characters that nothing is stored under is cut, also in the hint")
    func names() throws {
        let name = "production-deployment-token"
        for words in [
            ["token", name], ["logout", name], ["call", "-p", name, "/x"], ["profile", "show", name],
            ["store", "delete", name],
        ] {
            let result = try Program.oap(words).run()
            #expect(result.errorText.contains("produc***") && !result.errorText.contains("deployment"), "\(result)")
        }
        let short = try Program.oap(["token", "work"]).run().expect(status: 8)
        #expect(short.errorText.contains("no token is stored as work"))
    }

    @Test(
        "a PEM without its line ends is read wherever a key is, and else nothing of it is shown",
        arguments: [" ", #"\n"#, ""])
    func keys(end: String) throws {
        let folder = try TemporaryDirectory()
        let made = Program(
            path: "/usr/bin/openssl", arguments: ["genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048"])
        let pem = try made.run().expect(status: 0).text
        let part = String(pem.split(separator: "\n")[5])
        let text = pem.split(separator: "\n").joined(separator: end)
        try folder.write(text, to: "key.pem")
        let file = folder.path("key.pem")
        let client: JSONObject = [
            "client_id": "c", "issuer": "https://as.example", "token_endpoint": "http://127.0.0.1:9/t",
            "grant_type": "client_credentials",
        ]
        let jwk = try Program.oap(["jwk", "thumbprint", file]).run().expect(status: 0).text
        #expect(try Program.oap(["jwk", "thumbprint"], input: .text(pem)).run().expect(status: 0).text == jwk)
        try Program.oap(["jwt", "-n", "--client-key-file", file]).run().expect(status: 0)
        try Program.oap(["jwt", "-n"], environment: ["OAP_CLIENT_KEY": text]).run().expect(status: 0)
        for (words, variables, members) in [
            (["exchange", "--client-key-file", file, "-vv"], [:], [:]),
            (["exchange", "-vv"], ["OAP_CLIENT_KEY": text], [:]),
            (["exchange", "-vv"], [:], ["client_key": .string(text)]),
            (["exchange", "-vv", "--dry-run"], [:], ["dpop_key": .string(text)]),
            (["exchange", "-vv"], [:], ["client_key_file": .string(text)]),
            (["exchange", "--key", text, "--dry-run"], [:], [:]),
            (["exchange", "--client-key-file", text], [:], [:]), (["profile", "set", text], [:], [:]),
            (["jwk", "public", text], [:], [:]),
            (["exchange", "--cacert", text], [:], [:]), (["exchange", "-vv", "--client-secret-file", file], [:], [:]),
            ([text], [:], [:]),
            (["exchange", "-vv"], [:], ["client_secret": .string(text)]),
            (["exchange"], ["OAP_STORE_KEY_FILE": text], [:]),
        ] as [([String], [String: String], JSONObject)] {
            let words = words == ["exchange"] ? ["token", "work"] : words
            let result = try Program.oap(words, input: client.with(members).input, environment: variables).run()
            #expect(!(result.errorText + result.text).contains(part), "\(words.map { $0.prefix(20) }): \(result)")
        }
    }
}
