import Foundation
import TestSupport
import Testing
import Wire

@Suite("The browser in the environment of the command of oap-sandbox") struct SandboxBrowserTests {
    @Test("the command's browser goes through a login by itself, and is none where a user decides on a page")
    func browser() throws {
        let login = """
            oap login work --open < "$OAP_SANDBOX_FILE" 2> /dev/null
            oap call -p work /user --jq .login -r
            """
        #expect(try Program.runBesideSandbox(login).expect(status: 0).text == "ada\n")
        let page = try Program.runBesideSandbox(options: ["--consent", "page"], "echo \"${BROWSER-none}\"")
        #expect(page.expect(status: 0).text == "none\n")
        #expect(page.errorText.contains("asks the user at every login\n"))
        let refusing = try Program.runBesideSandbox(options: ["--consent", "deny"], "true")
        #expect(refusing.expect(status: 0).errorText.contains("refuses every login\n"), "\(refusing)")
    }

    @Test("the browser sends a form that sends itself, and says what it cannot open without the query")
    func browserForm() throws {
        let result = try Program.runBesideSandbox(
            """
            oap authurl --response-mode form_post < "$OAP_SANDBOX_FILE" | oap listen --open 2> /dev/null |
                oap callback-parse | oap exchange --jq .token_type -r
            $BROWSER "http://127.0.0.1:1/x?code=secret" 2>&1 || echo $?
            """)
        let lines = result.expect(status: 0).text.split(separator: "\n")
        #expect(lines.first == "Bearer" && lines.last == "6" && !result.text.contains("secret"), "\(result.text)")
    }

    @Test("the browser ends before the client answers the redirect, so that a client may wait for it first")
    func waitingClient() throws {
        let client = """
            import os, socket, subprocess, urllib.parse, webbrowser
            server = socket.create_server(("127.0.0.1", 0))
            back = "http://127.0.0.1:%d/callback" % server.getsockname()[1]
            query = urllib.parse.urlencode({
                "response_type": "code", "client_id": "sandbox", "redirect_uri": back, "state": "s", "scope": "user"})
            assert webbrowser.open(os.environ["OAP_AUTHORIZATION_ENDPOINT"] + "?" + query)
            server.settimeout(20)
            connection, _ = server.accept()
            print(connection.recv(4096).split()[1].decode().split("=")[0])
            connection.sendall(b"HTTP/1.1 204 No Content\\r\\n\\r\\n")
            """
        let folder = try TemporaryDirectory()
        let file = try folder.write(client, to: "client.py")
        let result = try Program.sandbox(["--pkce-optional", "--run", "python3", file]).run()
        #expect(result.expect(status: 0).text == "/callback?code\n", "\(result)")
    }

    @Test("the browser trusts the certificate of the sandbox, which nothing else has to know")
    func certificate() throws {
        let folder = try TemporaryDirectory()
        let (file, key) = (folder.path("cert.pem"), folder.path("key.pem"))
        try Program.shell(
            """
            openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=localhost \
                -addext subjectAltName=IP:127.0.0.1 -keyout '\(key)' -out '\(file)' 2> /dev/null
            """
        ).run().expect(status: 0)
        let result = try Program.runBesideSandbox(
            options: ["--tls-certificate-file", file, "--tls-key-file", key],
            "oap login work --open --cacert '\(file)' < /dev/null && oap store list | jq -r .name")
        #expect(result.expect(status: 0).text == "work\n", "\(result)")
    }

    @Test("the browser hands the redirect of a private-use scheme to its handler")
    func scheme() throws {
        let result = try Program.runBesideSandbox(
            options: ["--redirect-uri", "com.example.app:/callback"],
            """
            oap scheme-handler com.example.app --install
            oap login work --open --redirect-uri com.example.app:/callback --timeout 20 && oap store list | jq -r .name
            """)
        #expect(result.expect(status: 0).text == "work\n", "\(result)")
    }

    @Test("a browser whose path BROWSER cannot name is not set, with a warning")
    func path() throws {
        let folder = try TemporaryDirectory()
        let copy = folder.path("a b/oap-sandbox")
        try FileManager.default.createDirectory(atPath: folder.path("a b"), withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: Program.sandbox([]).path, toPath: copy)
        var program = Program.sandbox(["--run", "/bin/sh", "-c", "echo \"${BROWSER-none}\""])
        program.path = copy
        let result = try program.run().expect(status: 0)
        #expect(result.text == "none\n" && result.errorText.contains("warning: BROWSER is not set"), "\(result)")
    }
}
