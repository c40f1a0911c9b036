import Redaction
import Testing
import Wire

@Suite("Redactor")
struct RedactorTests {
    private let secret = "p/ss+w=rd \"ü\\%41~*"

    private func redact(_ text: String) -> String { Redactor(secrets: [secret]).redact(text) }

    @Test("a secret is masked as it stands, and nothing around it")
    func plain() {
        #expect(redact("a\(secret)b \(secret)") == "a***b ***")
        #expect(redact("nothing here") == "nothing here")
    }

    @Test(
        "a secret is masked however it is percent-encoded",
        arguments: [
            "p%2Fss%2Bw%3Drd%20%22%C3%BC%5C%2541~%2A", "p%2fss%2bw%3drd%20%22%c3%bc%5c%2541~%2a",
            "p%2Fss%2Bw%3Drd+%22%C3%BC%5C%2541%7E*", "%70/ss+w=rd%20\"%C3%bc\\%41~*",
        ])
    func percent(text: String) { #expect(redact("x=\(text)&y") == "x=***&y") }

    @Test(
        "a secret is masked however it is escaped in JSON",
        arguments: [
            #"p/ss+w=rd \"ü\\%41~*"#, #"p\/ss+w=rd \"\u00fc\\%41~*"#,
            #"\u0070\u002Fss\u002bw=rd\u0020\u0022\u00FC\u005c%41~*"#,
        ])
    func json(text: String) { #expect(redact(#"{"s":"\#(text)"}"#) == #"{"s":"***"}"#) }

    @Test(
        "a secret is masked however it is escaped in HTML, XML or a script",
        arguments: [
            #"p/ss+w=rd &quot;ü\%41~*"#, #"p&#x2F;ss&#43;w&#x3D;rd &#34;ü&#92;%41~*"#,
            #"p&#x2f;ss&#X2B;w=rd&#32;&#0034;&#xFC;&#x5C;&#37;41~*"#, #"p&amp;#x2F;ss+w=rd &amp;quot;ü\%41~*"#,
            #"\x70/ss\x2Bw\x3Drd\x20\x22\xc3\xbc\x5c%41~*"#, #"p%26%2347%3Bss+w=rd \u0026quot;ü\%41~*"#,
        ])
    func markup(text: String) { #expect(redact("<p>\(text)</p>") == "<p>***</p>") }

    @Test(
        "a secret that looks as if it were escaped in HTML is masked as it is, and escaped again",
        arguments: ["hunt&amp;er2hunter", "hunt&#x26;er2hunter", #"hunt\x61er2hunter"#, "hunt&er2;hunter&"])
    func likeMarkup(secret: String) {
        let redactor = Redactor(secrets: [secret])
        for text in [secret, secret.replacing("&", with: "&amp;"), FormEncoding.encode(secret)] {
            #expect(redactor.redact("<p>\(text)</p>") == "<p>***</p>")
            #expect(redactor.redact("a=b&amp;c=\(text) d") == "a=b&amp;c=*** d")
        }
        #expect(redactor.redact("{\(JSON.string(secret).text)}") == #"{"***"}"#)
    }

    @Test(
        "a secret that is longer than every text so far is masked in a longer text too, and its beginning in a short one"
    )
    func longSecret() {
        let secret = String((0..<20_000).flatMap { "\($0)-" })
        let redactor = Redactor(secrets: [secret])
        #expect(redactor.redact("a \(secret.prefix(1000)) b") == "a *** b")
        #expect(redactor.redact("a \(secret) b") == "a *** b")
        #expect(redactor.redact("a \(secret.prefix(90_000)) b") == "a *** b")
    }

    @Test(
        "a secret with a backslash is masked, also where the sign behind it is escaped, and that escape again",
        arguments: [
            (#"hunt\&er2hunter"#, #"hunt\\\u0026er2hunter"#), (#"hunt\éer2hunter"#, #"hunt\\\u00e9er2hunter"#),
            (#"hunt\+er2hunter"#, #"hunt\\\u002Ber2hunter"#), (#"\<hunter2hunter"#, #"\\\u003chunter2hunter"#),
            (#"hunt\\&er2hunter"#, #"hunt\\\\\u0026er2hunter"#), (#"hunt\&er2hunter"#, #"hunt\\\\\\u0026er2hunter"#),
            (#"hunt\&er2hunter"#, "hunt%5C%5C%5Cu0026er2hunter"), (#"hunt\&er2hunter"#, "hunt%5C%26er2hunter"),
            (#"hunter2hunter\"#, #"hunter2hunter\\"#), (#"DOMAIN\user:pass\word"#, #"DOMAIN\\user:pass\\word"#),
            (#"hunt\ner2hunter"#, #"hunt\\ner2hunter"#), (#"hunt\ner2hunter"#, #"hunt\u005c\u006eer2hunter"#),
            (#"hunt\&er2hunter"#, #"hunt\&er2hunter"#),
        ])
    func backslash(secret: String, text: String) {
        let shown = Redactor(secrets: [secret]).redact(#"{"echo":"\#(text)","x":"y"}"#)
        #expect(shown.hasPrefix(#"{"echo":"***"#) && !shown.contains("hunt") && !shown.contains("word"), "\(shown)")
    }

    @Test("a secret with space around it is masked without that space too, as a header field has it")
    func space() {
        for secret in [" hunter2hunter2", "\thunter2hunter2 ", "hunter2hunter2 "] {
            let redactor = Redactor(secrets: [secret])
            for line in ["X-Test: hunter2hunter2", "X-Test:\(secret)", "X-Test:  \(secret)  x"] {
                let shown = redactor.redact(headerLine: line)
                #expect(shown.hasPrefix("X-Test: ") && !shown.contains("hunter2"), "\(shown)")
            }
            #expect(redactor.redact("\(secret)|hunter2hunter2").contains("|***"))
        }
    }

    @Test("every JWT with a header that is known is masked to its end, and no other")
    func header() {
        let redactor = Redactor()
        redactor.add(beginningOfJWTs: "eyJ0eXAiOiJkcG9wK2p3dCJ9")
        let proof = "eyJ0eXAiOiJkcG9wK2p3dCJ9.eyJodG0iOiJHRVQifQ.c2lnbmF0dXJl_-"
        #expect(redactor.redact("got \(proof), twice: \(proof)") == "got ***, twice: ***")
        #expect(redactor.redact(#"{"proof":"\#(proof)"}"#) == #"{"proof":"***"}"#)
        #expect(redactor.redact("eyJhbGciOiJub25lIn0.e30.") == "eyJhbGciOiJub25lIn0.e30.")
    }

    @Test("a secret beyond the basic plane is masked where JSON spells it as two surrogates")
    func surrogates() {
        #expect(Redactor(secrets: ["key😀key"]).redact(#"key\ud83d\uDE00key"#) == "***")
    }

    @Test(
        "a secret is masked inside Base64, at any place and in both alphabets",
        arguments: ["", "x", "xy", "xyz", "client-id:"], ["", "z", "zz"])
    func base64(before: String, after: String) {
        let secrets = ["hunter2hunter2", "s?>~s?>~s?>~", "a b/c"]
        let redactor = Redactor(secrets: secrets)
        for secret in secrets {
            for form in [secret, FormEncoding.encode(secret)] {
                let bytes = Array((before + form + after).utf8)
                for text in [Base64.encode(bytes), Base64.encodeURL(bytes)] {
                    let shown = redactor.redact("Basic \(text) .")
                    #expect(shown.contains("***"), "\(text)")
                    // No character stays that holds a bit of the secret.
                    let (first, last) = (before.utf8.count * 8 / 6, ((before + form).utf8.count * 8 + 5) / 6)
                    let ends = shown.dropFirst("Basic ".count).dropLast(" .".count).split(separator: "***")
                    #expect(ends.joined().count <= first + text.count - last, "\(shown)")
                    #expect(shown.count < "Basic  .".count + 3 + (before.count + after.count) * 2 + 4, "\(shown)")
                }
            }
        }
    }

    @Test("a secret of less than six characters is not masked in the program's own text, which may have it as a word")
    func ownText() {
        let redactor = Redactor(secrets: ["the", "token", "secret", "hunter2"])
        #expect(redactor.redact("the token is secret, hunter2", isOwn: true) == "the token is ***, ***")
        #expect(redactor.redact("the token is secret, hunter2") == "*** *** is ***, ***")
        #expect(redactor.redact("Basic \(Base64.encode(Array("a:hunter2".utf8)))", isOwn: true).contains("***"))
    }

    @Test("a secret of three characters is masked as a whole word, and a shorter one not at all")
    func short() {
        let redactor = Redactor(secrets: ["123", "abc", "ab", "1", ""])
        #expect(redactor.redact("x/123.1 cabc abc=123&c=\"abc\" ab") == "x/123.1 cabc ***=***&c=\"***\" ab")
    }

    @Test("overlapping secrets are masked as one")
    func overlapping() {
        #expect(Redactor(secrets: ["abcdef", "defghi", "abcd"]).redact("-abcdefghi-") == "-***-")
        // The one that begins last may end first.
        for secrets in [["abcdef", "bcd"], ["bcde", "abcdef"]] {
            #expect(Redactor(secrets: secrets).redact("-abcdef-") == "-***-")
        }
    }

    @Test(
        "a secret of any size is masked, in time", .timeLimit(.minutes(5)),
        arguments: [("ab", 1 << 19), ("\\", 1 << 16), ("%", 1 << 16), ("%25", 1 << 15)])
    func large(piece: String, count: Int) {
        let secret = String(repeating: piece, count: count)
        let redactor = Redactor(secrets: [secret + "x"])
        #expect(redactor.redact("a \(secret)x.") == "a ***.")
        // What cannot be told from an escape may be masked too.
        let shown = redactor.redact(secret + secret + "x")
        #expect(shown.utf8.count <= secret.utf8.count + 3 && shown.hasSuffix("***"))
        #expect(redactor.redact(FormEncoding.encode("\(secret)x") + "&y") == "***&y")
        let isMasked = redactor.redact(secret + "y") == "***y"
        #expect(isMasked)
    }

    @Test(
        "a secret that the sender has shortened is masked before any words, in every encoding",
        arguments: [32, 40, 803], ["\"}", "... is bad", " is bad", "-", "\u{0}"])
    func shortened(count: Int, after: String) {
        let secret = "sandbox-" + (8..<count).map { _ in String("abcdefgh/=&".randomElement() ?? "x") }.joined()
        let redactor = Redactor(secrets: [secret])
        for length in [16, count - 1] {
            let beginning = String(secret.prefix(length))
            #expect(redactor.redact("token \(beginning)\(after)") == "token ***\(after)")
            let percent = beginning.utf8.map { "%" + String($0, radix: 16) }.joined()
            #expect(redactor.redact("token \(percent)\(after)") == "token ***\(after)")
            let encoded = JSON.string(beginning).text.dropFirst().dropLast()
            #expect(redactor.redact("\"\(encoded)\(after)") == "\"***\(after)")
        }
        let basic = Base64.encode(Array("id:\(secret)".utf8))
        for length in [28, basic.count - 4] {
            let shown = redactor.redact("Basic \(basic.prefix(length))\(after)")
            #expect(shown.contains("***") && shown.count < "Basic ***".count + 8 + after.count, "\(shown)")
        }
    }

    @Test(
        "the beginning of a secret is masked where the text ends inside an escape",
        arguments: [
            "%", "%2", "\\", "\\u", "\\u0", "\\u00", "\\u007", "\\ud83d", "\\ud83d\\", "\\ud83d\\uDE0", "%255",
            "\\x", "\\x4", "&", "&#", "&#x", "&#x4", "&am", "&quo",
        ])
    func cutEscape(end: String) {
        let redactor = Redactor(secrets: ["H4aaBBccDD/eeFF%\\😀", "H4aaBBccD\\eeFF"])
        for beginning in ["H4aaBBcc", "H4aaBBccD", "%484aaBBccD"] {
            let shown = redactor.redact("token \(beginning)\(end)")
            // The second secret goes on with a backslash.
            #expect(["token ***\(end)", "token ***"].contains(shown), "\(shown)")
        }
        #expect(redactor.redact("token H4aaBB\(end)") == "token H4aaBB\(end)")
    }

    @Test("the beginning of a secret is masked from 6 bytes on before an ellipsis, as in the messages of libjq")
    func ellipsis() {
        let redactor = Redactor(secrets: ["sandbox-secret-0123456789", "gho_0123456789abcdef"])
        for mark in ["...", "…"] {
            #expect(redactor.redact("(\"sandbox-se\(mark)) has no keys") == "(\"***\(mark)) has no keys")
            #expect(redactor.redact("gho_01\(mark)") == "***\(mark)")
            #expect(redactor.redact("gho_0\(mark)") == "gho_0\(mark)")
        }
        #expect(redactor.redact("the sandbox.") == "the sandbox.")
        // libjq 1.8 shows more of a value than 1.6.
        #expect(redactor.redact("(\"sandbox-secret-012345678...)") == "(\"***...)")
        #expect(redactor.redact("{\"t\":\"sandbox-secret-01...") == "{\"t\":\"***...")
    }

    @Test(
        "the beginning of a secret is masked where an ellipsis has split a character or an escape",
        arguments: [
            ("gho_01é89abcdef", "gho_01\u{FFFD}"), ("gho_01\u{1}89abcdef", "gho_01\\u00"),
            ("gho_01\"89abc", "gho_01\\"), ("gho_01é89abcdef", "gho_01%C"),
        ])
    func splitEllipsis(secret: String, shown: String) {
        let redacted = Redactor(secrets: [secret]).redact("(\"\(shown)...) has no keys")
        #expect(!redacted.contains("gho_01") && redacted.contains("...) has no keys"), "\(redacted)")
        #expect(Redactor(secrets: ["gho_0189"]).redact("gho_01 ...") == "gho_01 ...")
    }

    @Test("what a secret has in common with others of its kind is shown, as are other words that begin alike")
    func commonBeginnings() {
        let redactor = Redactor(secrets: [
            "eyJhbGciOiJSUzI1NiJ9.e30.c2ln", "gho_0123456789abcdef", "github_pat_0123456789", "sandbox-secret",
            "sandbox-access-token-0123456789",
        ])
        for text in [
            "eyJhbGciOi is JSON", "gho_ is GitHub", "a github_pat_ token", "sandbox-secure", "the sandbox-client",
            "sandbox-access to",
        ] { #expect(redactor.redact(text) == text) }
        #expect(redactor.redact("the sandbox-access-token is") == "the *** is")
    }

    @Test("the beginning of a secret is masked from 8 bytes on where the text ends with it, else from 12 on")
    func cutSecret() {
        let secret = "eyJhbGciOiJIUzI1NiJ9.e30"
        let redactor = Redactor(secrets: [secret, "ordinary-words-of-a-secret"])
        for length in 8..<secret.count {
            let beginning = secret.prefix(length)
            #expect(redactor.redact("token \(beginning)") == "token ***")
            #expect(redactor.redact("token \(beginning) is") == "token \(length < 12 ? beginning : "***") is")
            let escaped = beginning.utf8.map { "%" + String($0, radix: 16) }.joined()
            #expect(redactor.redact("token \(escaped)") == "token ***")
        }
        for text in ["eyJhbGc", "ordinary", "ordinary words", "-words-of-a-secret", "words ordinar"] {
            #expect(redactor.redact(text) == (text == "ordinary" ? "***" : text))
        }
        let encoded = Base64.encode(Array("id:\(secret)".utf8))
        #expect(redactor.redact("Basic \(encoded.prefix(24))").hasSuffix("***"))
    }

    @Test("a text is masked before it is cut, wherever the cut falls in a secret")
    func cutText() {
        let secret = String((0..<800).map { "abcdefghij0123456789".randomElement() ?? Character("\($0)") })
        let redactor = Redactor(secrets: [secret])
        for offset in 280...310 {
            let shown = redactor.redact(String(repeating: "-", count: offset) + secret, upTo: 300)
            let rest = shown.drop { $0 == "-" }
            #expect(shown.count <= 301 && rest.allSatisfy { "*…".contains($0) }, "\(shown)")
        }
        #expect(
            redactor.redact("e\u{301}" + String(repeating: "\u{301}", count: 500), upTo: 300).unicodeScalars.count
                == 301)
        #expect(redactor.redact("short", upTo: 5) == "short")
    }

    @Test("a secret that repeats itself is masked to its end")
    func periodic() {
        #expect(Redactor(secrets: ["abcabc"]).redact("-abcabcabcab-") == "-***ab-")
        #expect(Redactor(secrets: ["aaaa"]).redact("aaaaaab") == "***b")
    }

    @Test(
        "a secret is masked whatever stands before it or in it that looks like an escape",
        arguments: ["%", "\\", "\\u", "%2", "%25", "\\\\", "\\x", "&", "&#", "&#x4"])
    func afterEscape(before: String) {
        for secret in ["abcdef0123", "nabcdef", "41%41%41%41", "\\n\\n\\n", "%%%%"] {
            let redactor = Redactor(secrets: [secret])
            #expect(!redactor.redact("x=\(before)\(secret)z").contains(secret))
            #expect(redactor.redact("x=\(FormEncoding.encode(secret))&") == "x=***&")
            #expect(redactor.redact("{\(JSON.string(secret).text)}") == #"{"***"}"#)
        }
    }

    @Test("bytes that are no UTF-8 pass, the secret among them does not")
    func bytes() {
        #expect(
            Redactor(secrets: ["hunter2"]).redact([0xFF] + Array("hunter2".utf8) + [0xFE]) == [0xFF, 42, 42, 42, 0xFE])
    }

    @Test("a secret that becomes known later is masked from then on")
    func added() {
        let redactor = Redactor()
        #expect(redactor.redact("hunter2") == "hunter2")
        redactor.add("hunter2")
        #expect(redactor.redact("hunter2") == "***")
    }

    @Test(
        "parameters known by name are masked in URLs",
        arguments: [
            ("https://a.example/cb?code=abc&state=d%20e&x=1", "https://a.example/cb?code=***&state=***&x=1"),
            (
                "https://a.example/#access_token=abc&token_type=Bearer",
                "https://a.example/#access_token=***&token_type=Bearer"
            ),
            ("GET /?refresh_token=abc HTTP/1.1", "GET /?refresh_token=*** HTTP/1.1"),
            ("<https://a.example/?page=2&api_key=k>; rel=next", "<https://a.example/?page=2&api_key=***>; rel=next"),
            ("https://a.example/?barcode=1&code=", "https://a.example/?barcode=1&code="),
            ("https://me:pw@a.example/x@y", "https://***@a.example/x@y"),
            ("https://user:p@ss@host/a@b", "https://***@host/a@b"),
        ])
    func parameters(text: String, shown: String) { #expect(Redactor().redact(url: text) == shown) }

    @Test(
        "a parameter is known by its name in any case, with - or _, percent-encoded, and beside others of its kind",
        arguments: [
            "Access_Token", "access%5Ftoken", "ACCESS-TOKEN", "access%5ftoken", "auth", "session", "ticket", "code",
            "SAMLResponse", "x-amz-signature", "X-Amz-Security-Token", "jwt", "pwd", "secret", "authorization",
            "Password", "passwd", "private_key", "apiKey", "client-secret", "accessToken", "user[password]", "sid",
        ])
    func parameterNames(name: String) {
        let redactor = Redactor()
        for (before, after) in [
            ("https://a.example/?", "&x=1"), ("https://a.example/?x=1&", ""), ("https://a.example/#", ""),
            ("https://a.example/?x=1;", ""), ("GET /?", " HTTP/1.1"), ("", ""), ("x ", " y"), ("a=b, ", ""),
        ] {
            #expect(redactor.redact(url: "\(before)\(name)=hush\(after)") == "\(before)\(name)=***\(after)")
        }
        #expect(redactor.redact(HTTPField("X-A", "\(name)=hush")).value == "\(name)=***")
        #expect(redactor.redact(HTTPField("X-A", #"{"\#(name)": "hush"}"#)).value == #"{"\#(name)": "***"}"#)
    }

    @Test(
        "a parameter that only speaks of credentials, of pages or of amounts is shown",
        arguments: [
            "token_type", "client_assertion_type", "token_endpoint_auth_method", "page_token", "nextPageToken",
            "max_tokens", "barcode", "author", "expires_in", "refresh_token_expires_in", "grant_type", "statement",
            "sort_key", "encode", "scope", "client_id", "subject_token_type", "token_type_hint", "code_challenge",
        ])
    func harmlessNames(name: String) {
        let text = "https://a.example/?\(name)=shown"
        #expect(Redactor().redact(url: text) == text)
    }
}
