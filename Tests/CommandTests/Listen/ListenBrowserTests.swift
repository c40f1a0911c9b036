import Foundation
import TestSupport
import Testing
import Wire

@testable import CommandSupport

@Suite("A browser")
struct ListenBrowserTests {
    /// A folder with a program that plays the browser, and a pipe through which it tells what it saw.
    struct FakeBrowser {
        let folder: TemporaryDirectory
        let program: String
        let report: String

        /// Makes the program: a shell script whose output is the report.
        init(_ script: String, name: String = "browser") throws {
            folder = try TemporaryDirectory()
            report = folder.path("report")
            guard mkfifo(report, 0o600) == 0 else { throw RawConnection.Failure(call: "mkfifo", code: errno) }
            program = try folder.write("#!/bin/bash\nexec > \(report)\n\(script)\n", to: name)
            guard chmod(program, 0o700) == 0 else { throw RawConnection.Failure(call: "chmod", code: errno) }
        }

        /// Waits for the report, to its end.
        func lines() throws -> [String] {
            let text = try Program(path: "/bin/cat", arguments: [report]).run().expect(status: 0).text
            return text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
        }
    }

    private static let hostile = "https://as.example/authorize?a=$(id);b=`id`&c='d'&e=%s|f"

    @Test("a browser gets the URL as one argument, which no shell reads, in the place of %s or at the end")
    func oneArgument() throws {
        for (words, expected) in [
            ("--new %s --last", ["--new", Self.hostile, "--last"]), ("", [Self.hostile]),
            ("-u=%s", ["-u=\(Self.hostile)"]),
        ] {
            let browser = try FakeBrowser("printf '%s\\n' \"$@\"")
            let flow = try Listening.flow().with(["authorization_url": .string(Self.hostile)])
            let listening = try Listening(
                flow, ["--open"],
                environment: ["BROWSER": "/nowhere/browser %s:\(browser.program) \(words):/bin/false"])
            #expect(try browser.lines() == expected)
            try listening.finish()
        }
    }

    @Test("a browser has a session of its own, no stream, descriptor or variable of oap, and is not waited for")
    func detached() throws {
        let browser = try FakeBrowser(
            """
            readlink /proc/$$/fd/0 /proc/$$/fd/2
            for number in /proc/$$/fd/*; do [ -e "$number" ] && echo -n "${number##*/} "; done; echo
            [ "$(ps -o sid= -p $$ | tr -d ' ')" = $$ ] && echo leader
            env | grep -c ^OAP_; echo "$HOME"
            exec > /dev/null
            read -r end < "$(dirname "$0")/end"
            """)
        let end = browser.folder.path("end")
        #expect(mkfifo(end, 0o600) == 0)
        let variables = ["OAP_CLIENT_SECRET": "s3cret", "BROWSER": browser.program, "HOME": "/home-of-the-person"]
        let flow = try Listening.flow()
        let listening = Listening(
            flow: flow,
            program: try Program.shell(
                "exec oap listen --open 7< /etc/hostname", input: flow.input, environment: variables
            ).start())
        _ = try listening.program.errorLine { $0.hasPrefix("https://") }
        let lines = try browser.lines()
        // 255 is bash's own descriptor of the script.
        #expect(lines == ["/dev/null", "/dev/null", "0 1 2 255 ", "leader", "0", "/home-of-the-person"])
        try listening.finish()
        try Program.shell("echo > \(end)").run().expect(status: 0)
    }

    @Test("a browser finds the port open, and may bring the redirect at once")
    func bindsFirst() throws {
        let browser = try FakeBrowser(
            """
            redirect=$(python3 -c 'import sys, urllib.parse as u; print(dict(u.parse_qsl(sys.argv[1]))["redirect_uri"])' "$1")
            state=$(sed -E 's/.*[?&]state=([^&]*).*/\\1/' <<< "$1")
            curl -sS "$redirect?code=c0de&state=$state"
            """)
        let pipe = Program.shell(
            """
            oap authurl -n --client-id c --authorization-endpoint https://as.example/authorize |
                oap listen --open | oap callback-parse --jq .code -r
            """, environment: ["BROWSER": browser.program])
        let running = try pipe.start()
        #expect(try browser.lines().contains("<h1>Answer received</h1>"))
        try running.finish().expect(status: 0).expect(output: "c0de\n")
    }

