import Testing
import Wire

@testable import OAuth

@Suite("Callbacks")
struct CallbackTests {
    @Test(
        "C-02 the shapes of a callback are told apart, white space around them is dropped",
        arguments: [
            (" \r\n\thttps://app.example/cb?code=a \n", Callback.url(WebURL("https://app.example/cb?code=a"))),
            ("app:/cb?code=a", .url(WebURL("app:/cb?code=a"))),
            ("/cb?code=a?b", .target(path: "/cb", query: "code=a?b")),
            ("/cb", .target(path: "/cb", query: "")), ("?code=a", .target(path: "", query: "code=a")),
            ("code=a&state=https://x", .bare("code=a&state=https://x")), ("code&state=a:b", .bare("code&state=a:b")),
            ("code", .bare("code")), ("#code=a", .fragment("code=a")), ("#", .fragment("")),
            ("4/0Ab+c s-1", .bare("code=4%2F0Ab%2Bc&state=s-1")),
            ("the-code#state", .bare("code=the-code&state=state")),
            ("a b c", .bare("a b c")), ("a#", .bare("a#")),
        ])
    func shapes(text: String, shape: Callback?) throws { #expect(try Callback(pasted: text) == shape) }

    @Test(
        "a URL is found in what mail, chat and shells make of it",
        arguments: [
            "'URL'", "\"URL\"", "`URL`", "<URL>", "“URL”", "„URL“", "«URL»", "(URL)", "[the page](URL)", "[URL](URL)",
            "Location: URL", "open URL in a browser", "<a href=\"URL\">here</a>", "\u{FEFF}URL\u{200B}", "curl 'URL'",
            "https://app.example/cb?code=a\r\n   &state=b", "https://app.example/cb?co\nde=a&sta\nte=b\n",
            "https://app.example/cb?code=a&amp;state=b", "https://app.example/cb?code=a&#38;state=b",
            "https://app.example/cb?code=a&#x26;state=b", "https://app.example/cb?code=a&#X26;state=b",
            "https:&#x2F;&#x2f;app.example/cb?code&#x3D;a&#038;state&#61;b",
            "<a href=&quot;URL&quot;>", "<a href=\"https://app.example/cb?code=a&#x26;state=b\">here</a>",
            #"https://app.example/cb\?code\=a\&state\=b"#, "app.example/cb?code=a&state=b", "it led to URL.", "URL;",
        ])
    func wrapped(text: String) throws {
        let url = "https://app.example/cb?code=a&state=b"
        #expect(try Callback(pasted: text.replacing("URL", with: url)) == .url(WebURL(url)))
    }

    @Test(
        "marks and words around other shapes go too, and what a URL cannot hold is encoded",
        arguments: [
            ("<app:/cb?code=a>", Callback.url(WebURL("app:/cb?code=a"))),
            ("app:/cb?x=\u{E9} b\\", .url(WebURL("app:/cb?x=%C3%A9%20b%5C"))),
            ("app:/cb?code=a&#0;&b;&lt", .url(WebURL("app:/cb?code=a&#0;&b;&lt"))),
            ("'code=a&state=https://x'", .bare("code=a&state=https://x")),
            ("GET /cb?code=a&state=b HTTP/1.1", .target(path: "/cb", query: "code=a&state=b")),
            ("localhost:9/cb?code=a", .url(WebURL("http://localhost:9/cb?code=a"))),
            ("localhost/cb?code=a.", .url(WebURL("http://localhost/cb?code=a."))),
            ("4/0Ab?", .bare("4/0Ab?")), ("code=a&state=b.", .bare("code=a&state=b")),
            ("state=b&code=a.", .bare("state=b&code=a.")),
            ("\"?code=a\"", .target(path: "", query: "code=a")), ("`#code=a&amp;state=b`", .fragment("code=a&state=b")),
        ])
    func marked(text: String, shape: Callback?) throws { #expect(try Callback(pasted: text) == shape) }

    @Test(
        "C-02 a text that has no shape of a callback is refused",
        arguments: ["", " \n", "https://a b/", "http:// x", #"{"code":"c"}"#, "::"])
    func shapeless(text: String) {
        let error = #expect(throws: OAuthError.self) { try Callback(pasted: text) }
        #expect(error?.kind == .unreadableResponse)
        #expect(error?.kind.name == "parse")
    }

    @Test(
        "C-03 a callback that came to the redirect URI is taken",
        arguments: [
            ("https://app.example/cb", "HTTPS://APP.example:443/cb?code=c&state=s"),
            ("https://app.example", "https://app.example/?code=c&state=s"),
            ("http://[::1]:9/", "http://[::1]:9/?code=c&state=s"), ("app:/cb", "APP:/cb?code=c&state=s"),
            ("https://app.example/cb", "/cb?code=c&state=s"), ("gitonfire://", "gitonfire://?code=c&state=s"),
            ("grokGithub://?a=b", "grokgithub:///?a=b&code=c&state=s"),
            ("https://app.example/cb?a=1&b=%20", "https://app.example/cb?code=c&b=+&state=s&a=1"),
            ("https://app.example/cb?a=1", "/cb?a=1&code=c&state=s"), ("https://app.example/cb?a=1", "code=c&state=s"),
            ("https://app.example/cb?a=1&a=2", "https://app.example/cb?a=1&a=2&code=c&state=s"),
        ])
    func same(redirectURI: String, callback: String) throws { #expect(try read(callback, redirectURI).code == "c") }

    @Test(
        "C-03 a callback that came to somewhere else is refused",
        arguments: [
            ("https://app.example/cb", "https://app.example/cb/x?code=c&state=s"),
            ("https://app.example/cb", "https://app.example/CB?code=c&state=s"),
            ("https://app.example/cb", "https://u@app.example/cb?code=c&state=s"),
            ("https://app.example/cb", "https://app.example/c%62?code=c&state=s"),
            ("https://app.example/cb", "https://app.example:8443/cb?code=c&state=s"),
            ("https://app.example/cb", "https://app.example.evil.example/cb?code=c&state=s"),
            ("https://app.example/", "https://app.example?code=c&state=s"),
            ("https://app.example/cb", "https://app.example@evil.example/cb?code=c&state=s"),
            ("http://127.0.0.1:1/cb", "http://127.0.0.2:1/cb?code=c&state=s"),
            ("http://127.0.0.1:1/cb", "http://[::1]:1/cb?code=c&state=s"),
            ("https://app.example/cb", "/other?code=c&state=s"), ("https://app.example/K", "/\u{212A}?code=c&state=s"),
            ("https://app.example/cb?a=1", "/cb?code=c&state=s"),
            ("https://app.example/cb?a=1", "/cb?a=2&code=c&state=s"),
            ("https://app.example/cb?a=1&a=2", "https://app.example/cb?a=1&code=c&state=s"),
            ("https://app.example/cb?a=1", "a=2&code=c&state=s"),
        ])
    func other(redirectURI: String, callback: String) {
        let error = #expect(throws: OAuthError.self) { try read(callback, redirectURI) }
        #expect(error?.kind == .redirectMismatch)
    }

    @Test(
        "C-04 parameters of a callback that came where they were asked for are taken",
        arguments: [
            ("query", "https://app.example/cb?code=c&state=s#"), ("query", "https://app.example/cb?code=c&state=s#_=_"),
            ("query", "?code=c&state=s"),
            ("fragment", "https://app.example/cb#code=c&state=s"),
            ("fragment", "https://app.example/cb?#code=c&state=s"), ("fragment", "#code=c&state=s"),
            ("fragment", "code=c&state=s"), ("form_post", "code=c&state=s"),
        ])
    func rightChannel(mode: String, callback: String) throws { #expect(try read(callback, mode: mode).code == "c") }

    @Test(
        "C-04 parameters of a callback that came by another way are refused",
        arguments: [
            ("query", "#code=c&state=s"), ("query", "https://app.example/cb?code=c&state=s#x"),
            ("query", "https://app.example/cb#code=c&state=s"),
            ("fragment", "https://app.example/cb?x=1#code=c&state=s"), ("fragment", "?code=c&state=s"),
            ("fragment", "/cb?code=c&state=s"),
            ("form_post", "#code=c&state=s"), ("form_post", "?code=c&state=s"),
            ("form_post", "https://app.example/cb#code=c&state=s"),
        ])
    func wrongChannel(mode: String, callback: String) {
        let error = #expect(throws: OAuthError.self) { try read(callback, mode: mode) }
        #expect(error?.kind == .wrongChannel)
        let places = ["query": "in the query", "fragment": "in the fragment", "form_post": "in a POST body"]
        #expect(error?.message.hasSuffix("but the request asked for them \(places[mode] ?? "")") == true)
    }

    @Test("C-04 a form is posted to the redirect URI, as a form, and brings nothing in the URL")
    func form() throws {
        #expect(try post("https://app.example/cb", type: "application/x-www-form-urlencoded; charset=UTF-8") == nil)
        #expect(try post("https://app.example/cb", type: nil) == nil)
        #expect(try post("https://app.example/cb?a=1", type: nil, redirectURI: "https://app.example/cb?a=1") == nil)
        #expect(try post(nil, type: nil) == nil)
        #expect(try post("https://app.example/cb", type: "text/plain") == .wrongChannel)
        #expect(try post("https://app.example/cb?code=c", type: nil) == .wrongChannel)
        #expect(try post("https://app.example/other", type: nil) == .redirectMismatch)
        #expect(try post("https://app.example/cb", type: nil, mode: "query") == .wrongChannel)
        #expect(try post("https://app.example/cb", type: nil, mode: "fragment") == .wrongChannel)
    }

    @Test(
        "C-02 a parameter that does not decode and means nothing here is borne, wherever it stands",
        arguments: ["x=%", "%zz=1", "x=%ff", "x=%00", "%", "x=%E0%A4%A", "error_uri=%"])
    func undecodable(piece: String) throws {
        for (mode, callback) in [
            ("query", "https://app.example/cb?code=c&state=s&\(piece)"), ("query", "?code=c&state=s&\(piece)"),
            ("fragment", "#code=c&state=s&\(piece)"), ("form_post", "code=c&state=s&\(piece)"),
        ] { #expect(try read(callback, mode: mode).code == "c") }
    }

    @Test(
        "C-02 a parameter that is compared or sent must decode",
        arguments: [
            "code=%&state=s", "code=c&state=s%ff", "code=c&state=s&iss=%E9", "code=c&st%61te=%00", "response=%",
        ])
    func undecodableChecked(query: String) {
        let error = #expect(throws: OAuthError.self) { try read("https://app.example/cb?\(query)") }
        #expect(error?.kind == .unreadableResponse)
    }

    private func read(
        _ callback: String, _ redirectURI: String = "https://app.example/cb", mode: String = "query"
    ) throws -> AuthorizationResponse {
        try AuthorizationResponse(Callback(pasted: callback), for: flow(redirectURI, mode))
    }

    /// The kind of failure of a form that was posted; nil when there is none.
    private func post(
        _ url: String?, type: String?, redirectURI: String = "https://app.example/cb", mode: String = "form_post"
    ) throws -> OAuthError.Kind? {
        let callback = Callback.form(body: "code=c&state=s", contentType: type, url: url.flatMap { WebURL($0) })
        do {
            _ = try AuthorizationResponse(callback, for: flow(redirectURI, mode))
            return nil
        } catch {
            return error.kind
        }
    }

    private func flow(_ redirectURI: String, _ mode: String) -> Document {
        Document(["redirect_uri": .string(redirectURI), "response_mode": .string(mode), "state": .string("s")])
    }
}

extension Callback {
    /// A URL that the test knows to be one.
    fileprivate static func url(_ url: WebURL?) -> Callback? { url.map { .url($0) } }
}
