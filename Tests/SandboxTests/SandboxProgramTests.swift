import CommandSpec
import Foundation
import TestSupport
import Testing
import Wire

@Suite("oap-sandbox") struct SandboxProgramTests {
    @Test("the manual page of oap-sandbox is the committed one, and the headings in its text are just the options")
    func records() throws {
        let committed = try String(contentsOfFile: Fixture.project + "/man/oap-sandbox.1", encoding: .utf8)
        #expect(try Program.sandbox(["--man-page"]).run().expect(status: 0).text == committed)
        let help = try Program.sandbox(["--help"]).run().expect(status: 0).text
        let options = committed.matches(of: /\n\.It Fl .*?\\-(\S+)/).map { $0.1.replacing("\\", with: "") }
        #expect(options.count > 30)
        for option in options { #expect(help.contains("--\(option)"), "\(option)") }
        let file = URL(filePath: Fixture.project + "/Sources/oap-sandbox/text/oap-sandbox.md")
        let text = ManualText(Array(try Data(contentsOf: file)))
        #expect(text.definitions(in: "OPTIONS").map(\.name).sorted() == options.map { "--\($0)" }.sorted())
        #expect(text.definitions(in: "OPERANDS").map(\.name) == ["COMMAND"])
    }

    @Test("the help of oap-sandbox is folded on a terminal of 40 columns")
    func narrowHelp() throws {
        var program = Program(
            path: "/bin/bash",
            arguments: ["-c", #"stty cols 40 <&1 && exec "$0" --help"#, Program.sandbox([]).path])
        program.output = .terminal
        let lines = try program.run().expect(status: 0).text.split(separator: "\r\n")
        let long = lines.filter { $0.count > 40 && !$0.hasPrefix("    ") }
        #expect(lines.count > 80 && long == [])
    }

    @Test("oap-sandbox --version names the program and its libraries")
    func version() throws {
        let lines = try Program.sandbox(["--version"]).run().expect(status: 0).text.split(separator: "\n")
        #expect(lines.first == "oap-sandbox \(Version.number)" && lines.count == 3, "\(lines)")
        #expect(lines[1].hasPrefix("libmicrohttpd/") && lines[2].hasPrefix("OpenSSL "), "\(lines)")
    }

    @Test("the command of --run finds every value in a variable and all in a file, and alone writes to its output")
    func environment() throws {
        let result = try Program.runBesideSandbox(
            """
            echo "$OAP_CLIENT_ID $OAP_CLIENT_SECRET $OAP_AUTHORIZATION_RESPONSE_ISS_PARAMETER_SUPPORTED"
            echo "$OAP_SANDBOX_FILE"; stat -c %a "$OAP_SANDBOX_FILE"
            [ "$(jq -r .token_endpoint "$OAP_SANDBOX_FILE")" = "$OAP_TOKEN_ENDPOINT" ] && echo equal
            jq -r 'to_entries[] | ("OAP_" + (.key | ascii_upcase)) as $name
              | select(($ENV | has($name)) != (.value | type != "array" and type != "object")) | $name' \
              "$OAP_SANDBOX_FILE"
            oap exchange -n --grant client_credentials --jq .token_type -r
            """
        ).expect(status: 0)
        let lines = result.text.split(separator: "\n").map(String.init)
        #expect(lines.count == 5, "\(result.text)")
        #expect(lines[0] == "sandbox sandbox-secret-for-tests-and-nothing-else true")
        #expect(!FileManager.default.fileExists(atPath: lines[1]), "the file is gone at the end")
        #expect(lines[2...] == ["600", "equal", "Bearer"])
        #expect(result.errorText.hasPrefix("oap-sandbox: for tests only"))
    }

    @Test("the command keeps away from the person's own profiles, tokens and secrets, in a folder that goes with it")
    func privateFolder() throws {
        let home = try TemporaryDirectory()
        try home.write("{\"access_token\":\"real\"}", to: ".local/state/oap/tokens/work.json")
        try home.write("{\"client_id\":\"real\"}", to: ".config/oap/profiles/work.json")
        let own = [
            "STORE": "file:" + home.path, "STORE_KEY_FILE": "k", "ACCESS_TOKEN": "real", "REFRESH_TOKEN": "real",
        ]
        var variables = ["HOME": home.path, "XDG_STATE_HOME": home.path(".local/state"), "KEPT": "kept"]
        for (name, value) in own { variables["OAP_" + name] = value }
        let script = """
            set -eu
            echo "$KEPT $XDG_CONFIG_HOME $XDG_STATE_HOME $XDG_CACHE_HOME $XDG_DATA_HOME"
            env | grep -E '^OAP_(STORE|ACCESS_TOKEN|REFRESH_TOKEN)' || true
            mkdir -p "$XDG_CONFIG_HOME/oap/profiles"
            cp "$OAP_SANDBOX_FILE" "$XDG_CONFIG_HOME/oap/profiles/work.json"
            oap exchange -n --grant client_credentials | oap store put work
            oap call -p work /user --jq .login -r
            oap logout work
            mkdir "$XDG_CONFIG_HOME/locked"; ln -s "$HOME" "$XDG_CONFIG_HOME/locked/link"; chmod 500 "$XDG_CONFIG_HOME/locked"
            """
        let result = try Program.sandbox(["--run", "/bin/bash", "-c", script], environment: variables).run()
            .expect(status: 0)
        let lines = result.text.split(separator: "\n")
        let folders = lines.first?.split(separator: " ") ?? []
        #expect(lines.dropFirst() == ["ada"] && folders.count == 5 && folders[0] == "kept", "\(result.text)")
        for folder in folders.dropFirst() { #expect(!FileManager.default.fileExists(atPath: String(folder))) }
        #expect(try home.read(".local/state/oap/tokens/work.json") == "{\"access_token\":\"real\"}")
        #expect(try home.read(".config/oap/profiles/work.json") == "{\"client_id\":\"real\"}")
    }

    @Test("only a request for a loopback host is answered, with any port or none, and every other one is logged")
    func host() throws {
        let folder = try TemporaryDirectory()
        let result = try Program.runBesideSandbox(
            options: ["--log", folder.path("log")],
            """
            port=${OAP_ISSUER##*:}
            for host in 127.0.0.1:$port localhost:$port LOCALHOST:$port [::1]:$port 127.0.0.1 localhost 127.0.0.1:1 \
                evil.example evil.example:$port localhost.:$port 127.0.0.2:$port 127.0.0.1@evil.example ''; do
                curl -s -o /dev/null -w '%{http_code} ' -H "Host: $host" "$OAP_ISSUER/jwks"
            done
            curl -s -o /dev/null -w '%{http_code} ' --request-target http://evil.example:$port/jwks "$OAP_ISSUER"
            head -c 65537 /dev/zero | tr '\\0' x |
                curl -s -o /dev/null -w '%{http_code}' --data-binary @- "$OAP_ISSUER/par?a=hidden"
            """
        ).expect(status: 0)
        #expect(result.text == "200 200 200 200 200 200 200 400 400 400 400 400 400 400 413")
        let lines = try folder.read("log").split(separator: "\n").map { try #require(JSON(parsing: String($0)).object) }
        #expect(lines.map { $0["status"]?.integer }.filter { $0 == 400 }.count == 7)
        let last = try #require(lines.last)
        #expect(last["path"]?.string == "/par" && last["method"]?.string == "POST" && last["status"]?.integer == 413)
        #expect(lines[7]["error_description"]?.string == "the Host field names another server")
    }

    @Test("oap-sandbox ends with the exit status of the command", arguments: [("exit 7", 7), ("kill -TERM $$", 143)])
    func status(script: String, status: Int) throws {
        try Program.runBesideSandbox(script).expect(status: status)
    }

    @Test("faults fail the requests that they are for, and no more")
    func faults() throws {
        let result = try Program.runBesideSandbox(
            options: ["--fault", "token:503x2,retry-after=9", "--fault", "api:reset,after=1"],
            """
            cd "$HOME"
            for i in 1 2 3; do
                oap exchange -n --grant client_credentials --retry 0 > token.json && break
                echo "$? $(jq -c '[.error, .http_status, .retry_after]' token.json)"
            done
            for i in 1 2; do oap call /user --retry 0 --jq .login < token.json 2> /dev/null; echo "$?"; done
            """
        ).expect(status: 0)
        let fault = "6 [\"http_status\",503,9]\n"
        #expect(result.text == fault + fault + "\"ada\"\n0\n6\n")
    }

    @Test("a fault of a member that the response does not have is a warning")
    func idleFault() throws {
        let script = "oap exchange -n --grant client_credentials > $HOME/token.json"
        let result = try Program.runBesideSandbox(options: ["--fault", "token:wrong=foo"], script).expect(status: 0)
        let warning = "warning: the fault token:wrong=foo changed nothing: the response has no such member\n"
        #expect(result.errorText.contains("oap-sandbox: \(warning)"), "\(result)")
    }

    @Test("a fault that was never used is a warning at the end, and with --strict-faults an error of a good command")
    func unusedFault() throws {
        let unused = ["--fault", "token:503", "--fault", "jwks:without=keys"]
        let fetch = "curl -s \"$OAP_JWKS_URI\" > $HOME/keys"
        let warning = "oap-sandbox: warning: the fault token:503 was never used"
        for (strict, script, status) in [
            ([], fetch, 0), (["--strict-faults"], fetch, 10), (["--strict-faults"], "exit 3", 3),
        ] as [([String], String, Int)] {
            let result = try Program.runBesideSandbox(options: unused + strict, script).expect(status: status)
            result.expect(errorLine: warning)
            #expect(result.errorText.contains("jwks:without=keys was never used") == (status == 3), "\(result)")
        }
        let used = ["--fault", "jwks:503", "--strict-faults"]
        let result = try Program.runBesideSandbox(options: used, fetch).expect(status: 0)
        #expect(!result.errorText.contains("never used"))
    }

    @Test(
        "every kind of fault reaches the wire",
        arguments: [
            ("token:418", "%{http_code} %{content_type} 0", "418 application/json 0"),
            ("token:html", "%{http_code} %{content_type} 0", "200 text/html; charset=utf-8 0"),
            ("token:reset", "%{http_code} %{exitcode}", "000 56"), ("token:lost", "%{http_code} %{exitcode}", "000 56"),
            ("token:truncated", "%{http_code} %{exitcode}", "200 18"),
            ("token:slow=0.3", "%{http_code} %{time_starttransfer}", "200 0.3"),
        ])
    func wire(fault: String, format: String, expected: String) throws {
        let result = try Program.runBesideSandbox(
            options: ["--fault", fault],
            """
            curl -s -o /dev/null -w '\(format)' -u "$OAP_CLIENT_ID:$OAP_CLIENT_SECRET" -d grant_type=client_credentials \
                "$OAP_TOKEN_ENDPOINT"; true
            """
        ).expect(status: 0)
        #expect(result.text.hasPrefix(expected), "\(result.text)")
    }

    @Test("oap-sandbox prints a client document first, which oap takes, and ends when nobody reads on")
    func document() throws {
        let result = try Program.shell(
            """
            '\(Program.sandboxPath)' | { read -r line; printf '%s' "$line" | oap authurl --jq .client_id -r; }
            echo "${PIPESTATUS[0]}"
            """
        ).run().expect(status: 0)
        #expect(result.text == "sandbox\n0\n")
    }

    @Test("oap-sandbox dies of the signal that ends it", arguments: [SIGTERM, SIGINT, SIGHUP])
    func signals(number: Int32) throws {
        let running = try Program.sandbox([]).start()
        let document = try #require(JSON(parsing: running.firstLine()).object)
        let issuer = try #require(document["issuer"]?.string)
        #expect(try Program.shell("curl -fsS '\(issuer)/jwks'").run().expect(status: 0).text.contains("\"ES256\""))
        running.send(signal: number)
        #expect(try running.finish().ending == .signal(Int(number)))
    }

    @Test("oap-sandbox hands a signal on to the command, and waits for what it says")
    func signalOfCommand() throws {
        let script = "trap 'echo caught; kill $!; exit 3' TERM; sleep 1000 & echo ready; wait"
        let running = try Program.sandbox(["--run", "/bin/bash", "-c", script]).start()
        #expect(try running.firstLine() == "ready")
        running.send(signal: SIGTERM)
        #expect(try running.finish().expect(status: 3).text == "ready\ncaught\n")
    }

    @Test("a port that is taken is said, with status 6")
    func portTaken() throws {
        let first = try Program.sandbox([]).start()
        let document = try #require(JSON(parsing: first.firstLine()).object)
        let port = try #require(document["issuer"]?.string.flatMap { WebURL($0)?.port })
        let second = try Program.sandbox(["--port", "\(port)"]).run().expect(status: 6)
        #expect(second.output.isEmpty)
        #expect(
            second.errorText == """
                oap-sandbox: port \(port) of 127.0.0.1 is already in use
                oap-sandbox: hint: without --port, a free port is used

                """)
        first.send(signal: SIGTERM)
        _ = try first.finish()
    }

    @Test(
        "a command line that makes no sense is status 2, and nothing is started",
        arguments: [
            (["--fault", "tokens:503"], "token:503x2; endpoints are authorize, token, par,"),
            (["--fault"], "logout, identity, api; kinds are 400 to 599, error=CODE, STATUS+error=CODE, reset,"),
            (["--fault", "token:sometimes"], "hint: faults are 400 to 599, error=CODE, STATUS+error=CODE, reset,"),
            (["--fault", "token:503x0"], "must be a whole number above 0"),
            (["--fault", "token:slow=abc"], "slow takes a number of seconds"),
            (["--fault", "token:503,after=x"], "the value of after is not a whole number"),
            (["--fault", "token:503,x=1"], "unknown addition to a fault"),
            (["--fault", "token"], "after token, a colon and a fault must follow"),
            (["--port", "65536"], "whole number from 0 to 65535"),
            (["--port", "-1"], "whole number"), (["--expires-in", "1.5"], "whole number"),
            (["--consent", "maybe"], "must be auto, deny or page"), (["--run"], "--run needs the operand COMMAND"),
            (["true"], "the operand COMMAND needs --run"), (["--redirect-uri", "/callback"], "absolute URI"),
            (["--nonsense"], "unknown option"), (["--issuer", "as.example"], "http or https URL"),
            (["--issuer", "https://as.example/?x"], "without a query"), (["--scope", "a b"], "one scope value"),
            (["--tls-key-file", "key.pem"], "--tls-key-file needs --tls-certificate-file"),
            (["--id-token-alg", "HS256"], "must be ES256,"),
        ])
    func usage(arguments: [String], message: String) throws {
        let result = try Program.sandbox(arguments).run().expect(status: 2)
        #expect(result.output.isEmpty && result.errorText.contains(message), "\(result.errorText)")
    }

    @Test("the completions know the faults; zsh gets their colons escaped, which would end a part of a specification")
    func faultCompletions() throws {
        let words = ["bash": " token:wrong=", "fish": " token:wrong=", "zsh": #" token\:wrong="#]
        for (shell, word) in words {
            let script = try Program.sandbox(["--completion", shell]).run().expect(status: 0).text
            #expect(script.contains(word), "\(shell)")
        }
    }

    @Test("a command that is not there is status 11")
    func missingCommand() throws {
        let result = try Program.sandbox(["--run", "/nonexistent/command"]).run().expect(status: 11)
        #expect(result.errorText.contains("cannot start /nonexistent/command"))
    }

    @Test("bytes come as many as are asked for, in constant memory, and a HEAD has none")
    func bytes() throws {
        let result = try Program.runBesideSandbox(
            """
            token=$(oap exchange -n --grant client_credentials --jq .access_token -r)
            curl -sS -H "Authorization: Bearer $token" "$OAP_API_BASE/bytes/100000001" | wc -c
            curl -sS -I -H "Authorization: Bearer $token" "$OAP_API_BASE/bytes/17" | grep -i content-length | tr -d '\\r'
            awk '/VmHWM/ { print ($2 < 100000) }' "/proc/$PPID/status"
            """
        ).expect(status: 0)
        #expect(result.text == "100000001\nContent-Length: 17\n1\n")
    }
}