    @Test("without a display no browser is looked for: the URL and a hint take its place")
    func noDisplay() throws {
        let browser = try FakeBrowser("echo opened", name: "xdg-open")
        let path = browser.folder.path + ":/usr/bin:/bin"
        let listening = try Listening(nil, ["--open"], environment: ["PATH": path])
        _ = try listening.program.errorLine { $0.contains("no display") }
        _ = try listening.program.errorLine { $0.hasPrefix("oap: hint: ") && $0.contains("callback-parse") }
        try listening.finish()
        let shown = try Listening(nil, ["--open"], environment: ["PATH": path, "DISPLAY": ":99"])
        #expect(try browser.lines() == ["opened"])
        try shown.finish()
    }

    @Test("a browser that cannot be found is no reason to give up")
    func notFound() throws {
        let listening = try Listening(nil, ["--open"], environment: ["BROWSER": "/nowhere/a:/etc/passwd"])
        _ = try listening.program.errorLine { $0.contains("no browser was found") }
        try listening.finish()
    }

    @Test(
        "a private window that cannot be opened ends the wait at once, if there is no terminal either",
        arguments: [
            ([:], "there is no display to open a browser on"),
            (["BROWSER": "/bin/true"], "no browser that can open a private window was found"),
        ])
    func noPrivateWindow(environment: [String: String], problem: String) throws {
        let command = ["listen", "--ephemeral", "--timeout", "10"]
        let result = try Program.oap(command, input: try Listening.flow().input, environment: environment).run()
        result.expect(status: 6).expect(errorLine: "oap: listen: \(problem), and there is no terminal")
        #expect(try result.object()["error"] == "cancelled")
    }

    @Test(
        "a browser is given a private window and a profile that goes with it",
        arguments: [("chromium", "--user-data-dir=", "--incognito"), ("firefox-esr", "", "--private-window")])
    func ephemeral(name: String, prefix: String, privacy: String) throws {
        let browser = try FakeBrowser(
            """
            printf '%s\\n' "$@"; for word; do [ -d "${word#*=}" ] && stat -c %a "${word#*=}"; done
            exec > /dev/null; read -r end < "$(dirname "$0")/end"
            """, name: name)
        let end = browser.folder.path("end")
        #expect(mkfifo(end, 0o600) == 0)
        let listening = try Listening(
            nil, ["--ephemeral"],
            environment: [
                "DISPLAY": ":99", "TMPDIR": browser.folder.path, "PATH": "\(browser.folder.path):/usr/bin:/bin",
                "BROWSER": "/bin/true:\(name) --flag",
            ])
        let words = try browser.lines()
        let url = try #require(listening.flow["authorization_url"]?.string)
        let profile = try #require(words.first { $0.hasPrefix(prefix + browser.folder.path) }).dropFirst(prefix.count)
        #expect(words.first == "--flag" && words.contains(privacy) && words.suffix(2) == [url, "700"])
        try listening.finish()
        try Program.shell("echo > '\(end)'; while [ -e '\(profile)' ]; do sleep 0.01; done").run().expect(status: 0)
    }

    @Test("a browser that fails, or a private window that is closed, ends the wait at once with exit 6 and cancelled")
    func cancelled() throws {
        for (name, option, script, part) in [
            ("browser", "--open", "exit 3", "failed with status 3"),
            ("chromium", "--ephemeral", "exit 0", "private window was closed"),
        ] {
            let browser = try FakeBrowser(script, name: name)
            let variables = ["BROWSER": browser.program, "TMPDIR": browser.folder.path]
            let listening = try Listening(nil, [option], environment: variables)
            #expect(try browser.lines().isEmpty)
            let result = try listening.program.finish().expect(status: 6)
            #expect(try result.object()["error"] == "cancelled" && result.errorText.contains(part), "\(result)")
        }
    }

