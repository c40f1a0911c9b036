import Foundation
import TestSupport
import Testing

/// Programs and libraries of others against the sandbox, as far as possible with their defaults, and each in the way in
/// which it logs in by itself. `Tests/run.sh --with-clients` installs them.
@Suite("Clients of others log in at the sandbox") struct StrangerTests {
    /// A client: its script in `Clients`, and what the sandbox must be asked for.
    struct Client: Sendable, CustomTestStringConvertible {
        let script: String
        var options: [String] = []
        /// The program that must be there besides Python or bash.
        var program: String?
        /// How many lines it prints.
        let count: Int

        var testDescription: String { script }
    }

    /// Older clients have no PKCE, and expect ID tokens with RS256.
    private static let older = ["--pkce-optional", "--id-token-alg", "RS256"]

    private static let clients = [
        Client(script: "authlib_login.py", options: ["--pkce-optional"], count: 2),
        Client(script: "browser_fetch.py", program: "chromium", count: 2),
        Client(script: "cli_oauth_login.go", options: ["--interval", "1"], program: "go", count: 1),
        Client(script: "cron_job.sh", program: "cron", count: 1),
        Client(script: "django_login.py", options: older, count: 2),
        Client(script: "dovecot_login.py", program: "dovecot", count: 4),
        Client(script: "flask_login.py", options: ["--pkce-optional"], count: 2),
        Client(script: "go_oauth2_login.go", options: ["--pkce-optional"], program: "go", count: 4),
        Client(script: "go_oidc_login.go", options: older, program: "go", count: 1),
        Client(script: "google_login.py", options: ["--redirect-uri", "http://localhost/"], count: 2),
        Client(script: "httpx_oauth_login.py", options: ["--pkce-optional"], count: 2),
        Client(script: "idpyoidc_keys.py", count: 4),
        Client(script: "idpyoidc_login.py", count: 2),
        Client(script: "imap_fetch.py", program: "mbsync", count: 10),
        Client(script: "mcp_login.py", count: 2),
        Client(script: "mod_auth_openidc_keys.sh", program: "apache2", count: 3),
        Client(script: "mod_auth_openidc_login.sh", program: "apache2", count: 2),
        Client(script: "msmtp_send.py", program: "msmtp", count: 2),
        Client(script: "net_oauth2_login.pl", options: ["--pkce-optional"], program: "perl", count: 2),
        Client(script: "nginx_auth_request.py", program: "nginx", count: 3),
        Client(script: "oidc-agent_login.sh", program: "oidc-agent", count: 2),
        Client(script: "proxy_sdks.py", count: 6),
        Client(script: "pyoidc_login.py", count: 3),
        Client(
            script: "rclone_login.sh", options: ["--pkce-optional", "--redirect-uri", "http://127.0.0.1:53682/"],
            program: "rclone", count: 1),
        Client(script: "requests_oauth2client_details.py", count: 9),
        Client(script: "requests_oauth2client_login.py", options: ["--id-token-alg", "RS256"], count: 7),
        Client(script: "requests_oauth2client_object.py", count: 4),
        Client(script: "ruby_oauth2_login.rb", options: ["--pkce-optional"], program: "ruby", count: 3),
        Client(script: "ruby_openid_connect_login.rb", options: ["--pkce-optional"], program: "ruby", count: 3),
    ]

    private static let folder = "\(Fixture.project)/Tests/ClientTests/Clients"
    private static let python: String = {
        let cache = ProcessInfo.processInfo.environment["XDG_CACHE_HOME"] ?? NSHomeDirectory() + "/.cache"
        return cache + "/oap-tests/strangers/bin/python"
    }()

