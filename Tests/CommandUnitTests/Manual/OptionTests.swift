import CommandSpec
import Foundation
import RecordChecks
import TestSupport
import Testing
import Wire

@testable import Commands
@testable import Calling
@testable import Login
@testable import Sessions
@testable import Tokens
@testable import Shell

@Suite("Command lines")
struct OptionTests {
    @Test("the table of commands and options has no fault")
    func table() { #expect(CommandTable.program().validate() == []) }

    /// Options of other programs, which are started with them or named beside them.
    private static let foreign: Set<String> = [
        "web", "user-data-dir", "private-window", "path-as-is", "no-remote", "no-first-run", "no-default-browser-check",
        "minify", "incognito", "flatten", "man",
    ]

    @Test(
        "a message names only options that a command has",
        arguments: ["OAuth", "Members", "HTTP", "Shell", "Tokens", "Sessions", "Login", "Calling", "Commands"])
    func named(module: String) throws {
        let program = CommandTable.program()
        let known = Set((program.options + program.commands.flatMap(\.options)).map(\.long))
        let folder = "\(Fixture.project)/Sources/\(module)"
        let paths = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
        for path in paths where path.hasSuffix(".swift") {
            let text = try String(contentsOfFile: "\(folder)/\(path)", encoding: .utf8)
            for string in text.matches(of: #/"[^"\n]*"/#) {
                for name in string.output.matches(of: #/(?:^|[ "(])--([a-z][a-z0-9-]+)/#).map({ String($0.1) }) {
                    #expect(known.contains(name) || Self.foreign.contains(name), "\(module)/\(path) names --\(name)")
                }
            }
        }
    }

    @Test(
        "a command that takes -p and reads its document from a pipe has the name as its only operand",
        arguments: ["authurl", "device", "exchange", "refresh", "revoke"])
    func nameOperand(command: String) throws {
        #expect(try #require(CommandTable.named(command)).record.operands.map(\.name) == ["NAME"])
    }

    @Test("each option's text names the source of its member, and has no mark left of it")
    func sources() throws {
        for command in CommandTable.program().commands {
            #expect(command.options.filter { command.details(of: $0).contains("§") }.map(\.long) == [])
        }
        let exchange = try #require(CommandTable.named("exchange")).record
        let password = try #require(exchange.options.first { $0.long == "password-file" })
        #expect(exchange.details(of: password).contains("(RFC 6749 section 4.3.2)"))
    }

    @Test(
        "what is not understood is exit 2 with what was probably meant",
        arguments: [
            (["exchang"], "did you mean exchange?"), (["exchange", "--client-idd", "x"], "did you mean --client-id?"),
            (["refresh", "--ifexpired"], "did you mean --if-expired?"),
            (
                ["call", "--client-secret", "x"],
                "use --client-secret-file PATH, or a variable such as OAP_CLIENT_SECRET"
            ),
            (["exchange", "-n", "--grant", "client-credentials"], "did you mean client_credentials?"),
            (["completion", "bsh"], "did you mean bash?"),
            (["refresh", "a", "b"], "usage: oap refresh [OPTION ...] [NAME]"),
            (["--nope"], "usage: oap COMMAND [OPTION ...] [OPERAND ...]"),
            (["call"], "usage: oap call [OPTION ...] [NAME] URL"),
            (
                ["exchange", "--grant"],
                """
                --grant GRANT: the grant type, such as authorization_code, client_credentials, device_code, \
                ciba, refresh_token, password, jwt-bearer, saml2-bearer or token-exchange (default: the one of the \
                code in the document)
                """
            ),
            (
                ["authurl", "--color"],
                "--color WHEN: when to print JSON in colour: auto, always or never (default: auto)"
            ),
            (["call", "-Y"], "usage: oap call [OPTION ...] [NAME] URL"),
            (["store", "ls"], "did you mean list?"), (["store", "rm", "x"], "did you mean delete?"),
            (["profile", "ls"], "did you mean list?"), (["store", "show", "x"], "did you mean get?"),
            (["exchange", "--param", "'a=b'"], "the name begins with a quote, which no shell took away"),
            (["profile", "rename", "a", "b"], "oap store rename OLD NEW renames a profile and its token"),
        ])
    func unknown(words: [String], hint: String) throws {
        try Program.oap(words, input: .text("{}")).run().expect(status: 2).expect(errorLine: "oap: hint: \(hint)")
    }

    @Test(
        "the name that another program has for an option is answered with the option",
        arguments: [
            (["exchange", "--grant-type", "x"], "--grant GRANT names the grant type"),
            (
                ["profile", "set", "w", "--grant", "x"],
                "the member grant_type names the grant: echo '{\"grant_type\":\"client_credentials\"}' | oap profile set "
                    + "NAME OPTIONS"
            ),
            (["exchange", "--certificate", "x"], "--cert FILE is the client certificate (TLS); --key FILE is its key"),
            (["exchange", "--header"], "oap token NAME --header prints a stored token as a header field"),
            (["login", "w", "--server", "x"], "--issuer URL names the server"),
            (["login", "w", "--url=x"], "--issuer URL names the server"),
            (["login", "w", "--web"], "leave --web out: a login in the browser is the default"),
            (["login", "w", "--add-scope", "x"], "--scope SCOPE names all scope values of the token"),
            (["call", "/x", "--filter", "."], "--jq FILTER filters the response"),
            (["call", "/x", "--template", "x"], "--jq FILTER filters the response; -r prints strings without quotes"),
            (["call", "/x", "--url-query", "a=b"], "--query NAME=VALUE adds a parameter to the query"),
            (["call", "/x", "--resolve", "a:1:b"], "with the option of curl: curl -H @<(oap token NAME --header) URL"),
            (
                ["call", "/x", "-w", "x"],
                "--envelope prints the status, the header fields and the URL: --envelope --jq .status; for the times: "
                    + "--har FILE, then jq .log.entries[0].timings FILE"
            ),
            (
                ["token", "w", "--no-renew"],
                "oap store get NAME prints the token document as it is stored; --min-ttl 0 renews only a token that has expired"
            ),
            (["token", "a", "b", "--watch"], "one process keeps one token; for several: oap-recipes(7), RENEWALS"),
            (["discover", "--issuer", "x"], "the URL is an operand: oap discover URL"),
            (["--issuer", "x", "login"], "options go after the command: oap login --issuer"),
            (["exec", "work", "ls"], "oap run NAME -- COMMAND runs a command with the token"),
            (["token", "w", "--json"], "--document prints the whole token document as JSON"),
            (["store", "list", "--json"], "--jq . prints the whole result as JSON"),
            (["refresh", "--min-validity=3"], "--min-ttl SECONDS renews a token that is valid for fewer seconds"),
            (
                ["call", "/x", "--retry-connrefused"],
                "--retry NUMBER sets how often; a refused connection is tried again too"
            ),
            (
                ["login", "w", "--client-cert", "x"],
                "--cert FILE is the client certificate (TLS); --key FILE is its key"
            ),
            (
                ["exchange", "--private-key", "x"],
                "--client-key-file FILE is the key of private_key_jwt; --key FILE is that of --cert (TLS)"
            ),
            (
                ["login", "w", "--force"],
                "leave it out: oap refresh NAME renews a token that is still valid, and oap login NAME logs in again"
            ),
        ]
            + ["--no-browser", "--no-launch-browser"].map { name in
                (
                    ["login", "w", name],
                    "--no-open prints the login URL; --headless also says how to use a browser on another machine"
                )
            })
    func foreign(words: [String], hint: String) throws {
        try Program.oap(words, input: .text("{}")).run().expect(status: 2).expect(errorLine: "oap: hint: \(hint)")
    }

    @Test("an option of a command is no name of another program's, though others refuse it")
    func ownJSON() throws {
        let call = try #require(CommandTable.named("call")).record
        #expect(call.options.contains { $0.long == "json" })
        #expect(!call.refused.contains { $0.long == "json" })
    }

    @Test("the key of a TLS certificate without the certificate is not taken for that of the client's JWT")
    func keyAlone() throws {
        let folder = try TemporaryDirectory()
        let key = try folder.write("x", to: "key.pem")
        chmod(key, 0o600)
        let client = ["exchange", "-n", "--grant", "client_credentials", "--client-id", "c", "--token-endpoint"]
        for words in [client, ["call", "--anonymous"]] {
            let result = try Program.oap(words + ["http://[::1]:9/", "--key", key]).run().expect(status: 2)
            let message = "--key needs --cert: it is the key of a certificate (TLS)\n"
            #expect(result.errorText.contains(message), "\(result)")
            result.expect(errorLine: "oap: hint: for the key of private_key_jwt: --client-key-file FILE")
        }
    }

    @Test(
        "what differs by case alone is said to be in lower case, and is no guess",
        arguments: [
            (["Login"], "commands are in lower case: oap login"),
            (["help", "Login"], "commands and topics are in lower case: oap help login"),
            (["help", "TUTORIAL"], "commands and topics are in lower case: oap help tutorial"),
            (["completion", "Bash"], "shells are in lower case: bash"),
            (["credential", "Git"], "protocols are in lower case: git"),
            (["authurl", "--color", "Always"], "the values of --color are in lower case: always"),
            (["provider", "Github"], "providers are in lower case: github"),
            (["provider", "GITHUB"], "providers are in lower case: github"),
            (["login", "x", "--provider", "GitHub"], "providers are in lower case: github"),
            (["provider", "keycloak", "HOST=sso.example"], "variables are in lower case: host=..."),
        ])
    func lowerCase(words: [String], hint: String) throws {
        let result = try Program.oap(words, input: .text("{}")).run().expect(status: 2)
        result.expect(errorLine: "oap: hint: \(hint)")
        #expect(!result.errorText.contains("did you mean"), "\(result)")
    }

    @Test(
        "help shows the values that an option takes",
        arguments: [
            ("exchange", "the grant type, such as authorization_code, client_credentials,"),
            ("login", "get the token by another grant, such as client_credentials,"),
            ("authurl", "what the server must ask the user, such as none, login, consent or select_account"),
            ("register", "such as authorization_code, refresh_token or client_credentials (default:"),
            ("completion", "print what a completion script offers: tokens, profiles or names"),
        ])
    func values(command: String, text: String) throws {
        let help = try Program.oap([command, "--help"]).run().expect(status: 0).text
        #expect(help.split(whereSeparator: \.isWhitespace).joined(separator: " ").contains(text), "\(help)")
        #expect(help.split(separator: "\n").allSatisfy { $0.count <= 80 })
    }

    @Test("two headings of options are in the same order in the help of every command")
    func headings() {
        let program = CommandTable.program()
        var orders: [[String]: String] = [:]
        for command in program.commands {
            let lines = program.help(for: command).split(separator: "\n")
            let titles = lines.filter { $0.first?.isUppercase == true && $0.hasSuffix(":") }.map(String.init)
            for (place, title) in titles.enumerated() {
                for later in titles[(place + 1)...] {
                    orders[[title, later]] = command.name
                    #expect(orders[[later, title]] == nil, "\(title) \(later): \(command.name)")
                }
            }
        }
        #expect(orders.count > 50)
    }

    @Test("without a command that is known, the hint names all", arguments: [["help", "nope"], ["discovr-all"]])
    func commands(words: [String]) throws {
        let result = try Program.oap(words).run().expect(status: 2)
        #expect(result.errorText.contains("oap: hint: the commands are login, token, call"), "\(result)")
    }

    @Test("oap help names the topics besides the commands, and the nearest of them")
    func topics() throws {
        let unknown = try Program.oap(["help", "nope"]).run().expect(status: 2)
        #expect(unknown.errorText.contains("help; the topics are agents, changes, documents, "), "\(unknown)")
        try Program.oap(["help", "recipies"]).run().expect(status: 2).expect(
            errorLine: "oap: hint: did you mean recipes?")
    }

    @Test("a file in the place of a name is said to go to standard input")
    func file() throws {
        let result = try Program.oap(["authurl", "client.json"]).run().expect(status: 11)
        result.expect(errorLine: "oap: hint: to read a document from a file, use standard input: < client.json")
    }

    @Test("a message that names the allowed values has no hint without a likely one")
    func choices() throws {
        let result = try Program.oap(["authurl", "--token-endpoint-auth-method", "x"]).run().expect(status: 2)
        #expect(result.errorText.contains("must be") && !result.errorText.contains("hint"), "\(result)")
    }

    @Test(
        "no option may be abbreviated",
        arguments: ["--client-i", "--cl", "--null", "--raw", "--client_id", "--Client-Id", "--verb"])
    func abbreviated(option: String) throws {
        try Program.oap(["exchange", option, "x"], input: .text("{}")).run().expect(status: 2)
    }

    @Test(
        "options and operands come in any order, letters joined, values attached or apart; -- ends the options",
        arguments: [
            ["call", "URL", "-rq", ".a"], ["call", "-rq.a", "URL"], ["call", "-r", "--jq=.a", "--", "URL"],
            ["call", "-q", "no", "-q", ".a", "URL", "-sSLr"],
        ])
    func order(words: [String]) throws {
        let responder = try Responder(.json(#"{"a":"b"}"#))
        let words = words.map { $0 == "URL" ? responder.url() : $0 }
        try Program.oap(words, input: responder.token.input).run().expect(status: 0).expect(output: "b\n")
    }

    @Test("-- makes an operand of what looks like an option")
    func operand() throws {
        let result = try Program.oap(["call", "--", "-x"], input: .text(#"{"access_token":"a"}"#)).run().expect(
            status: 2)
        #expect(result.errorText.contains("neither an absolute URL nor a path"), "\(result)")
    }

    @Test("a message never repeats the value of an option or an operand")
    func values() throws {
        for words in [
            ["refresh", "work", "hunter2"], ["completion", "hunter2"], ["authurl", "--basic-encoding", "hunter2"],
            ["authurl", "--pretty=hunter2"], ["call", "hunter2"], ["authurl", "-n", "--claims", "hunter2"],
            ["refresh", "-m", "hunter2"], ["callback-parse", "hunter2", "hunter2"], ["exchange", "--param", "hunter2"],
        ] {
            try Program.oap(words, input: .text(#"{"access_token":"a","refresh_token":"r"}"#)).run().expect(
                nowhere: "hunter2")
        }
    }

    @Test(
        "help and version are asked for in every place, read nothing and are exit 0",
        arguments: CommandTable.commands.map(\.name))
    func help(name: String) throws {
        let short = try Program.oap([name, "--help"], input: .closed).run().expect(status: 0).expectSilence()
        #expect(try Program.oap([name, "-h", "--nope"]).run().expect(status: 0).text == short.text)
        let long = try Program.oap(["help", name]).run().expect(status: 0).expectSilence()
        #expect(long.text.contains("oap \(name)") && long.text.contains("\nSEE ALSO\n"))
        for option in try #require(CommandTable.named(name)).record.options {
            #expect(short.text.contains(option.name) && long.text.contains(option.name), "\(option.name)")
        }
    }

    @Test("--version names the libraries, and the program too without them")
    func version() throws {
        let lines = try Program.oap(["--version"]).run().expect(status: 0).text.split(separator: "\n")
        #expect(lines.first == "oap \(Version.number)" && lines.count >= 3)
        for name in ["libcurl", "libjq", "OpenSSL", "libmicrohttpd"] {
            #expect(lines.contains { $0.contains(name) }, "\(name)")
        }
        try Program.oap(["call", "--version"]).run().expect(status: 0)
        #expect(try Program.oap(["version"]).run().expect(status: 0).text.hasPrefix("oap \(Version.number)"))
    }

    @Test(
        "help shows the pages that are about no command, too",
        arguments: ["documents", "options", "providers", "tutorial"])
    func topics(name: String) throws {
        let page = try Program.oap(["help", name]).run().expect(status: 0).text
        #expect(page.hasPrefix("NAME\n    oap-\(name) - "))
    }

    @Test("the manual pages come into a folder, with modes that others can read, and are the committed ones")
    func manual() throws {
        let folder = try TemporaryDirectory()
        try Program.oap(["help", "--man-pages", folder.path]).run().expect(status: 0).expect(output: "").expectSilence()
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        #expect(Set(names).isSuperset(of: ["oap.1"] + CommandTable.commands.map(\.name).map { "oap-\($0).1" }))
        for name in names {
            #expect(try folder.permissions(name) == 0o644)
            let committed = FileManager.default.contents(atPath: "\(Fixture.project)/man/\(name)")
            if let committed { #expect(try folder.read(name) == String(decoding: committed, as: UTF8.self)) }
            try Program(path: "/usr/bin/mandoc", arguments: ["-T", "lint", "-W", "warning", folder.path(name)]).run()
                .expect(status: 0)
        }
        try Program.oap(["help", "--man-pages", "/nowhere"]).run().expect(status: 11)
    }

    @Test("a completion script is one that its shell takes", arguments: ["bash", "zsh", "fish"])
    func completion(shell: String) throws {
        let script = try Program.oap(["completion", shell]).run().expect(status: 0).expectSilence()
        var check = Program(path: "/usr/bin/env", arguments: [shell, "-n"])
        check.input = .bytes(script.output)
        try check.run().expect(status: 0).expectSilence()
    }
}