    @Test("a browser that ends with success, and explorer.exe, which always fails, do not end the wait")
    func handedOn() throws {
        for (name, script) in [("browser", "exit 0"), ("explorer.exe", "exit 1")] {
            let browser = try FakeBrowser(script, name: name)
            let listening = try Listening(nil, ["--open"], environment: ["BROWSER": browser.program])
            #expect(try browser.lines().isEmpty)
            try listening.finish()
        }
    }

    @Test("a browser finds the login page at the short address, to which no page of another site leads")
    func shortAddress() throws {
        for uri in ["http://127.0.0.1:0/callback", "http://127.0.0.1:0", "http://localhost:0/"] {
            let listening = try Listening(try Listening.flow(["--redirect-uri", uri]))
            let url = try #require(listening.flow["authorization_url"]?.string)
            let host = uri.contains("localhost") ? "localhost" : "127.0.0.1"
            _ = try listening.program.errorLine {
                $0.contains("you can open http://\(host):\(listening.port)/ instead of the long URL")
            }
            let page = try listening.send("GET", "/")
            #expect(page.hasPrefix("HTTP/1.1 302 ") && page.contains("\r\nLocation: \(url)\r\n"), "\(page)")
            let fields = ["Host: \(host):\(listening.port)"]
            for others in [
                fields + ["Sec-Fetch-Site: cross-site"], fields + ["Sec-Purpose: prefetch"],
                ["Host: rebound.example:\(listening.port)"],
            ] {
                let other = try listening.send("GET", "/", others)
                #expect(other.hasPrefix("HTTP/1.1 4") && !other.contains("as.example"), "\(other)")
            }
            try listening.send("GET", (listening.path.isEmpty ? "/" : listening.path) + listening.query)
            try listening.program.finish().expect(status: 0)
        }
        let bound = try Listening(try Listening.flow(), ["--bind", "127.0.0.1"])
        #expect(try bound.send("GET", "/").hasPrefix("HTTP/1.1 404 "))
        try bound.finish()
    }

    @Test("a browser is opened by authurl too, after the flow is printed")
    func authurl() throws {
        let browser = try FakeBrowser("printf '%s\\n' \"$@\"")
        let result = try Program.oap(
            ["authurl", "-n", "--client-id", "c", "--authorization-endpoint", "https://as.example/a", "--open"],
            environment: ["BROWSER": browser.program]
        ).run().expect(status: 0)
        #expect(try browser.lines() == [try #require(result.object()["authorization_url"]?.string)])
        let none = try Program.oap(
            ["authurl", "-n", "--client-id", "c", "--authorization-endpoint", "https://as.example/a", "--open"]
        ).run().expect(status: 0)
        #expect(none.errorText.contains("no display"))
        #expect(try none.object()["authorization_url"] != nil)
    }

    @Test("a browser of a telephone finds the URL in a QR code on standard error")
    func qrCode() throws {
        let listening = try Listening(nil, ["--qr"], environment: ["LC_ALL": "C.UTF-8"])
        try listening.send("GET", listening.path + listening.query)
        let lines = try listening.program.finish().expect(status: 0).errorText.split(separator: "\n")
        let code = lines.filter { $0.hasPrefix("█") || $0.hasPrefix("▀") }
        // Two rows to a line, and two light modules on each side: a square.
        let width = try #require(code.first).count
        #expect(code.count == (width + 1) / 2 && code.allSatisfy { $0.count == width } && width > 50)
        // The upper corners have the finder pattern, of which the first line shows the upper edge.
        #expect(code[1].hasPrefix("██ ▄▄▄▄▄ █") && code[1].hasSuffix("█ ▄▄▄▄▄ ██"), "\(code[1])")
        let long = listening.flow.with([
            "authorization_url": .string("https://as.example/?" + String(repeating: "x", count: 3000))
        ])
        let tooLong = try Listening(long, ["--qr"])
        _ = try tooLong.program.errorLine { $0.contains("no QR code") }
        try tooLong.finish()
    }
}
