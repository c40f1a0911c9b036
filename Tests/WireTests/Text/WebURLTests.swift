import TestSupport
import Testing
@testable import Wire

@Suite("URLs")
struct WebURLTests {
    @Test("a URL is split into its parts, scheme and host in lower case and nothing else changed")
    func parts() throws {
        let text = "HTTPS://User:pw@AS.Example:8443/A%2Fb/../c?x=1&y=%20?#F?#"
        let url = try #require(WebURL(text))
        #expect(url.text == text)
        #expect(url.scheme == "https")
        #expect(url.userinfo == "User:pw")
        #expect(url.host == "as.example")
        #expect(url.port == 8443)
        #expect(url.path == "/A%2Fb/../c")
        #expect(url.query == "x=1&y=%20?")
        #expect(url.fragment == "F?#")
    }

    @Test(
        "a part of a URL that is missing is told from one that is empty",
        arguments: [
            ("https://h", nil, "", nil, nil), ("https://h/", nil, "/", nil, nil), ("https://h?", nil, "", "", nil),
            ("https://h#", nil, "", nil, ""), ("https://h:", nil, "", nil, nil), ("https://h:0/", 0, "/", nil, nil),
            ("https://h:65535?a", 65535, "", "a", nil), ("https://h/?#", nil, "/", "", ""),
        ] as [(String, Int?, String, String?, String?)])
    func absent(text: String, port: Int?, path: String, query: String?, fragment: String?) throws {
        let url = try #require(WebURL(text))
        #expect(url.host == "h")
        #expect(url.userinfo == nil)
        #expect(url.port == port)
        #expect(url.path == path)
        #expect(url.query == query)
        #expect(url.fragment == fragment)
    }

