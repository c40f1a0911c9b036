import Testing
import Wire

@testable import OAuth

@Suite("Redirect URIs")
struct RedirectURITests {
    @Test(
        "A-07 a redirect URI is kept byte for byte",
        arguments: [
            "HTTPS://App.Example:443/cb?tenant=7&x=%2f", "http://127.0.0.1:51004/cb", "http://[::1]/",
            "http://localhost:1/cb",
            "com.example.app:/oauth2redirect", "urn:ietf:wg:oauth:2.0:oob", "https://app.example",
        ])
    func kept(text: String) throws { #expect(try RedirectURI(text).url.text == text) }

    @Test(
        "A-07 a redirect URI is absolute, has no fragment, no user information, and is plain http on loopback only",
        arguments: [
            ("/cb", OAuthError.Kind.usage), ("", .usage), ("cb", .usage), ("https://app.example/cb#x", .usage),
            ("https://app.example/cb#", .usage), ("https://app.example/c b", .usage),
            ("http://app.example/cb", .insecureTransport), ("http://127.1/cb", .insecureTransport),
            ("http://localhost.evil.example/cb", .insecureTransport), ("https://app.example@evil.example/cb", .usage),
            ("https://me:word@app.example/cb", .usage), ("http://@127.0.0.1/cb", .usage), ("app://me@x/cb", .usage),
        ])
    func refused(text: String, kind: OAuthError.Kind) {
        let error = #expect(throws: OAuthError.self) { try RedirectURI(text) }
        #expect(error?.kind == kind)
        #expect(error?.member == "redirect_uri")
    }

    @Test(
        "a redirect URI with a port that is out of range or no number is called that",
        arguments: ["http://127.0.0.1:65536/cb", "http://[::1]:99999", "http://localhost:PORT/cb?a=b"])
    func port(text: String) {
        let error = #expect(throws: OAuthError.self) { try RedirectURI(text) }
        #expect(error?.message == "the port of redirect_uri is not a number from 0 to 65535")
    }

    @Test(
        "a redirect URI that is a host and a port is completed with the scheme that it lacks",
        arguments: [
            ("localhost:8080", "http://localhost:8080"), ("LocalHost:1/cb", "http://LocalHost:1/cb"),
            ("127.0.0.1:8080/cb?a=b", "http://127.0.0.1:8080/cb?a=b"), ("[::1]:80", "http://[::1]:80"),
            ("app.example:8443/cb", "https://app.example:8443/cb"),
        ])
    func scheme(text: String, whole: String) {
        let error = #expect(throws: OAuthError.self) { try RedirectURI(text) }
        #expect(error?.kind == .usage && error?.hint == "did you mean \(whole)?")
    }

    @Test("redirect_uri comes before redirect_uris, of which there may be one, and that before the loopback address")
    func choice() throws {
        let one = JSON.string("https://one.example/cb")
        let two = JSON.string("https://two.example/cb")
        #expect(try redirectURI(["redirect_uri": one, "redirect_uris": .array([two])]) == "https://one.example/cb")
        #expect(try redirectURI(["redirect_uris": .array([two])]) == "https://two.example/cb")
        #expect(try redirectURI([:]) == "http://127.0.0.1:0/callback")
        #expect(try redirectURI(["redirect_uris": .array([])]) == "http://127.0.0.1:0/callback")
        let error = #expect(throws: OAuthError.self) { try redirectURI(["redirect_uris": .array([one, two])]) }
        #expect(error?.member == "redirect_uris")
        #expect(error?.message.hasSuffix("has 2 entries: https://one.example/cb, https://two.example/cb") == true)
        let (local, other) = (JSON.string("http://127.0.0.1:0/cb"), JSON.string("http://[::1]:0/cb"))
        #expect(try redirectURI(["redirect_uris": .array([one, local, two])]) == "http://127.0.0.1:0/cb")
        #expect(throws: OAuthError.self) { try redirectURI(["redirect_uris": .array([local, other])]) }
    }

    @Test("L-01 port 0 on loopback is to be replaced, any other port is not")
    func freePort() throws {
        for text in ["http://127.0.0.1:0/callback", "http://[::1]:0/callback", "http://localhost:0/callback"] {
            let uri = try RedirectURI(text)
            #expect(uri.wantsFreePort)
            #expect(uri.replacingPort(with: 51004).url.text == text.replacing(":0/", with: ":51004/"))
        }
        for text in ["http://127.0.0.1:51004/cb", "http://127.0.0.1/cb", "https://app.example:0/cb", "app:/cb"] {
            let uri = try RedirectURI(text)
            #expect(!uri.wantsFreePort)
            #expect(uri.replacingPort(with: 1) == uri)
        }
    }

    @Test("each issuer has a path of its own, which is not below the standard path, and other paths stay")
    func ownPath() throws {
        let standard = try RedirectURI("http://127.0.0.1:8765/callback")
        let one = standard.own(to: "https://one.example")
        let digits = try #require(one.url.path.split(separator: "/").first)
        #expect(one.url.text == "http://127.0.0.1:8765/\(digits)/callback" && digits.count == 24)
        #expect(try RedirectURI("http://127.0.0.1:8765/callback/\(digits)").own(to: "https://one.example") == one)
        #expect(one.own(to: "https://one.example") == one && standard.own(to: "https://one.example") == one)
        let other = one.own(to: "https://other.example")
        #expect(other != one && other == standard.own(to: "https://other.example"))
        #expect(try RedirectURI("http://localhost:0/callback?a=b").own(to: "i").url.query == "a=b")
        for text in [
            "http://127.0.0.1:1/callback/mine", "http://127.0.0.1:1/callbacks", "http://127.0.0.1:1/", "app:/callback",
            "https://app.example/callback", "http://127.0.0.1:1/callback/\(digits)/x",
            "http://127.0.0.1:1/\(digits)/\(digits)/callback", "http://127.0.0.1:1/\(digits)", "http://127.0.0.1:1",
            "http://127.0.0.1:1/mine/callback", "http://127.0.0.1:1//callback",
        ] { #expect(try RedirectURI(text).own(to: "i").url.text == text) }
    }

    private func redirectURI(_ members: JSONObject) throws -> String { try RedirectURI(of: Document(members)).url.text }
}
