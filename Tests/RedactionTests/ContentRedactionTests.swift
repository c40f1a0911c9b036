import Redaction
import Testing
import Wire

@Suite("Redactor: the content and the headers of messages")
struct ContentRedactionTests {
    @Test(
        "a content is masked by the names in it, whatever its notation, and so is each JWT",
        arguments: [
            (
                "grant_type=refresh_token&refresh_token=abc&client_id=x",
                "grant_type=refresh_token&refresh_token=***&client_id=x"
            ),
            (
                #"{"access_token":"abc","n":{"client_secret":"d"},"scope":"a"}"#,
                #"{"access_token":"***","n":{"client_secret":"***"},"scope":"a"}"#
            ),
            (
                "<r><Expiration>1</Expiration><a:SessionToken x=\"1\">abc</a:SessionToken><SecretAccessKey>d</r>",
                "<r><Expiration>1</Expiration><a:SessionToken x=\"1\">***</a:SessionToken><SecretAccessKey>***</r>"
            ),
            ("a eyJhbGciOiJub25lIn0.e30. b eyJx c", "a *** b eyJx c"), ("1 < 2 <b>x</b>", "1 < 2 <b>x</b>"),
            (
                #"{"client_secret":"a\"b\\","x":"\"","password":"c\\\"d"}"#,
                #"{"client_secret":"***","x":"\"","password":"***"}"#
            ),
            (
                #"{"client_secrets":["a",{"value":"b","n":[1,"c"]}],"x":["d"],"passwords":{"old":"e"},"y":"f"}"#,
                #"{"client_secrets":["***",{"value":"***","n":[1,"***"]}],"x":["d"],"passwords":{"old":"***"},"y":"f"}"#
            ),
            (#"{"refresh_token":["cut"#, #"{"refresh_token":["***"#),
            (#"{"refresh_token":"cut he"#, #"{"refresh_token":"***"#), ("known-secret", "***"),
        ])
    func content(text: String, masked: String) {
        let redactor = Redactor(secrets: ["known-secret"])
        #expect(String(decoding: redactor.redact(content: Array(text.utf8)), as: UTF8.self) == masked)
    }

    @Test("a content of marks that begin something takes no time", .timeLimit(.minutes(5)))
    func longContent() {
        for mark in ["--a\r\n", "--a\r\n\r\n", "--a\r\nname=\"", "<", "<a", "<token>", "eyJ.", "eyJ", "<a x=\""] {
            let start = ContinuousClock.now
            _ = Redactor().redact(content: Array(String(repeating: mark, count: (128 << 10) / mark.count).utf8))
            #expect(ContinuousClock.now - start < .seconds(10), "\(mark)")
        }
    }

    @Test("a part of a multipart form is masked by its name up to the next boundary, and its file name says nothing")
    func formParts() {
        let form = """
            --b
            Content-Disposition: form-data; name="client_secret"

            line 1

            line 2
            --b
            content-disposition: form-data; name=note; filename="password"

            shown
            --b
            Content-Disposition: form-data; filename="a.txt"; name="user[password]"
            Content-Type: text/plain

            hush
            --b--

            """
        let cut = String(form.dropLast("sh\n--b--\n".count))
        for (text, isCut) in [(form, false), (cut, true)] {
            let bytes = Array(text.replacing("\n", with: "\r\n").utf8)
            let shown = String(decoding: Redactor().redact(content: bytes), as: UTF8.self)
            for hidden in ["line 1", "line 2", "hu"] { #expect(!shown.contains(hidden), "\(shown)") }
            #expect(shown.contains("\r\n\r\nshown\r\n--b\r\n"), "\(shown)")
            #expect(shown.contains("\r\n\r\n***\r\n--b\r\n") && shown.hasSuffix("\r\n--b--\r\n") == !isCut, "\(shown)")
        }
    }

    @Test("a line of a head that is too long is masked before it is cut, so that no beginning of a secret is left")
    func longHeadLine() {
        for visible in 1...6 {
            let filler = String(repeating: "x", count: (16 << 10) - "X-A: ".count - visible)
            let line = "X-A: \(filler)hunter2hunter2 and more"
            let shown = Redactor(secrets: ["hunter2hunter2"]).redact(headerLine: line)
            #expect(shown.hasSuffix("x" + String("*** an".prefix(visible)) + "…"), "\(shown.suffix(20))")
        }
    }

    @Test("a continuation of a field of a head is masked, whatever the field is", arguments: [" ", "\t", " \t "])
    func foldedLine(space: String) {
        #expect(Redactor().redact(headerLine: "\(space)x; y: z") == " ***")
        #expect(Redactor().redact(headerLine: space) == "")
    }

    @Test("the values of credential headers are masked, the scheme of Authorization stays")
    func fields() {
        let redactor = Redactor()
        for (name, value, shown) in [
            ("Authorization", "Bearer abc def", "Bearer ***"), ("authorization", "abc", "***"),
            ("Proxy-Authorization", "Basic eDp5", "Basic ***"), ("Cookie", "a=b; c=d", "***"),
            ("Set-Cookie", "a=b; Path=/", "***"), ("DPoP", "e.y.J", "***"), ("X-Api-Key", "k", "***"),
            ("X-Auth-Token", "t", "***"), ("Content-Type", "text/plain", "text/plain"),
            ("WWW-Authenticate", "Bearer error=\"invalid_token\"", "Bearer error=\"invalid_token\""),
            ("DPoP-Nonce", "n", "n"), ("X-Auth", "s", "***"), ("Authentication", "s", "***"),
            ("X-Authorization", "Bearer s", "Bearer ***"), ("X-Signature", "s", "***"),
            ("X-Hub-Signature-256", "s", "***"), ("X-WebAuth", "s", "***"), ("X-Goog-IAP-JWT-Assertion", "s", "***"),
            ("X_Auth_User", "s", "***"), ("X-Session-Id", "s", "***"), ("X-Passwd", "s", "***"),
            ("X-Amz-Credential", "s", "***"),
            ("Author", "a", "a"), ("X-Author", "a", "a"), ("X-Authors", "a", "a"), ("X-Authority", "a", "a"),
            ("Accept", "*/*", "*/*"), ("X-OAuth-Scopes", "repo", "repo"), ("Proxy-Authenticate", "Basic", "Basic"),
            ("X-Passed", "a", "a"), ("ETag", "a", "a"), ("Location", "/cb?code=1", "/cb?code=***"),
        ] {
            #expect(redactor.redact(HTTPField(name, value)) == HTTPField(name, shown))
        }
    }
}