    @Test(
        "a URL of http or https has a host",
        arguments: ["https:foo", "https:", "http:/h", "https:/h/a", "http:..//x", "https://", "https:///a", "HTTPS:a"])
    func noHost(text: String) { #expect(WebURL(text) == nil) }

    @Test(
        "a URI without an authority has no host",
        arguments: [
            ("com.example.app:/oauth2redirect?code=a", "/oauth2redirect"),
            ("urn:ietf:wg:oauth:2.0:oob", "ietf:wg:oauth:2.0:oob"),
            ("mailto:a@b.example", "a@b.example"), ("app:", ""),
        ])
    func withoutAuthority(text: String, path: String) throws {
        let url = try #require(WebURL(text))
        #expect(url.host == nil)
        #expect(url.port == nil)
        #expect(url.path == path)
        #expect(url.origin == "")
        #expect(!url.isLoopback)
    }

    @Test("an IPv6 address stays in its brackets")
    func ipv6() throws {
        let url = try #require(WebURL("http://[::1]:9/t"))
        #expect(url.host == "[::1]")
        #expect(url.port == 9)
        #expect(try #require(WebURL("http://u@[2001:DB8::1]")).host == "[2001:db8::1]")
        #expect(try #require(WebURL("http://u@[2001:DB8::1]")).port == nil)
    }

    @Test(
        "a text that is no absolute URL is none",
        arguments: [
            "", "/t", "t", "//as.example/t", "?a", "#a", ":", "://h", "1a://h", "a_b://h", "-a://h", "https://",
            "https:///p", "HTTP://", "file:///p", "http://?a", "app://u@", "app://:80",
            "https://:80/", "https://u@/", "https://h:99999/", "https://h:65536/", "https://h:-1/", "https://h:+80/",
            "https://h:8o/", "https://h:80:80/", "https://[::1", "https://::1]/", "https://[::1]x/",
            "https://[::1]x:80/",
            "https://a b/", "https://h/ ", " https://h/", "https://h/\r\nX: y", "https://h/\u{0}", "https://h/\t",
            "https://h/\u{7F}",
            "https://h/é", "https://münchen.example/", "https://h\\@evil.example/", "https://a@b@h/", "https://@@h/",
            "https://h/\"", "https://h/<",
            "https://h/>",
        ])
    func refused(text: String) { #expect(WebURL(text) == nil) }

    @Test("a URI of a private-use scheme may have an empty host (RFC 3986 section 3.2.2)")
    func emptyHost() throws {
        let url = try #require(WebURL("grokGithub://?aParam=paramVal"))
        #expect(url.scheme == "grokgithub" && url.host == "" && url.path == "" && url.query == "aParam=paramVal")
        #expect(WebURL("gitonfire://")?.host == "" && WebURL("app:///p")?.path == "/p" && WebURL("app:/p")?.host == nil)
    }

    @Test(
        "a URL is taken with the characters that browsers leave as they are",
        arguments: ["https://h/|{}^`", "https://h/?a[]=b'!$*"])
    func lenient(text: String) { #expect(WebURL(text)?.text == text) }

    @Test(
        "an origin is scheme, host and port, without the scheme's own port",
        arguments: [
            ("https://API.example/x", "https://api.example"), ("https://api.example:443", "https://api.example"),
            ("https://api.example:8443/", "https://api.example:8443"), ("http://api.example:80", "http://api.example"),
            ("http://api.example:443", "http://api.example:443"), ("https://u@api.example", "https://api.example"),
            ("http://[::1]:9", "http://[::1]:9"), ("app://x:1", "app://x:1"), ("app://x", "app://x"),
        ])
    func origin(text: String, origin: String) { #expect(WebURL(text)?.origin == origin) }

    @Test("a connection uses the port that is given, else the scheme's")
    func ports() {
        #expect(WebURL("https://h")?.effectivePort == 443)
        #expect(WebURL("http://h")?.effectivePort == 80)
        #expect(WebURL("http://h:8080")?.effectivePort == 8080)
        #expect(WebURL("app://h")?.effectivePort == nil)
    }

    @Test(
        "loopback is told by its exact spellings",
        arguments: [
            "127.0.0.1", "127.8.8.8", "127.255.255.255", "127.0.0.1:9", "[::1]", "[::1]:9", "localhost", "LOCALHOST:1",
        ])
    func loopback(authority: String) throws {
        let url = try #require(WebURL("http://\(authority)/t"))
        #expect(url.isLoopback)
        #expect(url.isLoopbackAddress == (url.host != "localhost"))
    }

    @Test(
        "no other spelling of a host is loopback",
        arguments: [
            "127.1", "127.0.1", "2130706433", "0x7f000001", "0177.0.0.1", "127.0.0.01", "127.0.0.256", "127.0.0.1.",
            "127.0.0",
            "127.0.0.1.1", "127.0.0.+1", "127..0.1", "128.0.0.1", "0.0.0.0", "0", "10.0.0.1", "[::]",
            "[::ffff:127.0.0.1]",
            "[0:0:0:0:0:0:0:1]", "[::1%25lo]", "localhost.", "localhost.evil.example", "127.0.0.1.evil.example",
            "xlocalhost",
            "127.0.0.1@evil.example", "localhost:80@evil.example", "ip6-localhost", "127.0.0.%31",
        ])
    func noLoopback(authority: String) throws {
        let url = try #require(WebURL("http://\(authority)/t"))
        #expect(!url.isLoopback)
        #expect(!url.isLoopbackAddress)
    }

    @Test(
        "parameters are added to the query that is there, a fragment is dropped",
        arguments: [
            ("https://h/a", "https://h/a?x=1&y=%26"), ("https://h/a?tenant=7", "https://h/a?tenant=7&x=1&y=%26"),
            ("https://h/a?", "https://h/a?x=1&y=%26"), ("https://h/a?b&", "https://h/a?b&x=1&y=%26"),
            ("https://h/a#f?g", "https://h/a?x=1&y=%26"), ("https://h", "https://h?x=1&y=%26"),
            ("https://h/a?q=%2F+#f", "https://h/a?q=%2F+&x=1&y=%26"),
        ])
    func adding(text: String, result: String) throws {
        let url = try #require(WebURL(text))
        #expect(url.adding([(name: "x", value: "1"), (name: "y", value: "&")]) == result)
        #expect(url.adding([]) == url.withoutFragment)
    }

    @Test("a URL is sent without its fragment")
    func withoutFragment() {
        #expect(WebURL("https://h/a?b#c#d")?.withoutFragment == "https://h/a?b")
        #expect(WebURL("https://h/a?b")?.withoutFragment == "https://h/a?b")
        #expect(WebURL("https://h/#")?.withoutFragment == "https://h/")
    }

    @Test(
        "another port takes the place of the one that is named, wherever else its digits stand",
        arguments: [
            ("http://127.0.0.1:0/callback", "http://127.0.0.1:51004/callback"),
            ("http://[::1]:0", "http://[::1]:51004"),
            ("http://localhost:0?a=:0", "http://localhost:51004?a=:0"), ("http://h:0#:0", "http://h:51004#:0"),
            ("HTTP://u:0@h:0/x:0", "HTTP://u:0@h:51004/x:0"),
        ])
    func replacingPort(text: String, result: String) throws {
        let url = try #require(WebURL(text)?.replacingPort(with: 51004))
        #expect(url.text == result)
        #expect(url.port == 51004)
    }

    @Test(
        "a URL that names no port has none to replace",
        arguments: ["http://[::1]/", "http://h/:0", "http://u:0@h/", "a:/b:0"])
    func noPort(text: String) throws { #expect(try #require(WebURL(text)).replacingPort(with: 1) == nil) }
}
