import Testing
import Wire

@testable import OAuth

@Suite("The origins that a token is for")
struct TokenOriginsTests {
    @Test(
        "a token is for the origins that its document names, and without any for the one that it is sent to",
        arguments: [
            ("{}", "https://any.example/x", true),
            (#"{"userinfo_endpoint":"https://as.example/me"}"#, "https://any.example/x", true),
            (#"{"resource":"urn:a"}"#, "https://any.example/x", true),
            (#"{"api_base":"https://api.example/v1"}"#, "https://api.example/other", true),
            (#"{"api_base":"https://api.example/v1"}"#, "https://api.example:443/", true),
            (#"{"api_base":"https://api.example/v1"}"#, "https://api.example:8443/", false),
            (#"{"api_base":"https://api.example/v1"}"#, "http://api.example/", false),
            (#"{"api_base":"https://api.example/v1"}"#, "https://evil.example/", false),
            (#"{"api_base":"https://api.example/v1"}"#, "https://api.example.evil/", false),
            (#"{"api_base":"https://a.example","resource":["https://b.example/r"]}"#, "https://b.example/", true),
            (
                #"{"api_base":"https://a.example","userinfo_endpoint":"https://as.example/me"}"#, "https://as.example/",
                true
            ),
            (#"{"api_origins":["https://*.a.example"]}"#, "https://x.y.a.example/", true),
            (#"{"api_origins":["https://*.a.example"]}"#, "https://a.example/", false),
            (#"{"api_origins":["https://*.a.example"]}"#, "https://evila.example/", false),
            (#"{"api_origins":["https://*.a.example"]}"#, "http://x.a.example/", false),
            // What no resolver takes.
            (#"{"api_origins":["https://*.a.example"]}"#, "https://evil..a.example/", false),
            (#"{"api_origins":["https://*.a.example"]}"#, "https://.a.example/", false),
            (#"{"api_origins":["https://*.a.example"]}"#, "https://a[.a.example/", false),
            (#"{"api_origins":["https://*.a.example"]}"#, "https://a-b.c_d.A.example/", true),
            (#"{"api_origins":"https://a.example/"}"#, "https://a.example/", true),
        ])
    func allowed(document: String, url: String, isAllowed: Bool) throws {
        let members = try #require(try JSON(parsing: document).object)
        #expect(try TokenOrigins(of: Document(members)).allow(#require(WebURL(url))) == isAllowed)
    }

    @Test(
        "what has a user name, or is no address of the web, names no origin",
        arguments: ["https://me@a.example/v1", "https://me:pw@a.example", "ftp://a.example", "urn:a"])
    func noOrigin(base: String) throws {
        let members: JSONObject = ["api_base": .string(base), "resource": .strings([base, "https://b.example/x"])]
        #expect(try TokenOrigins(of: Document(members)).exact == ["https://b.example"])
    }

    @Test(
        "what is no origin is refused in api_origins",
        arguments: [
            "", "a.example", "https://a.example/path", "https://*.example", "https://*", "ftp://a.example", "*",
        ])
    func invalid(text: String) {
        #expect(throws: OAuthError.self) { try TokenOrigins(of: Document(["api_origins": .string(text)])) }
    }
}
