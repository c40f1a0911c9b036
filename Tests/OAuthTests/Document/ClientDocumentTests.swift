import Testing
import Wire

@testable import OAuth

@Suite("The check of a client document that is stored")
struct ClientDocumentTests {
    private func check(_ text: String) throws {
        try Document(#require(JSON(parsing: text).object)).checkClient()
    }

    @Test("a client document with unknown members, null and every form of a secret passes")
    func valid() throws {
        try check(
            """
            {"client_id":"c","token_endpoint":"http://127.0.0.1:1/t","issuer":"https://as.example","x":{"y":[1.10]},
             "scope":null,"redirect_uris":["app:/cb"],"pkce":false,"default_max_age":5,"resource":"https://api.example",
             "client_secret_command":["pass","show","x"],"access_token_file":"/t","scopes_supported":["a"]}
            """)
        try check("{}")
        for preset in Preset.builtIn { try Document(preset.sample()).checkClient() }
    }

    @Test(
        "a member with an invalid value is named",
        arguments: [
            ("client_id", "1"), ("token_endpoint", "\"http://as.example/t\""), ("issuer", "\"as.example\""),
            ("token_endpoint_auth_method", "\"x\""), ("pkce", "\"no\""), ("default_max_age", "-1"),
            ("redirect_uris", "{}"), ("scope_separator", "\"ab\""), ("client_secret", "\"\""),
            ("client_secret", "[]"), ("client_secret_file", "\"\""), ("client_key_file", "1"),
            ("client_secret_command", "\"pass show x\""), ("client_secret_command", "[]"),
            ("redirect_uri", "\"http://as.example/cb\""), ("redirect_uri", "\"/cb\""), ("redirect_uri", "1"),
            ("client_secret_command", "[\"\",\"x\"]"), ("client_secret_command", "[\"pass\",1]"),
        ])
    func invalid(name: String, value: String) {
        let error = #expect(throws: OAuthError.self) { try check(#"{"\#(name)":\#(value)}"#) }
        #expect(error?.member == name && error?.message.hasPrefix(name) == true)
    }

    @Test(
        "a member of a flow, a token or an error document is refused",
        arguments: ["access_token", "refresh_token", "id_token", "expires_at", "code", "state", "device_code", "stage"])
    func foreign(name: String) {
        let error = #expect(throws: OAuthError.self) { try check(#"{"\#(name)":"x"}"#) }
        #expect(error?.member == name)
    }

    @Test("a secret that is given in two ways is refused")
    func twice() {
        for pair in [
            #""client_secret":"s","client_secret_file":"/f""#, #""client_secret":"s","client_secret_command":["p"]"#,
            #""client_secret_file":"/f","client_secret_command":["p"]"#,
        ] {
            let error = #expect(throws: OAuthError.self) { try check("{\(pair)}") }
            #expect(error?.message.contains("cannot be given beside client_secret") == true)
        }
    }
}
