import Testing
import Wire

@Suite("References, resolved")
struct WebURLResolutionTests {
    @Test(
        "the normal examples of RFC 3986 section 5.4.1 are resolved",
        arguments: [
            ("g:h", "g:h"), ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"),
            ("/g", "http://a/g"), ("//g", "http://g"), ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"),
            ("#s", "http://a/b/c/d;p?q#s"), ("g#s", "http://a/b/c/g#s"), ("g?y#s", "http://a/b/c/g?y#s"),
            (";x", "http://a/b/c/;x"), ("g;x", "http://a/b/c/g;x"), ("g;x?y#s", "http://a/b/c/g;x?y#s"),
            ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"), ("./", "http://a/b/c/"), ("..", "http://a/b/"),
            ("../", "http://a/b/"), ("../g", "http://a/b/g"), ("../..", "http://a/"), ("../../", "http://a/"),
            ("../../g", "http://a/g"),
        ])
    func normal(reference: String, target: String) throws {
        #expect(try #require(WebURL("http://a/b/c/d;p?q")).resolving(reference)?.text == target)
    }

    @Test(
        "the abnormal examples of RFC 3986 section 5.4.2 are resolved strictly",
        arguments: [
            ("../../../g", "http://a/g"), ("../../../../g", "http://a/g"), ("/./g", "http://a/g"),
            ("/../g", "http://a/g"),
            ("g.", "http://a/b/c/g."), (".g", "http://a/b/c/.g"), ("g..", "http://a/b/c/g.."),
            ("..g", "http://a/b/c/..g"),
            ("./../g", "http://a/b/g"), ("./g/.", "http://a/b/c/g/"), ("g/./h", "http://a/b/c/g/h"),
            ("g/../h", "http://a/b/c/h"), ("g;x=1/./y", "http://a/b/c/g;x=1/y"), ("g;x=1/../y", "http://a/b/c/y"),
            ("g?y/./x", "http://a/b/c/g?y/./x"), ("g?y/../x", "http://a/b/c/g?y/../x"),
            ("g#s/./x", "http://a/b/c/g#s/./x"),
            ("g#s/../x", "http://a/b/c/g#s/../x"),
            // `http:g` to a strict reader, which is no URL of http.
            ("http:g", nil),
        ])
    func abnormal(reference: String, target: String?) throws {
        #expect(try #require(WebURL("http://a/b/c/d;p?q")).resolving(reference)?.text == target)
    }

    @Test(
        "authority, empty paths and the base's fragment are treated as the RFC says",
        arguments: [
            ("https://h", "g", "https://h/g"), ("https://h?q", "g", "https://h/g"), ("https://h", "?x", "https://h?x"),
            ("https://u@h:8443/a", "/b", "https://u@h:8443/b"), ("https://h/a?q#f", "", "https://h/a?q"),
            ("https://h/a#f", "#g", "https://h/a#g"), ("https://h/a", "?", "https://h/a?"),
            ("https://h/a/", "b", "https://h/a/b"),
            ("https://h/a", "//other:1/x/../y", "https://other:1/y"), ("https://h/a", "HTTP://I/x", "HTTP://I/x"),
            ("https://h/a/../b/c", "d", "https://h/b/d"), ("https://h/a", "/a//b/..//c", "https://h/a///c"),
            ("HTTPS://H/a", "/b", "HTTPS://H/b"), ("app:/a/b", "c", "app:/a/c"),
        ])
    func more(base: String, reference: String, target: String) throws {
        #expect(try #require(WebURL(base)).resolving(reference)?.text == target)
    }

    @Test(
        "a reference that leads to no URL leads nowhere",
        arguments: ["/a b", "//", "///x", "//h:x/", "/é", "\\\\evil", "/\u{301}x"])
    func nowhere(reference: String) throws {
        #expect(try #require(WebURL("https://h/a")).resolving(reference) == nil)
    }
}
