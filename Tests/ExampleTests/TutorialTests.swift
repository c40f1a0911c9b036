import Foundation
import TestSupport
import Testing

/// `examples/tutorial-1` to `-5`, in the sandbox, with a browser that follows redirects and gives one to a private-use scheme
/// to `oap`, as a desktop does.
@Suite("The programs of the tutorials")
struct TutorialTests {
    private static let browser = """
        #!/bin/bash
        echo opened >> "$FILES/opened"
        if [ -e "$FILES/closed" ]; then exit 0; fi
        if [ -e "$FILES/slow" ]; then read -r _ < "$FILES/slow"; fi
        url="${*: -1}"
        while [[ $url == http* ]]; do
            url=$(curl --silent --show-error --max-time 20 --output /dev/null --write-out '%{redirect_url}' "$url")
        done
        if [ -n "$url" ]; then exec oap callback-parse --hand-over "$url"; fi

        """
    private static let schemes = [
        "--redirect-uri", "grokGithub://?aParam=paramVal", "--redirect-uri", "gitonfire://", "--redirect-uri",
        "authhub://",
    ]

    /// Runs a script beside a sandbox. `tutorial N` starts a program, both outputs on standard output.
    private static func run(_ script: String, options: [String] = []) throws -> ProgramResult {
        let folder = try TemporaryDirectory()
        // The name tells oap how a private window is opened.
        let path = try folder.write(browser, to: "chromium")
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
        let setUp = """
            export FILES=\(folder.path) BROWSER=\(path) HOME=\(folder.path)
            cd "$FILES"
            tutorial() { "\(Fixture.project)/examples/tutorial-$1" "$OAP_SANDBOX_FILE" 2>&1; }

            """
        var sandbox = Program.sandbox(
            schemes + options + ["--run", "/bin/bash", "-euo", "pipefail", "-c", setUp + script])
        sandbox.directory = folder.path
        sandbox.deadline = .seconds(60)
        return try sandbox.run()
    }

    @Test("tutorial 1 lists my repositories, logs in only once, and knows of a login that is under way")
    func first() throws {
        let result = try Self.run(
            """
            mkfifo "$FILES/slow"
            tutorial 1 > first &
            until [ -e opened ]; do read -r -t 0.05 < <(:) || true; done
            tutorial 1 > second &
            until grep 'another oap login grok is under way' second; do read -r -t 0.05 < <(:) || true; done
            echo > "$FILES/slow"
            rm "$FILES/slow"
            wait
            grep -c '^ada/' first
            grep -c '^ada/' second
            tutorial 1 | grep -c '^ada/'
            wc -l < opened
            """
        ).expect(status: 0)
        #expect(result.text.hasSuffix("is under way: waiting for its end\n30\n30\n30\n1\n"), "\(result)")
    }

    @Test("tutorial 1 deletes a token that the API refuses")
    func refused() throws {
        let result = try Self.run(
            "tutorial 1 > /dev/null || echo $?; oap store list --jq .name -r", options: ["--fault", "api:401"])
        #expect(result.expect(status: 0).text == "7\n", "\(result)")
    }

    @Test("tutorial 2 renews a token once for all who ask, and ends with its revocation")
    func second() throws {
        let result = try Self.run("tutorial 2; oap store list").expect(status: 0)
        #expect(result.text.split(separator: "\n").count { $0 == "ada" } == 5, "\(result)")
        #expect(result.text.contains("oap: logout: manager: refresh_token and access_token revoked at the server"))
    }

    @Test("tutorial 2 ends with the status of a call that failed, says why, and leaves no list of repositories")
    func secondRefused() throws {
        let result = try Self.run("tutorial 2 || echo $?; ls", options: ["--fault", "api:400"]).expect(status: 0)
        #expect(result.text.contains("\nthe API refused: GET http"), "\(result)")
        #expect(result.text.contains("\n7\n") && !result.text.contains("repositories.json"), "\(result)")
    }

    @Test("tutorial 3 has all repositories after three responses of 503, and a trace of them")
    func third() throws {
        let result = try Self.run(
            "DELAY=0.1 tutorial 3 > printed; grep -c '^ada/' printed; jq '.log.entries | length' trace.har",
            options: ["--fault", "api:503x3"]
        ).expect(status: 0)
        #expect(result.text == "321\n7\n", "\(result)")
    }

    @Test("tutorial 4 says who is logged in, and notices that the private window is closed")
    func fourth() throws {
        let result = try Self.run("tutorial 4; touch closed; tutorial 4 || echo $?; oap store list").expect(status: 0)
        #expect(result.text.contains("Signed in as ada\n"), "\(result)")
        #expect(result.text.hasSuffix("to open the URL yourself, leave --open and --ephemeral out\n6\n"), "\(result)")
    }

    @Test("tutorial 5 shows public gists without a token, asks before the browser opens, and prints the request")
    func fifth() throws {
        let result = try Self.run(
            """
            echo n | tutorial 5 && ls
            echo y | tutorial 5
            """
        ).expect(status: 0)
        #expect(result.text.hasPrefix("Note 43\nNote 44\nNote 45\nOpen the browser to log in? [y/N] chromium\n"))
        #expect(result.text.contains("curl "), "\(result)")
        #expect(result.text.hasSuffix("Note 1\nNote 2\nNote 3\n"), "\(result)")
    }
}
