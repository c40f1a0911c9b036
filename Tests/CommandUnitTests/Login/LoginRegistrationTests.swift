import Foundation
import PlaySupport
import TestSupport
import Testing
import Wire

@testable import CommandSupport

@Suite("oap login --register", .inProcess)
struct LoginRegistrationTests {
    private let person: LoginHome

    init() throws { person = try LoginHome() }

    /// A server that registers clients and logs everybody in, or refuses to with `denies`.
    ///
    /// - Parameters:
    ///   - metadata: further metadata, `$` for the address.
    ///   - reply: what the registration endpoint answers instead; nil for the client.
    private func server(
        denies: Bool = false, metadata: String = "",
        reply: @escaping @Sendable (JSONObject) -> Responder.Reply? = { _ in nil },
        answer: @escaping @Sendable (inout JSONObject) -> Void = { _ in }
    ) throws -> Responder {
        try Responder { request in
            let address = "http://" + (request.headers.first("Host") ?? "")
            switch request.target {
            case "/.well-known/openid-configuration":
                let endpoints = ["authorization", "token", "registration"].map { #""\#($0)_endpoint":"$/\#($0)""# }
                return .json(
                    #"{"issuer":"$",\#(endpoints.joined(separator: ","))\#(metadata)}"#.replacing("$", with: address))
            case "/registration":
                var client = (try? JSON(parsing: request.bodyText))?.object ?? [:]
                if let other = reply(client) { return other }
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

    @Test("where a variable names the client, none is registered, and the variables about it are said")
    func variable() throws {
        let server = try server()
        let words = ["login", "work", "--open", "--register", "--issuer", server.url()]
        let client = [
            "OAP_CLIENT_ID": "c", "OAP_CLIENT_SECRET": "s", "OAP_TOKEN_ENDPOINT_AUTH_METHOD": "client_secret_basic",
        ]
        let result = try person.oap(words, client).run().expect(status: 0)
        result.expect(errorLine: "oap: login: --register is not used: OAP_CLIENT_ID names a client")
        result.expect(
            errorLine:
                "oap: hint: to register one: unset OAP_CLIENT_ID OAP_CLIENT_SECRET OAP_TOKEN_ENDPOINT_AUTH_METHOD")
        #expect(registrations(server).isEmpty)
        let named = try person.oap(words + ["--save-profile"], ["OAP_CLIENT_SECRET": "s"]).run().expect(status: 0)
        #expect(!named.errorText.contains("--register is not used"), "\(named)")
    }

    @Test("a method of a variable that the profile of the client forbids is refused before a client is registered")
    func forbidden() throws {
        let server = try server()
        let words = ["login", "work", "--open", "--register", "--fapi2", "--issuer", server.url()]
        let method = ["OAP_TOKEN_ENDPOINT_AUTH_METHOD": "client_secret_basic"]
        let result = try person.oap(words, method).run().expect(status: 3)
        #expect(result.errorText.contains("the client authenticates with client_secret_basic"), "\(result)")
        #expect(result.errorText.contains("hint: unset OAP_TOKEN_ENDPOINT_AUTH_METHOD, and use "), "\(result)")
        #expect(registrations(server).isEmpty)
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
        let uri = try #require(person.profile()["redirect_uri"]?.string)
        #expect(uri.hasPrefix("http://127.0.0.1:\(port)/") && uri.hasSuffix("/callback"))
        try login(failing, "--timeout", "0.3").expect(status: 6)
        #expect(registrations(failing).count == 1)
        try person.oap(["login", "work", "--open", "--register", "--save-profile", "--timeout", "0.3"]).run()
            .expect(status: 6)
        #expect(registrations(failing).count == 2)
        let other = try LoginHome()
        let named = try server()
        let words = ["login", "work", "--open", "--register", "--issuer", named.url(), "--client-id", "own"]
        try other.oap(words).run().expect(status: 0)
        #expect(registrations(named).isEmpty)
    }

    @Test("the scope of a first login with --register is asked for again after one that failed, and is no limit")
    func scope() throws {
        let metadata = #","scopes_supported":["openid","email","gist"],"jwks_uri":"$/keys""#
        let failing = try server(denies: true, metadata: metadata)
        for _ in 1...2 { try login(failing, "--timeout", "1").expect(status: 6) }
        let scopes = failing.requests.map(\.target).filter { $0.contains("scope=") }
        #expect(scopes.count == 2 && scopes.allSatisfy { $0.contains("scope=openid+email&") }, "\(scopes)")
        #expect(registrations(failing).map { $0["scope"] } == ["openid email"])
    }

    @Test("a scope that nobody asked for is left out of the registration where the server refuses it")
    func refusedScope() throws {
        let metadata = #","scopes_supported":["openid","email"],"jwks_uri":"$/keys""#
        let refusal = Responder.Reply.json(#"{"error":"invalid_client_metadata"}"#, status: 400)
        let server = try server(denies: true, metadata: metadata) { $0["scope"] == nil ? nil : refusal }
        try login(server, "--timeout", "0.3").expect(status: 6)
        #expect(registrations(server).map { $0["scope"] } == ["openid email", nil])
        #expect(server.requests.contains { $0.target.contains("scope=openid+email&") })
    }

    @Test("oap login takes the published document of the client where the server supports that, and nothing else does")
    func published() throws {
        let url = "https://app.example/oap.json"
        let supported = #","client_id_metadata_document_supported":true"#
        let server = try MCPServer(serverMembers: MCPServer().serverMembers + supported).start()
        let resource = ["login", "work", "--open", "--resource", server.url("/mcp")]
        let variable = ["OAP_CLIENT_METADATA_DOCUMENT": url]
        try person.oap(resource, variable).run().expect(status: 0)
        #expect(try person.stored()["client_id"] == .string(url))
        #expect(try person.profile()["client_id"] == .string(url))
        try person.oap(["login", "work", "--open"]).run().expect(status: 0)
        #expect(server.authorizations.count == 2 && server.registrations.isEmpty)
        let own = try person.oap(["login", "own", "--client-id", "own"] + resource.dropFirst(2), variable).run()
        own.expect(status: 0)
        #expect(server.authorizations.last?["client_id"] == "own")

        let plain = try self.server()
        let words = ["login", "other", "--open", "--issuer", plain.url(), "--client-metadata-document", url]
        let result = try person.oap(words).run().expect(status: 3)
        #expect(result.errorText.contains("does not support a client ID metadata document"))
        #expect(result.errorText.contains("--register"))
        try person.oap(words + ["--register"]).run().expect(status: 0)
        #expect(registrations(plain).count == 1)
        let bad = ["login", "bad", "--open", "--issuer", plain.url(), "--client-metadata-document"]
        for address in ["http://app.example/oap.json", "https://app.example", "oap.json"] {
            try person.oap(bad + [address]).run().expect(status: 2)
        }
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

    private static let code = "authorization_code"
    private static let device = "urn:ietf:params:oauth:grant-type:device_code"
    private static let offersDevice = """
        ,"device_authorization_endpoint":"$/device","grant_types_supported":["authorization_code","\(device)"]
        """

    @Test("oap login --register registers every way to log in that the server offers, so that --device works too")
    func allWays() throws {
        let server = try server(metadata: Self.offersDevice)
        try login(server).expect(status: 0)
        let grants = JSON.array([.string(Self.code), "refresh_token", .string(Self.device)])
        #expect(registrations(server).first?["grant_types"] == grants)
        let other = try LoginHome()
        // The device endpoint of this server answers nonsense; the client is registered before.
        let words = ["login", "work", "--device", "--register", "--issuer", server.url()]
        try other.oap(words).run().expect(status: 10)
        let sent = try #require(registrations(server).last)
        #expect(Set(sent["grant_types"]?.strings ?? []) == [Self.code, "refresh_token", Self.device])
        #expect(sent["redirect_uris"]?.strings?.count == 1)
    }

    @Test("oap login --register asks for fewer grants where the server refuses one, and makes one client")
    func fewerGrants() throws {
        let server = try server(
            metadata: Self.offersDevice,
            reply: { client in
                guard client["grant_types"]?.strings?.contains(Self.device) == true else { return nil }
                return .json(#"{"error":"invalid_client_metadata"}"#, status: 400)
            })
        try login(server).expect(status: 0)
        #expect(registrations(server).map { $0["grant_types"]?.strings?.count } == [3, 2])
        let broken = try self.server(metadata: Self.offersDevice, reply: { _ in .text("", status: 502) })
        try login(broken, "--save-profile").expect(status: 12)
        #expect(registrations(broken).count == 1)
    }

    @Test("two oap login --register for one name at once register one client")
    func together() throws {
        let (arrived, second) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let server = try server(reply: { _ in
            arrived.signal()
            second.wait()
            second.signal()
            return nil
        })
        let words = ["login", "work", "--open", "--register", "--issuer", server.url()]
        let first = try person.oap(words).start()
        arrived.wait()
        let other = try person.oap(words).start()
        _ = try other.errorLine { $0.contains("another oap login work is under way") }
        second.signal()
        try first.finish().expect(status: 0)
        // The port of the registered redirect URI may still be in use.
        let result = try other.finish()
        #expect(registrations(server).count == 1 && !result.errorText.contains("registered the client"), "\(result)")
    }

    @Test("oap login --register takes the options of a registration, and keeps no initial access token")
    func options() throws {
        let server = try server()
        let file = try person.home.write("initial-secret", to: "token")
        let option = "--initial-access-token-file"
        try person.oap(["login", "work", "--open", "--issuer", server.url(), option, file]).run().expect(status: 2)
            .expect(errorLine: "oap: login: \(option) needs --register")
        let endpoint = server.url("/registration")
        let result = try login(
            server, option, file, "--registration-endpoint", endpoint, "--client-name", "Mine")
        result.expect(status: 0).expect(nowhere: "initial-secret")
        let request = try #require(server.requests.first { $0.target == "/registration" })
        #expect(request.headers.first("Authorization") == "Bearer initial-secret")
        #expect(registrations(server).first?["client_name"] == "Mine")
        for document in [try person.profile(), try person.stored()] {
            #expect(document["initial_access_token_file"] == nil && document["initial_access_token"] == nil)
        }
    }

    @Test("oap login --client-id takes nothing of the client that was registered")
    func otherClient() throws {
        let server = try server(answer: {
            $0["client_secret"] = "registered-secret"
            $0["client_secret_expires_at"] = 0
            $0["token_endpoint_auth_method"] = "client_secret_post"
        })
        try login(server).expect(status: 0)
        #expect(try person.profile()["token_endpoint_auth_method"] == "client_secret_post")
        let other = try person.oap(["login", "work", "--open", "--client-id", "other"]).run().expect(status: 0)
        #expect(other.errorText.contains("the profile's secret is not used"))
        let form = try #require(server.requests.last { $0.target == "/token" }).bodyText
        #expect(form.contains("client_id=other") && !form.contains("registered-secret"))
        let foreign = [
            "client_secret", "registration_access_token", "registration_client_uri", "client_secret_expires_at",
        ]
        let stored = try person.stored()
        #expect(stored["token_endpoint_auth_method"] == "none" && foreign.allSatisfy { stored[$0] == nil })
        try person.oap(["login", "work", "--open", "--client-id", "other", "--save-profile"]).run().expect(status: 0)
        let profile = try person.profile()
        #expect(profile["client_id"] == "other" && foreign.allSatisfy { profile[$0] == nil })
        #expect(profile["token_endpoint_auth_method"] == "none")
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
        #expect(unknown.errorText.contains("add --register if the server registers clients"))
        let bare = try Responder { request in
            .json(#"{"issuer":"http://\#(request.headers.first("Host") ?? "")"}"#)
        }
        let none = try person.oap(["login", "work", "--open", "--register", "--issuer", bare.url()]).run()
        #expect(none.expect(status: 3).errorText.contains("is missing, also in the metadata"), "\(none)")
    }
}
