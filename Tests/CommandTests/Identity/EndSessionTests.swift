import Foundation
import TestSupport
import Testing
import Wire

@Suite("oap end-session")
struct EndSessionTests {
    private let token: JSONObject = [
        "client_id": "c", "id_token": "a.secret-id-token.c", "end_session_endpoint": "https://op.example/logout?x=1",
    ]

    @Test("EL-01 the URL has the ID token, the client and what is given, and -v does not show it")
    func url() throws {
        let options = ["--post-logout-redirect-uri", "https://a.example/", "--state", "s t", "--ui-locales", "de"]
        let result = try Program.oap(["end-session", "-v"] + options, input: token.input).run().expect(status: 0)
        result.expectSilence().expect(
            output: "https://op.example/logout?x=1&id_token_hint=a.secret-id-token.c&client_id=c"
                + "&post_logout_redirect_uri=https%3A%2F%2Fa.example%2F&state=s+t&ui_locales=de\n")
        let shaped = try Program.oap(["end-session", "-c"], input: token.input).run().expect(status: 0).object()
        #expect(shaped["end_session_url"]?.string?.hasPrefix("https://op.example/logout?") == true)
    }

    @Test("--open leads the browser to the URL, which is not in its arguments")
    func open() throws {
        let folder = try TemporaryDirectory()
        let fifo = folder.path("opened")
        try #require(mkfifo(fifo, 0o600) == 0)
        let script = """
            #!/bin/sh
            guess=$(curl -sS "${1%/*}/guess" -o /dev/null -w '%{http_code}')
            echo "$1 $guess $(curl -sS "$1" -o /dev/null -w '%{redirect_url}')" > '\(fifo)'
            """
        let browser = try folder.write(script, to: "browser")
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: browser)
        let program = try Program.oap(
            ["end-session", "--open"], input: token.input, environment: ["BROWSER": browser]
        ).start()
        _ = try program.errorLine { $0.contains("the browser was sent to") }
        let opened = try Program(path: "/bin/cat", arguments: [fifo]).run().text.split(whereSeparator: \.isWhitespace)
        try #require(opened.count == 3, "\(opened)")
        #expect(
            opened[0].hasPrefix("http://127.0.0.1:") && !opened[0].contains("secret-id-token") && opened[1] == "404")
        #expect(opened[2] == "https://op.example/logout?x=1&id_token_hint=a.secret-id-token.c&client_id=c")
        let result = try program.finish().expect(status: 0).expect(output: "").expect(nowhere: "secret-id-token")
        result.expect(errorLine: "oap: end-session: the browser was sent to https://op.example/logout")
    }

    @Test("a browser that fails before it asks for the page ends --open with exit status 6")
    func failing() throws {
        let result = try Program.oap(["end-session", "--open"], input: token.input, environment: ["BROWSER": "false"])
            .run().expect(status: 6)
        #expect(result.errorText.contains("the browser false failed with status 1"), "\(result)")
    }

    @Test("the single registered redirect URI is used, and what is wrong is refused")
    func refused() throws {
        let registered = token.with(["post_logout_redirect_uris": .array(["https://a.example/bye"])])
        let result = try Program.oap(["end-session"], input: registered.input).run().expect(status: 0)
        #expect(result.text.contains("post_logout_redirect_uri=https%3A%2F%2Fa.example%2Fbye"))
        let plain = token.with(["end_session_endpoint": "http://op.example/logout"])
        try Program.oap(["end-session"], input: plain.input).run().expect(status: 9).expect(nowhere: "secret-id-token")
        let none = token.with(["end_session_endpoint": .null])
        try Program.oap(["end-session"], input: none.input).run().expect(status: 3)
    }
}