    /// The words that run a script.
    private static func command(_ script: String) throws -> [String] {
        switch script.split(separator: ".").last {
        case "py":
            try #require(
                FileManager.default.isExecutableFile(atPath: python),
                "\(python) is missing: Tests/run.sh --with-clients")
            return [python, "-B", "\(folder)/\(script)"]
        case "pl": return ["perl", "\(folder)/\(script)"]
        case "rb": return ["ruby", "\(folder)/\(script)"]
        case "go": return ["go", "run", "\(folder)/\(script)"]
        default: return ["/bin/bash", "\(folder)/\(script)"]
        }
    }

    @Test("a client of others goes through the login that it makes by itself", arguments: clients)
    func login(client: Client) throws {
        if let program = client.program {
            let found = try Program.shell("command -v \(program)").run()
            try #require(found.text != "", "\(program) is missing: Tests/run.sh --with-clients")
        }
        let result = try Self.run(client.options, try Self.command(client.script))
        #expect(result.text.split(separator: "\n").filter { $0.hasPrefix("ok: ") }.count == client.count)
    }

    @Test("MSAL logs in at an issuer with TLS and a path, the only kind that it takes")
    func msal() throws {
        let files = try TemporaryDirectory()
        let (certificate, key) = try Self.certificate(in: files)
        let made = try Program(
            path: Self.python,
            arguments: ["-c", "import socket; print(socket.create_server(('127.0.0.1', 0)).getsockname()[1])"]
        ).run().expect(status: 0)
        let port = made.text.split(separator: "\n").joined()
        let options = [
            "--tls-certificate-file", certificate, "--tls-key-file", key, "--port", port, "--issuer",
            "https://127.0.0.1:\(port)/tenant",
        ]
        let result = try Self.run(
            options, try Self.command("msal_login.py"),
            environment: ["SSL_CERT_FILE": certificate, "REQUESTS_CA_BUNDLE": certificate])
        #expect(result.text.split(separator: "\n").count == 2, "\(result.text)")
    }

    @Test("restic backs up through rclone to Apache, which asks the sandbox over TLS whose token it gets")
    func restic() throws {
        let files = try TemporaryDirectory()
        let (certificate, key) = try Self.certificate(in: files)
        let result = try Self.run(
            ["--tls-certificate-file", certificate, "--tls-key-file", key], try Self.command("restic_backup.sh"),
            environment: ["SSL_CERT_FILE": certificate])
        #expect(result.text.split(separator: "\n").filter { $0.hasPrefix("ok: ") }.count == 2, "\(result.text)")
    }

    @Test("requests_oauth2client and Authlib get and use tokens that are bound to a client certificate")
    func certificates() throws {
        let files = try TemporaryDirectory()
        let machine = """
            {"client_id": "machine", "token_endpoint_auth_method": "tls_client_auth",
             "tls_client_auth_subject_dn": "CN=machine", "grant_types": ["client_credentials"],
             "tls_client_certificate_bound_access_tokens": true}
            """
        _ = try files.write(machine, to: "machine.json")
        let (certificate, key) = try Self.certificate(in: files)
        try Program.shell(
            """
            cd '\(files.path)'
            new="openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2"
            {
                $new -x509 -subj /CN=authority -keyout ca.key -out ca.pem
                $new -subj /CN=machine -keyout client.key -out client.csr
                openssl x509 -req -in client.csr -CA ca.pem -CAkey ca.key -days 2 -out client.pem
            } 2> /dev/null
            """
        ).run().expect(status: 0)
        let options = [
            "--tls-certificate-file", certificate, "--tls-key-file", key,
            "--mtls-port", "0", "--mtls-ca-file", files.path("ca.pem"), "--client", files.path("machine.json"),
        ]
        let result = try Self.run(
            options, try Self.command("mtls_login.py"), in: files.path,
            environment: ["REQUESTS_CA_BUNDLE": certificate])
        #expect(result.text.split(separator: "\n").count == 5, "\(result.text)")
    }

    /// Makes a certificate for 127.0.0.1, and its key.
    private static func certificate(
        in files: borrowing TemporaryDirectory
    ) throws -> (file: String, key: String) {
        let (file, key) = (files.path("cert.pem"), files.path("key.pem"))
        try Program.shell(
            """
            openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=localhost \
                -addext subjectAltName=IP:127.0.0.1 -keyout '\(key)' -out '\(file)' 2> /dev/null
            """
        ).run().expect(status: 0)
        return (file, key)
    }

    /// Runs a client beside a sandbox; the log of the sandbox tells what it asked for when it fails.
    private static func run(
        _ options: [String], _ command: [String], in directory: String? = nil, environment: [String: String] = [:]
    ) throws -> ProgramResult {
        var variables = ["GO111MODULE": "off", "GOPATH": "/usr/share/gocode"]
        variables.merge(environment) { $1 }
        var sandbox = Program.sandbox(["-v"] + options + ["--run"] + command, environment: variables)
        // Some write their keys into the folder that they start in.
        let folder = try TemporaryDirectory()
        sandbox.directory = directory ?? folder.path
        sandbox.deadline = .seconds(180)
        return try sandbox.run().expect(status: 0)
    }
}
