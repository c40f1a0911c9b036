import Foundation
import TestSupport
import Testing
import Wire

@testable import CommandSupport

/// What `-vv`, `--har` and `--dry-run` show. Every secret of these tests begins with `s3cret`.
@Suite("What is shown of requests and responses")
struct ShownRequestTests {
    /// For each command with the options of the transport, a command line that sends something.
    private static let commands: [String: [String]] = [
        "login": ["login", "person", "--open"], "token": ["token", "work"],
        "call": ["call", "-p", "work", "/x?token=s3cret-q"],
        "run": ["run", "work", "--", "true"], "credential": ["credential", "kubectl", "get", "-p", "work"],
        "whoami": ["whoami", "work"], "userinfo": ["userinfo", "work"], "logout": ["logout", "work"],
        "authurl": ["authurl", "--par"], "ciba": ["ciba", "--login-hint", "ada"], "device": ["device"],
        "exchange": ["exchange"], "refresh": ["refresh"],
        "verify": ["verify"], "introspect": ["introspect"], "revoke": ["revoke"], "end-session": ["end-session"],
        "discover": ["discover", "URL"], "register": ["register"],
    ]

    /// Those that send more than one request and therefore have no `--dry-run`.
    private static let ofManyRequests = [
        "credential", "end-session", "login", "logout", "run", "verify", "whoami",
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

    @Test("revoke --dry-run prints each of its requests")
    func each() throws {
        let scene = try ShownScene()
        let lines = try scene.oap(["revoke", "--dry-run"]).run().expect(status: 0).text.split(separator: "\n")
        #expect(lines.map { $0.hasPrefix("curl ") } == [true, true], "\(lines)")
        #expect(lines[0].contains("refresh_token") && lines[1].contains("access_token"), "\(lines)")
    }

    @Test("--dry-run leaves the file of -o alone, and shows the search for an endpoint that is missing")
    func special() throws {
        let scene = try ShownScene()
        let file = try scene.home.write("kept", to: "token.json")
        try scene.oap(["refresh", "-o", file, "--dry-run"]).run().expect(status: 0).expect(nowhere: "s3cret")
        #expect(try scene.home.read("token.json") == "kept")
        let issuer = scene.server.url()
        let document: JSONObject = ["client_id": "c", "issuer": .string(issuer), "refresh_token": "s3cret-refresh"]
        let search = try scene.oap(["refresh", "--dry-run"], document).run().expect(status: 0)
        #expect(
            search.text
                == "curl -H 'Accept: application/json' --path-as-is \(issuer)/.well-known/openid-configuration\n")
        search.expect(
            errorLine: "oap: refresh: the token_endpoint is missing; looking for it in the metadata of \(issuer)")
        #expect(scene.server.connectionCount == 0)
    }

    @Test("--dry-run shows the certificates and the proxy of the options, whose password is a secret")
    func ways() throws {
        let options = ["--cert", "c.pem", "--key", "it's a key", "--proxy", "http://me:s3cret-proxy@p.example"]
        let result = try ShownScene().oap(["refresh", "--dry-run"] + options).run().expect(status: 0)
        result.expect(nowhere: "s3cret")
        #expect(
            result.text.hasSuffix(#"/token --cert c.pem --key 'it'\''s a key' --proxy 'http://***@p.example'"# + "\n"),
            "\(result)")
    }

    @Test("-vv shows bodies with their names, and only says how long a binary one is")
    func bodies() throws {
        let scene = try ShownScene()
        let result = try scene.oap(["refresh", "-vv"]).run().expect(status: 0)
        result.expect(errorLine: "} grant_type=refresh_token&refresh_token=***")
        #expect(result.errorText.contains(#"{ {"access_token":"***","token_type":"Bearer""#), "\(result)")
        let file = try scene.home.write("line 1\nline 2", to: "file")
        let peer = try Responder { _ in .text("ok") }
        let upload = try Program.oap(["call", "/x", "-T", file, "-vv"], input: peer.token.input).run().expect(status: 0)
        let lines = upload.errorText.split(separator: "\n").filter { !$0.hasPrefix("*") }
        let sent = try #require(lines.firstIndex(of: "} line 1"))
        #expect(lines[sent - 1] == ">" && lines[sent + 1] == "} line 2" && lines[sent + 2].hasPrefix("< HTTP/1.1 200"))
        #expect(lines.last == "{ ok")
        let binary = try Responder(.content([0, 1, 2, 255], type: "application/octet-stream"))
        let call = try Program.oap(["call", "/x", "-vv", "-o", "/dev/null"], input: binary.token.input).run()
        call.expect(status: 0).expect(errorLine: "{ [4 bytes of binary data]")
    }

