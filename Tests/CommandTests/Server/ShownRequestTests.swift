import Foundation
import TestSupport
import Testing
import Wire

@testable import CommandSupport

/// What `-vv`, `--har` and `--dry-run` show. Every secret of these tests begins with `s3cret`.
@Suite("What is shown of requests and responses, as a process")
struct ShownRequestTests {
    /// For each command with the options of the transport, a command line that sends something.
    private static let commands: [String: [String]] = [
        "login": ["login", "person", "--open"], "token": ["token", "work"],
        "call": ["call", "-p", "work", "/x?token=s3cret-q"],
        "run": ["run", "work", "--", "true"],
        "proxy": ["proxy", "work", "--", "sh", "-c", "curl -sS $OAP_PROXY_URL"],
        "credential": ["credential", "kubectl", "get", "-p", "work"],
        "whoami": ["whoami", "work"], "userinfo": ["userinfo", "work"], "logout": ["logout", "work"],
        "authurl": ["authurl", "--par"], "ciba": ["ciba", "--login-hint", "ada"], "device": ["device"],
        "exchange": ["exchange"], "refresh": ["refresh"],
        "verify": ["verify"], "introspect": ["introspect"], "revoke": ["revoke"], "end-session": ["end-session"],
        "discover": ["discover", "URL"], "register": ["register"], "ci-token": ["ci-token", "--from", "github"],
    ]

    /// Those that send more than one request and therefore have no `--dry-run`.
    private static let ofManyRequests = [
        "credential", "end-session", "login", "logout", "proxy", "run", "verify", "whoami",
    ]
    private static let ofTransport = commands.keys.sorted()
    private static let withDryRun = ofTransport.filter { !ofManyRequests.contains($0) }

    @Test("every command that talks to a server is in this suite")
    func complete() throws {
        let help = try Program.oap(["help", "--json"]).run().expect(status: 0).object()
        func commands(with option: String) -> [String] {
            (help["commands"]?.array ?? []).compactMap(\.object).filter { command in
                command["options"]?.array?.contains { $0.object?["name"]?.string == option } == true
            }.compactMap { $0["name"]?.string }.sorted()
        }
        #expect(commands(with: "--verbose") == Self.ofTransport)
        #expect(commands(with: "--dry-run") == Self.withDryRun)
    }

    @Test("no secret of a run is in what -vv shows, nor in the archive of --har", arguments: ofTransport)
    func masked(command: String) throws {
        let scene = try ShownScene()
        let archive = scene.home.path("all.har")
        let words = try #require(Self.commands[command])
        let end = words.firstIndex(of: "--") ?? words.count
        let result = try scene.oap(words[..<end] + ["-vv", "--har", archive] + words[end...]).run()
        #expect(!result.errorText.contains("s3cret"), "\(result)")
        #expect(result.errorText.contains("\n> ") && result.errorText.contains("\n< "), "\(result)")
        let bytes = try Data(contentsOf: URL(fileURLWithPath: archive))
        #expect(!String(decoding: bytes, as: UTF8.self).contains("s3cret"), "\(String(decoding: bytes, as: UTF8.self))")
        #expect(try FileManager.default.attributesOfItem(atPath: archive)[.posixPermissions] as? Int == 0o600)
        let log = try #require(JSON(parsing: Array(bytes)).object?["log"]?.object)
        let entries = try #require(log["entries"]?.array)
        // The browser of a login is curl.
        let requests = scene.server.requests.filter { !$0.target.hasPrefix("/authorize") }
        #expect(log["version"] == "1.2" && entries.count == requests.count && !entries.isEmpty, "\(result)")
        for (entry, request) in zip(entries, requests) {
            let sent = try #require(entry.object?["request"]?.object)
            #expect(sent["method"]?.string == request.method)
            #expect((sent["postData"] != nil) == !request.body.isEmpty)
            let names = sent["headers"]?.array?.compactMap { $0.object?["name"]?.string }
            #expect(names == request.headers.map(\.name), "\(command)")
        }
    }

    @Test("--dry-run prints a request without a secret, sends nothing and keeps nothing", arguments: withDryRun)
    func dryRun(command: String) throws {
        let scene = try ShownScene()
        let before = try scene.files()
        let words = try #require(Self.commands[command])
        let result = try scene.oap(words + ["--dry-run"]).run().expect(status: 0).expect(nowhere: "s3cret")
        #expect(result.text.hasPrefix("curl ") && result.text.hasSuffix("\n"), "\(result)")
        #expect(scene.server.connectionCount == 0)
        #expect(try scene.files() == before)
    }

    @Test("a command of several requests refuses --dry-run, and says what shows them", arguments: ofManyRequests)
    func noDryRun(command: String) throws {
        let words = try #require(Self.commands[command]).prefix { $0 != "--" }
        let result = try ShownScene().oap(words + ["--dry-run"]).run().expect(status: 2)
        #expect(result.errorText.contains("no option --dry-run") && result.errorText.contains("-vv"), "\(result)")
    }

    @Test(
        "the line of --dry-run, with its variables set, makes curl send the same request",
        arguments: [
            ["exchange"], ["refresh"], ["token", "work"], ["refresh", "-p", "work"],
            ["revoke", "--token-type-hint", "refresh_token"], ["introspect"],
            ["device"], ["authurl", "--par", "--no-pkce"], ["exchange", "--grant", "client_credentials"],
            ["exchange", "--token-endpoint-auth-method", "client_secret_post"],
        ])
    func runnable(words: [String]) throws {
        let scene = try ShownScene()
        let dry = try scene.oap(words + ["--dry-run"]).run().expect(status: 0)
        try Program.shell(
            dry.text, shell: "/bin/sh",
            environment: [
                "OAP_SECRET_CLIENT_SECRET": "s3cret-client", "OAP_SECRET_CODE": "s3cret-code",
                "OAP_SECRET_CODE_VERIFIER": ShownScene.verifier, "OAP_SECRET_REFRESH_TOKEN": "s3cret-refresh",
                "OAP_SECRET_TOKEN": words.first == "revoke" ? "s3cret-refresh" : "s3cret-access",
            ]
        ).run().expect(status: 0)
        _ = try scene.oap(words).run()
        let requests = scene.server.requests.prefix(2)
        try #require(requests.count == 2, "\(dry)")
        func essence(_ request: Responder.Request) throws -> [String] {
            let fields = request.headers.filter { !["User-Agent", "Accept-Encoding", "Accept"].contains($0.name) }
            // A state and a nonce are new each time.
            let form = try FormEncoding.parse(request.bodyText).map { "\($0.name)=\($0.value)" }
                .filter { !$0.hasPrefix("state=") && !$0.hasPrefix("nonce=") }
            return [request.method, request.target] + form
                + fields.map { "\($0.name): \($0.value)" }.sorted()
                .filter { words.first != "authurl" || !$0.hasPrefix("Content-Length") }
        }
        #expect(try essence(requests[0]) == essence(requests[1]), "\(dry)")
    }
}
