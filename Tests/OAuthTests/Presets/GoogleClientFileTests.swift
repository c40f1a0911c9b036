import Testing
import Wire

@testable import OAuth

@Suite("The client file of Google")
struct GoogleClientFileTests {
    private func client(_ text: String) throws -> JSONObject? {
        try GoogleClientFile.client(in: #require(JSON(parsing: text).object))
    }

    private func file(
        _ kind: String, auth: String = "https://accounts.google.com/o/oauth2/auth",
        token: String = "https://oauth2.googleapis.com/token"
    ) -> String {
        """
        {"\(kind)":{"client_id":"1.apps.googleusercontent.com","project_id":"p","auth_uri":"\(auth)",\
        "token_uri":"\(token)","auth_provider_x509_cert_url":"https://www.googleapis.com/oauth2/v1/certs",\
        "client_secret":"GOCSPX-1","redirect_uris":["http://localhost"]}}
        """
    }

    @Test("a desktop client is the preset of Google with its own members, and with the usual redirect URI")
    func installed() throws {
        let client = try #require(try client(file("installed")))
        #expect(client["client_id"]?.string == "1.apps.googleusercontent.com")
        #expect(client["client_secret"]?.string == "GOCSPX-1")
        #expect(client["authorization_endpoint"]?.string == "https://accounts.google.com/o/oauth2/auth")
        #expect(client["token_endpoint"]?.string == "https://oauth2.googleapis.com/token")
        #expect(client["issuer"]?.string == "https://accounts.google.com")
        #expect(client["redirect_uris"] == nil && client["project_id"] == nil && client["auth_uri"] == nil)
        try Document(client).checkClient()
    }

    @Test("a web client keeps its redirect URIs")
    func web() throws {
        #expect(try client(file("web"))?["redirect_uris"]?.strings == ["http://localhost"])
    }

    @Test("the credentials that gcloud writes for a user are a client of Google with a refresh token")
    func user() throws {
        let text = """
            {"account":"","client_id":"7.apps.googleusercontent.com","client_secret":"d-FL9","quota_project_id":"p",\
            "refresh_token":"1//0g","type":"authorized_user","universe_domain":"googleapis.com"}
            """
        let token = try #require(try client(text))
        #expect(token["client_id"]?.string == "7.apps.googleusercontent.com")
        #expect(token["refresh_token"]?.string == "1//0g")
        #expect(token["client_secret"]?.string == "d-FL9")
        #expect(token["token_endpoint"]?.string == "https://oauth2.googleapis.com/token")
    }

    @Test(
        "other credentials of Google are called what they are",
        arguments: ["external_account", "external_account_authorized_user", "impersonated_service_account"])
    func unsupported(type: String) {
        let error = #expect(throws: OAuthError.self) { try client(#"{"type":"\#(type)","token_url":"https://evil/"}"#) }
        #expect(error?.message == "credentials of Google of the type \(type) are not supported")
    }

    @Test("an endpoint that is not Google's is refused, not used")
    func foreign() {
        for text in [
            file("installed", token: "https://evil.example/token"), file("web", auth: "https://evil.example/auth"),
            file("installed", token: "http://oauth2.googleapis.com/token"),
            #"{"installed":{"client_id":"c"}}"#,
        ] {
            let error = #expect(throws: OAuthError.self) { try client(text) }
            #expect(error?.kind == .metadataInvalid && error?.message.contains("is not an endpoint of Google") == true)
        }
    }

    @Test("a file without a client is refused", arguments: ["{}", #"{"client_id":""}"#, #"{"client_id":1}"#])
    func empty(client text: String) {
        let error = #expect(throws: OAuthError.self) { try client(#"{"installed":\#(text)}"#) }
        #expect(error?.kind == .metadataInvalid && error?.message.contains("no installed.client_id") == true)
    }

    @Test(
        "another object is not such a file",
        arguments: [
            "{}", #"{"installed":1}"#, #"{"client_id":"c"}"#, #"{"other":{"client_id":"c"}}"#,
            #"{"installed":{"client_id":"c"},"x":1}"#,
        ])
    func others(text: String) throws { #expect(try client(text) == nil) }
}