    @Test("the archive has what failed too, replaces an older one, and must be a regular file")
    func archive() throws {
        let scene = try ShownScene()
        let file = try scene.home.write("older", to: "x.har")
        let stopped = try Responder { _ in .text("") }
        let address = stopped.url("/token")
        stopped.stop()
        try scene.oap(["exchange", "--token-endpoint", address, "--har", file]).run().expect(status: 6)
        let entries = try #require(
            JSON(parsing: Array(Data(contentsOf: URL(fileURLWithPath: file)))).object?["log"]?.object?["entries"]?.array
        )
        let entry = try #require(entries.first?.object)
        #expect(entry["response"]?.object?["status"] == 0 && entry["comment"]?.string?.isEmpty == false)
        #expect(entry["request"]?.object?["url"]?.string == address)
        for path in [scene.home.path, scene.home.path("missing/x.har"), "/dev/null", ""] {
            let result = try scene.oap(["exchange", "--har", path]).run()
            #expect([.status(11), .status(2)].contains(result.ending), "\(result)")
        }
        #expect(scene.server.connectionCount == 0)
    }
}

/// A home with a client, a login that has expired, and a server that repeats what it is sent.
private struct ShownScene {
    static let verifier = "s3cret-verifier-verifier-verifier-verifier-verifier"
    let home: TemporaryDirectory
    let server: Responder

    init() throws {
        home = try TemporaryDirectory()
        server = try Responder { Self.reply(to: $0) }
        try home.write(
            JSON.object(document.with(["redirect_uri": "http://127.0.0.1:0/callback"])).text,
            to: ".config/oap/profiles/person.json")
        var put = oap(["store", "put", "work"])
        put.input = document.with(["expires_at": 1]).input
        try put.run().expect(status: 0)
    }

    /// A client, a flow and a token in one.
    private var document: JSONObject {
        var document: JSONObject = [
            "client_id": "c", "client_secret": "s3cret-client", "scope": "a", "issuer": .string(server.url()),
            "redirect_uri": "http://127.0.0.1/callback", "code": "s3cret-code", "code_verifier": .string(Self.verifier),
            "access_token": "s3cret-access", "token_type": "Bearer", "refresh_token": "s3cret-refresh",
            "initial_access_token": "s3cret-initial", "api_base": .string(server.url("/api")),
            "id_token": "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJzM2NyZXQifQ.s3cretAA",
        ]
        let endpoints = [
            "token", "device_authorization", "pushed_authorization_request", "revocation", "authorization", "userinfo",
            "introspection", "registration",
        ]
        for name in endpoints { document["\(name)_endpoint"] = .string(server.url("/\(name)")) }
        document["authorization_endpoint"] = .string(server.url("/authorize"))
        return document
    }

    func oap(_ words: some Sequence<String>, _ other: JSONObject? = nil) -> Program {
        let words = words.map { $0 == "URL" ? server.url() : $0 }
        var program = Program.oap(words, environment: ["HOME": home.path, "BROWSER": LoginHome.browser])
        let takesDocument = [
            "authurl", "ciba", "device", "exchange", "refresh", "verify", "introspect", "revoke", "end-session",
            "register",
        ].contains(words[0])
        if takesDocument, !words.contains("-p") { program.input = (other ?? document).input }
        return program
    }

    /// The files of the home, and what is in them.
    func files() throws -> [String: Data] {
        let paths = FileManager.default.enumerator(atPath: home.path)?.compactMap { $0 as? String } ?? []
        return paths.reduce(into: [:]) { $0[$1] = FileManager.default.contents(atPath: home.path($1)) ?? Data() }
    }

    private static func reply(to request: Responder.Request) -> Responder.Reply {
        let host = request.headers.first { $0.name == "Host" }?.value ?? ""
        let echo = ["X-Echo: s3cret-refresh", "Set-Cookie: sid=s3cret-cookie"]
        switch request.target.prefix(while: { $0 != "?" }) {
        case "/authorize": return LoginHome.consent(to: request, with: "code=s3cret-code")
        case "/token":
            return .json(
                #"{"access_token":"s3cret-new","token_type":"Bearer","expires_in":3600,"refresh_token":"s3cret-next","#
                    + #""note":"s3cret-new, s3cret-next"}"#, headers: echo)
        case "/device_authorization":
            return .json(
                #"{"device_code":"s3cret-device","user_code":"AB-CD","verification_uri":"https://as.example/d","#
                    + #""expires_in":60,"interval":1}"#, headers: echo)
        case "/pushed_authorization_request":
            return .json(#"{"request_uri":"urn:x","expires_in":60}"#, status: 201, headers: echo)
        case "/introspection": return .json(#"{"active":true,"note":"s3cret-access"}"#, headers: echo)
        case "/userinfo": return .json(#"{"sub":"7","api_key":"s3cret-key"}"#, headers: echo)
        case "/registration":
            return .json(
                #"{"client_id":"n","client_secret":"s3cret-issued","client_secret_expires_at":0,"#
                    + #""registration_access_token":"s3cret-rat","registration_client_uri":"http://\#(host)/r","#
                    + #""redirect_uris":["http://127.0.0.1/callback"],"note":"s3cret-issued"}"#, status: 201)
        case let path where path.hasPrefix("/.well-known/"):
            return .json(
                #"{"issuer":"http://\#(host)","token_endpoint":"http://\#(host)/token","#
                    + #""jwks_uri":"http://\#(host)/jwks","end_session_endpoint":"http://\#(host)/end"}"#)
        case "/revocation": return .text("", headers: echo)
        case "/jwks": return .json(#"{"keys":[]}"#)
        default: return .text("<a><SessionToken>s3cret-xml</SessionToken></a> s3cret-new", headers: echo)
        }
    }
}
