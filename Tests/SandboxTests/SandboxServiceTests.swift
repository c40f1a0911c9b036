import Foundation
import TestSupport
import Testing
import Wire

@Suite("oap-sandbox as a service") struct SandboxServiceTests {
    /// A certificate for loopback and its key, and another key.
    private static func certificate(in folder: borrowing TemporaryDirectory) throws -> (file: String, key: String) {
        let (file, key) = (folder.path("cert.pem"), folder.path("key.pem"))
        try Program.shell(
            """
            openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=localhost \
                -addext subjectAltName=IP:127.0.0.1,DNS:localhost -keyout '\(key)' -out '\(file)' 2> /dev/null
            openssl genpkey -algorithm ed25519 -out '\(key).other'
            """
        ).run().expect(status: 0)
        return (file, key)
    }

    @Test("the log has a line for each request, in its file and on standard error, without secrets")
    func log() throws {
        let folder = try TemporaryDirectory()
        let file = folder.path("log.ndjson")
        let result = try Program.runBesideSandbox(
            options: ["--log", file, "-v"],
            """
            oap exchange -n --grant client_credentials > token.json || exit 1
            oap exchange -n --grant client_credentials --scope nothing > /dev/null 2>&1
            oap call /user --jq .login -r < token.json
            rm token.json
            """)
        #expect(result.expect(status: 0).text == "ada\n")
        let text = try folder.read("log.ndjson")
        let lines = try text.split(separator: "\n").map { try #require(JSON(parsing: String($0)).object) }
        #expect(lines.map { $0["path"]?.string } == ["/token", "/token", "/user"])
        #expect(lines.map { $0["error"]?.string } == [nil, "invalid_scope", nil])
        #expect(lines.allSatisfy { $0["client"] == .string("sandbox") })
        #expect(result.errorText.hasSuffix(text))
        #expect(!text.contains("sandbox-secret") && !text.contains("access_"))
        #expect(try Program.shell("stat -c %a '\(file)'").run().text == "600\n")
    }

    @Test("a log that cannot be written is warned of once, and - is no file for it")
    func brokenLog() throws {
        let result = try Program.runBesideSandbox(
            options: ["--log", "/dev/full"],
            "for i in 1 2 3; do oap exchange -n --grant client_credentials --jq .token_type -r; done")
        #expect(result.expect(status: 0).text == "Bearer\nBearer\nBearer\n")
        let warning = "oap-sandbox: warning: the log /dev/full is not complete: no space left on device\n"
        #expect(result.errorText.hasSuffix(warning))
        #expect(result.errorText.components(separatedBy: "warning").count == 2)
        let dash = try Program.sandbox(["--log", "-"]).run().expect(status: 2)
        #expect(dash.errorText.hasSuffix("hint: to print the log on standard error, use -v\n"))
    }

    @Test("over TLS every URL is https, and a whole login goes through it")
    func secure() throws {
        let folder = try TemporaryDirectory()
        let (file, key) = try Self.certificate(in: folder)
        let result = try Program.sandbox(
            [
                "--tls-certificate-file", file, "--tls-key-file", key, "--run", "/bin/bash", "-c",
                """
                echo "${OAP_ISSUER%:*}"
                oap login work --open < "$OAP_SANDBOX_FILE" 2> /dev/null
                oap call -p work /user --jq .login -r
                """,
            ], environment: ["SSL_CERT_FILE": file]
        ).run().expect(status: 0)
        #expect(result.text == "https://127.0.0.1\nada\n")
    }

    @Test("a certificate that lacks the host of the issuer is warned of at the start, with the name to put into it")
    func certificateNames() throws {
        let folder = try TemporaryDirectory()
        let (file, key) = try Self.certificate(in: folder)
        try Program.shell(
            """
            openssl req -x509 -key '\(key)' -days 2 -subj /CN=as.example -addext subjectAltName=DNS:other.example \
                -out '\(file).other' 2> /dev/null
            """
        ).run().expect(status: 0)
        let cases = [
            (file, nil, nil), (file, "https://localhost", nil), (file, "http://as.example", nil),
            (file, "https://as.example/x", "DNS:as.example"), (file + ".other", "https://as.example", "DNS:as.example"),
            (file, "https://[::1]", "IP:::1"), (file + ".other", nil, "IP:127.0.0.1"),
        ]
        for (file, issuer, name) in cases {
            let options = ["--tls-certificate-file", file, "--tls-key-file", key]
            let all = options + (issuer.map { ["--issuer", $0] } ?? []) + ["--run", "true"]
            let text = try Program.sandbox(all).run().expect(status: 0).errorText
            #expect(text.contains("warning: the certificate does not name") == (name != nil), "\(text)")
            let hint = "oap-sandbox: hint: make a certificate with subjectAltName=\(name ?? "")"
            #expect(text.contains("\(hint)\n") == (name != nil), "\(text)")
        }
    }

    @Test("an issuer of one's own is in every URL, and requests come with its host and path")
    func issuer() throws {
        let result = try Program.shell(
            """
            port=$(oap authurl -n --client-id c --authorization-endpoint https://as.example/ --jq .redirect_uri -r |
                sed 's/.*:\\([0-9]*\\).*/\\1/')
            export port
            oap-sandbox --port "$port" --issuer https://as.example/tenant/ --run bash -c '
                echo "$OAP_ISSUER $OAP_TOKEN_ENDPOINT"
                for host in as.example as.example:443 127.0.0.1:$port evil.example; do
                    curl -s -o /dev/null -w "%{http_code} " -H "Host: $host" "http://127.0.0.1:$port/tenant/jwks"
                done'
            """
        ).run().expect(status: 0)
        #expect(result.text == "https://as.example/tenant https://as.example/tenant/token\n200 200 200 400 ")
        #expect(result.errorText.contains("it listens on http://127.0.0.1:"))
    }

    @Test(
        "a file that cannot be used is named with the reason, and nothing is started",
        arguments: [
            ("--user", "[]", "it is JSON, but not an object"), ("--user", "{\"name\":\"x\"}", "must have a sub"),
            ("--user", "{\"sub\":", "at line 1, column 8"),
            ("--user", "{\"sub\":\"1\",\"sub\":\"2\"}", "at line 1, column "),
            ("--client", "{\"client_id\":5}", "client_id is not a string"),
            ("--client", "{\"client_id\":\"x\",\"client_secret\":5}", "client_secret is not a string"),
            ("--client", "{}", "client_id is missing"),
            ("--client", "{\"client_id\":\"sandbox\"}", "a client sandbox exists already"),
            ("--client", "{\"client_id\":\"x\"}", "needs redirect_uris"),
            ("--client", "{\"client_id\":\"x\",\"redirect_uris\":[\"/x\"]}", "not absolute"),
        ])
    func brokenFile(option: String, content: String, reason: String) throws {
        let folder = try TemporaryDirectory()
        let path = try folder.write(content, to: "file.json")
        let result = try Program.sandbox([option, path]).run().expect(status: 11)
        #expect(result.output.isEmpty && result.errorText.contains("cannot use \(path): "))
        #expect(result.errorText.contains(reason), "\(result.errorText)")
        let missing = try Program.sandbox([option, path + ".missing"]).run().expect(status: 11)
        #expect(missing.errorText.contains("cannot read \(path).missing: "))
    }

    @Test("two users with one sub are refused")
    func sameUser() throws {
        let folder = try TemporaryDirectory()
        let path = try folder.write(#"{"sub":"7"}"#, to: "user.json")
        let result = try Program.sandbox(["--user", path, "--user", path]).run().expect(status: 11)
        #expect(result.errorText.contains("cannot use \(path): another user has the same sub"), "\(result)")
    }

    @Test("a certificate without its key, with another key, or that is none, is refused; so is a log in no folder")
    func brokenCertificate() throws {
        let folder = try TemporaryDirectory()
        let (file, key) = try Self.certificate(in: folder)
        _ = try Program.sandbox(["--tls-certificate-file", file]).run().expect(status: 2)
        let reasons = [
            (file, key + ".missing", "cannot read"), (key, file, "the certificate file has no certificate in PEM"),
            (file, file, "the key file has no private key in PEM"),
            (file, key + ".other", "the key does not belong to the certificate"),
        ]
        for (file, key, reason) in reasons {
            let result = try Program.sandbox(["--tls-certificate-file", file, "--tls-key-file", key]).run()
            #expect(result.expect(status: 11).errorText.contains(reason), "\(result.errorText)")
        }
        let log = try Program.sandbox(["--log", folder.path("none/log")]).run().expect(status: 11)
        #expect(log.errorText.contains("cannot write to"))
    }

    @Test("the log is no pipe without a reader, and no file or link of another user where others can write")
    func foreignLog() throws {
        let folder = try TemporaryDirectory()
        #expect(mkfifo(folder.path("pipe"), 0o600) == 0)
        let unread = try Program.sandbox(["--log", folder.path("pipe")]).run().expect(status: 11)
        #expect(unread.errorText.contains("cannot write to \(folder.path("pipe"))"), "\(unread)")
        guard geteuid() == 0 else { return }
        try FileManager.default.createDirectory(atPath: folder.path("all"), withIntermediateDirectories: false)
        chmod(folder.path("all"), 0o1777)
        symlink(folder.path("new"), folder.path("all/link"))
        lchown(folder.path("all/link"), 12_345, 12_345)
        try folder.write("", to: "all/log")
        chmod(folder.path("all/log"), 0o666)
        chown(folder.path("all/log"), 12_345, 12_345)
        for name in ["all/link", "all/log"] {
            let result = try Program.sandbox(["--log", folder.path(name)]).run().expect(status: 11)
            #expect(result.errorText.contains("it belongs to another user"), "\(result)")
        }
        #expect(!folder.contains("new"))
    }

    @Test("two sandboxes run at once, and neither takes the tokens of the other")
    func two() throws {
        let inner = "oap call /user --api-base \"$OAP_API_BASE\" --jq .login -r < \"$TOKEN\" 2> /dev/null; echo $?"
        let result = try Program.runBesideSandbox(
            """
            export TOKEN=$HOME/token.json
            oap exchange -n --grant client_credentials > "$TOKEN"
            oap-sandbox --run bash -c '\(inner)' 2> /dev/null
            oap call /user --jq .login -r < "$TOKEN"
            """)
        #expect(result.expect(status: 0).text == "7\nada\n")
    }
}
