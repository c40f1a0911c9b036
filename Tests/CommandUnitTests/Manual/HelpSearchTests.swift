import PlaySupport
import TestSupport
import Testing

@Suite("Search in the help", .inProcess)
struct HelpSearchTests {
    @Test("--json and --schema take a filter, and the text of a page takes none")
    func filter() throws {
        let words = ["help", "--json", "--jq", ".commands[0].name"]
        try Program.oap(words + ["-r"]).run().expect(status: 0).expect(output: "login\n")
        try Program.oap(["help", "call", "--json", "--jq", ".name"]).run().expect(output: "\"call\"\n")
        try Program.oap(["help", "--schema", "error", "-q", ".type"]).run().expect(output: "\"object\"\n")
        try Program.oap(["help", "call", "--jq", "."]).run().expect(status: 2)
            .expect(errorLine: "oap: help: --jq needs --json or --schema")
    }

    @Test("without a command, standard error has the text of --help, and the status is 2")
    func bare() throws {
        let help = try Program.oap(["--help"]).run().expect(status: 0).text
        let bare = try Program.oap([]).run().expect(status: 2).expect(output: "")
        #expect(bare.errorText == help)
    }

    @Test(
        "a word that is no command is searched in pages, options, members, statuses, kinds of failure and presets",
        arguments: [
            ("keyring", "Pages:", "oap-index(7)"), ("keyring", "Pages:", "oap-store(1)"),
            ("noproxy", "Options:", "--noproxy HOSTS"), ("pkce", "Options:", "--no-pkce"),
            ("token_endpoint", "Members of documents:", "token_endpoint"),
            ("login_needed", "Kinds of failure:", "login_needed"), ("8", "Exit statuses:", "8"),
            ("keycloak", "Providers:", "keycloak"), ("BROWSER", "Variables:", "BROWSER"),
            ("OAP_SCOPE", "Variables:", "OAP_SCOPE  The same as --scope"), ("OAP_LOG", "Variables:", "OAP_LOG  "),
            ("jenkins", "Pages:", "oap-recipes(7)"),
            ("status", "Commands of other programs:", "status"),
        ])
    func found(word: String, title: String, term: String) throws {
        let text = try Program.oap(["help", word]).run().expect(status: 0).expectSilence().text
        let lists = text.split(separator: "\n\n").map { $0.split(separator: "\n") }
        let list = try #require(lists.first { $0.first.map(String.init) == title }, "\(text)")
        #expect(list.contains { $0.hasPrefix("  \(term)") }, "\(text)")
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(text)")
    }

    @Test(
        "several words find what has all of them, in any order and without the words that connect them",
        arguments: [
            ("github app", "oap-recipes(7)"), ("verify jwt", "oap-verify(1)"), ("jwt verify", "oap-verify(1)"),
            ("rotate key", "oap-jwk(1)"), ("how do I rotate a key", "oap-jwk(1)"), ("mcp stdio", "oap-agents(7)"),
            ("refresh token", "oap-refresh(1)"), ("tokens bound", "--dpop"), ("fault kinds", "oap-index(7)"),
        ])
    func words(text: String, term: String) throws {
        let words = text.split(separator: " ").map(String.init)
        let found = try Program.oap(["help"] + words).run().expect(status: 0).text
        #expect(found.contains(term), "\(found)")
        let other = try Program.oap(["help"] + words + ["zebra"]).run().expect(status: 2).expect(output: "")
        other.expect(errorLine: "oap: help: no page, option or member has the word \(text) zebra")
    }

    @Test("the page that one of several words names comes before the members that have both")
    func page() throws {
        let text = try Program.oap(["help", "refresh", "token"]).run().expect(status: 0).text
        #expect(text.hasPrefix("Pages:\n"), "\(text)")
    }

    @Test(
        "what people look for by the names of others is in the index",
        arguments: [
            "rar", "decode", "rotate", "self-signed", "audit", "conformance", "openai", "claude", "x-api-key",
            "apiKeyHelper", "nagios", "prometheus", "terraform", "jenkins", "air-gapped", "offline",
            "alpine", "arm64", "musl", "audit", "cargo", "reload", "nginx", "headersHelper", "fault kinds", "wget",
            "compose", "python", "javascript", "postman", "httpie", "websocket", "grpc", "sse", "server-sent events",
            "cors", "mock", "multiple accounts", "staging", "clock skew", "leeway", "custom claim", "timing", "latency",
            "redirect_uri_mismatch", "pagination", "stream", "register machine", "read_token.py",
            "csv", "helm", "install", "postgres", "puppet", "syslog", "timestamp",
        ])
    func index(word: String) throws {
        let text = try Program.oap(["help", word]).run().expect(status: 0).text
        #expect(text.contains("oap-index(7)"), "\(text)")
    }

    @Test("a member that is a secret is not called the file of it")
    func secret() throws {
        let text = try Program.oap(["help", "client_secret"]).run().expect(status: 0).text
        #expect(!text.contains("client_secret              a file"), "\(text)")
    }

    @Test("the shortest list of names comes first, and longer texts come last")
    func order() throws {
        let text = try Program.oap(["help", "scope"]).run().expect(status: 0).text
        let titles = text.split(separator: "\n").filter { $0.hasSuffix(":") && !$0.hasPrefix(" ") }
        #expect(titles.last == "Pages:", "\(titles)")
        #expect(titles.count > 2)
    }

    @Test("a word that begins longer ones finds those only if it is found nowhere as a whole")
    func beginning() throws {
        #expect(try Program.oap(["help", "idempoten"]).run().expect(status: 0).text.contains("--idempotency-key"))
        let result = try Program.oap(["help", "cal"]).run().expect(status: 2).expect(output: "")
        result.expect(errorLine: "oap: help: no page, option or member has the word cal")
        result.expect(errorLine: "oap: hint: did you mean call?")
        try Program.oap(["help", "client_secrte"]).run().expect(status: 2)
            .expect(errorLine: "oap: hint: did you mean client_secret?")
    }
}
