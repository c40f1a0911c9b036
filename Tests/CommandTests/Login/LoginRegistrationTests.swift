import TestSupport
import Testing
import Wire

@Suite("oap login --register")
struct LoginRegistrationTests {
    private let person: LoginHome

    init() throws { person = try LoginHome() }

    /// A server that registers clients and logs everybody in, or refuses to with `denies`.
    private func server(denies: Bool = false) throws -> Responder {
        try Responder { request in
            let address = "http://" + (request.headers.first("Host") ?? "")
            switch request.target {
            case "/.well-known/openid-configuration":
                let endpoints = ["authorization", "token", "registration"].map { #""\#($0)_endpoint":"$/\#($0)""# }
                return .json(
                    #"{"issuer":"$",\#(endpoints.joined(separator: ","))}"#.replacing("$", with: address))
            case "/registration":
                var client = (try? JSON(parsing: request.bodyText))?.object ?? [:]
                client["client_id"] = "new"
                client["registration_access_token"] = "management-secret"
                client["registration_client_uri"] = .string("\(address)/registration/new")
                return .json(JSON.object(client).text, status: 201)
            case let target where target.hasPrefix("/authorization?"):
                return denies ? .text("", status: 403) : LoginHome.consent(to: request)
            default: return .json(#"{"access_token":"at","token_type":"Bearer","refresh_token":"rt"}"#)
            }
        }
    }

    private func login(_ server: Responder, _ more: String...) throws -> ProgramResult {
        try person.oap(["login", "work", "--open", "--register", "--issuer", server.url()] + more).run()
    }

    private func registrations(_ server: Responder) -> [JSONObject] {
        server.requests.filter { $0.target == "/registration" }.compactMap {
            (try? JSON(parsing: $0.bodyText))?.object
        }
    }

    @Test("oap login --register needs only the issuer, and registers one client for all logins")
    func once() throws {
        let server = try server()
        let result = try login(server).expect(status: 0)
        result.expect(errorLine: "oap: login: registered the client new").expect(nowhere: "management-secret")
        #expect(try person.stored()["client_id"] == "new")
        let profile = try person.profile()
        #expect(profile["client_id"] == "new" && profile["issuer"] == .string(server.url()))
        #expect(profile["registration_access_token"] == "management-secret" && profile["token_endpoint"] == nil)
        let sent = try #require(registrations(server).first)
        #expect(sent["application_type"] == "native" && sent["token_endpoint_auth_method"] == "none")
        // The redirect URI that was registered is the one that is used, its port included.
        let uri = try #require(profile["redirect_uri"]?.string)
        #expect(sent["redirect_uris"] == .array([.string(uri)]) && WebURL(uri)?.port ?? 0 > 0)
        try login(server).expect(status: 0)
        try person.oap(["login", "work", "--open"]).run().expect(status: 0)
        #expect(registrations(server).count == 1)
    }

    @Test("oap login --register keeps the client of a login that fails, and takes the one that the user names")
    func kept() throws {
        let failing = try server(denies: true)
        let free = try Responder(.token)
        let port = free.port
        free.stop()
        try login(failing, "--port", "\(port)", "--timeout", "0.3").expect(status: 6)
        #expect(try person.profile()["redirect_uri"] == .string("http://127.0.0.1:\(port)/callback"))
        try login(failing, "--timeout", "0.3").expect(status: 6)
        #expect(registrations(failing).count == 1)
        let other = try LoginHome()
        let named = try server()
        let words = ["login", "work", "--open", "--register", "--issuer", named.url(), "--client-id", "own"]
        try other.oap(words).run().expect(status: 0)
        #expect(registrations(named).isEmpty)
    }

    @Test("oap login without a client says that --register may make one; a server without the endpoint says so")
    func impossible() throws {
        let server = try LoginHome.server()
        let unknown = try person.oap(["login", "work", "--open", "--issuer", server.url()]).run().expect(status: 3)
        #expect(unknown.errorText.contains("--register registers one"))
        let bare = try Responder { request in
            .json(#"{"issuer":"http://\#(request.headers.first("Host") ?? "")"}"#)
        }
        let none = try person.oap(["login", "work", "--open", "--register", "--issuer", bare.url()]).run()
        #expect(none.expect(status: 3).errorText.contains("is missing, also in the metadata"), "\(none)")
    }
}
