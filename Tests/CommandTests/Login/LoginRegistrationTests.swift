import TestSupport
import Testing
import Wire

@Suite("oap login --register")
struct LoginRegistrationTests {
    private let person: LoginHome

    init() throws { person = try LoginHome() }

    /// A server that registers clients and logs everybody in, or refuses to with `denies`.
    private func server(
        denies: Bool = false, answer: @escaping @Sendable (inout JSONObject) -> Void = { _ in }
    ) throws -> Responder {
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
                answer(&client)
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

    @Test("oap login --register sends no secret of another client, and keeps no client that lacks its own")
    func secrets() throws {
        let server = try server(answer: { $0["token_endpoint_auth_method"] = "client_secret_post" })
        let words = ["login", "work", "--open", "--register", "--issuer", server.url()]
        let variables = ["OAP_CLIENT_SECRET": "secret-of-another"]
        let result = try person.oap(words, variables).run().expect(status: 10)
        #expect(result.errorText.contains("has no client_secret"), "\(result)")
        try person.oap(["profile", "show", "work"]).run().expect(status: 11)
        let broken = try self.server(answer: { $0["token_endpoint_auth_method"] = 5 })
        let odd = ["login", "work", "--open", "--register", "--issuer", broken.url()]
        try person.oap(odd).run().expect(status: 10)
        try person.oap(["profile", "show", "work"]).run().expect(status: 11)
        try person.home.write(#"{"issuer":"\#(server.url())","client_secret":"old-secret"}"#, to: LoginHome.profile)
        try person.oap(words).run().expect(status: 2)
        #expect(registrations(server).count == 1)
        #expect(!server.requests.contains { $0.bodyText.contains("secret-of-another") })
    }

    @Test("oap login --register registers nobody for a redirect that cannot arrive here")
    func unreachable() throws {
        let server = try server()
        try login(server, "--redirect-uri", "https://app.example/cb").expect(status: 2)
        #expect(registrations(server).isEmpty)
    }

    @Test("oap register with the name of a profile keeps there what the server replaces, and removes the client")
    func managed() throws {
        let server = try server()
        try login(server).expect(status: 0)
        let rotated = try Responder(
            .json(
                #"{"client_id":"new","registration_access_token":"r-2","client_secret":"s-2","#
                    + #""client_secret_expires_at":0}"#))
        var profile = try person.profile()
        profile["registration_client_uri"] = .string(rotated.url("/c"))
        try person.home.write(JSON.object(profile).text, to: LoginHome.profile)
        try person.oap(["register", "work", "--read", "-q", ".client_id"]).run().expect(status: 0)
        #expect(try person.profile()["registration_access_token"] == "r-2")
        #expect(try person.profile()["client_secret"] == "s-2")
        let deleting = try Responder(.text("", status: 204))
        profile["registration_client_uri"] = .string(deleting.url("/c"))
        try person.home.write(JSON.object(profile).text, to: LoginHome.profile)
        try person.oap(["register", "work", "--delete"]).run().expect(status: 0)
        let left = try person.profile()
        #expect(left["issuer"] != nil && left["client_id"] == nil && left["registration_access_token"] == nil)
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
