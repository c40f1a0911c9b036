import PlaySupport
import Synchronization
import TestSupport
import Testing
import Wire

@testable import CommandSupport

@Suite("oap login for a resource whose server the user names", .inProcess)
struct LoginResourceTests {
    private let person: LoginHome

    init() throws { person = try LoginHome() }

    @Test(
        "of several resources none is asked, and the hint names the option for their server",
        arguments: [["--register"], ["--client-id", "c"], ["--client-id", "c", "--device"]])
    func several(options: [String]) throws {
        let words = ["login", "two", "--resource", "https://a.invalid", "--resource", "https://b.invalid", "--open"]
        let result = try person.oap(words + options).run().expect(status: 3)
        result.expect(
            errorLine:
                "oap: hint: of several resources, oap asks none for its authorization server: name it with --issuer URL"
        )
    }

    /// A resource, and a server that logs everybody in.
    ///
    /// - Parameter servers: the authorization servers that the resource names, `$` for the address; nil for no metadata.
    private func server(_ servers: String?) throws -> Responder {
        let logins = Mutex(0)
        return try Responder { request in
            let address = "http://" + (request.headers.first("Host") ?? "")
            switch request.target {
            case "/.well-known/oauth-protected-resource/api" where servers != nil,
                "/.well-known/oauth-protected-resource/api/" where servers != nil:
                let scopes = logins.withLock(\.self) > 1 ? #""repo","user""# : #""repo""#
                let members =
                    #""resource":"$/api","authorization_servers":\#(servers ?? ""),"scopes_supported":[\#(scopes)]"#
                return .json("{\(members)}".replacing("$", with: address))
            case "/.well-known/openid-configuration":
                let endpoints = #""authorization_endpoint":"$/authorize","token_endpoint":"$/token""#
                return .json(
                    #"{"issuer":"$","scopes_supported":["openid"],\#(endpoints)}"#.replacing("$", with: address))
            case let target where target.hasPrefix("/authorize?"): return LoginHome.consent(to: request)
            case "/token":
                logins.withLock { $0 += 1 }
                return .json(#"{"access_token":"at","token_type":"Bearer"}"#)
            case "/api/x": return .text("called")
            default: return .text("", status: 404)
            }
        }
    }

    private func login(_ server: Responder, _ more: String...) throws -> ProgramResult {
        try person.oap(
            ["login", "work", "--open", "--resource", server.url("/api"), "--client-id", "c"] + more
        ).run()
    }

    @Test(
        "with --issuer, a resource that cannot be asked is a parameter of the login, this one and the next",
        arguments: ["urn:my-api", "https://api.mine.invalid"])
    func parameter(resource: String) throws {
        let server = try server(nil)
        let words = ["login", "work", "--open", "--retry", "0", "--resource", resource]
        let first = try person.oap(words + ["--issuer", server.url(), "--client-id", "c"]).run().expect(status: 0)
        let line = "the resource is only a parameter of this login: could not resolve host api.mine.invalid"
        #expect(first.errorText.contains(line) == resource.hasPrefix("https:"), "\(first)")
        if resource.hasPrefix("urn:") { try person.oap(words).run().expect(status: 0) }
        try person.oap(["login", "work", "--open"]).run().expect(status: 0)
        #expect(Set(server.authorizations.map { $0["resource"] }) == [resource])
        #expect(try person.profile()["resource"] == .string(resource))
        let alone = try person.oap(["login", "other", "--open", "--client-id", "c", "--resource", "urn:my-api"]).run()
        alone.expect(errorLine: "oap: hint: with --issuer URL, a resource may be any URI")
    }

    @Test("of several servers that a resource names, --issuer takes one, and the profile is that of the resource")
    func several() throws {
        let server = try server(#"["https://other.example","$"]"#)
        let unnamed = try login(server).expect(status: 3)
        #expect(unnamed.errorText.contains("choose an authorization server with --issuer"), "\(unnamed)")
        try login(server, "--issuer", server.url()).expect(status: 0)
        let profile = try person.profile()
        #expect(profile["resource"] == .string(server.url("/api")) && profile["scope"] == "repo")
        #expect(profile["issuer"] == .string(server.url()) && profile["api_base"] == .string(server.url("/api")))
        #expect(try person.oap(["call", "work", "/x"]).run().expect(status: 0).text == "called")
        try person.oap(["login", "work", "--open"]).run().expect(status: 0)
        #expect(server.authorizations.map { $0["resource"] } == [server.url("/api"), server.url("/api")])
        #expect(server.authorizations.map { $0["scope"] } == ["repo", "repo"])
    }

    @Test("a resource that wants more than the profile's scope gets it, and the profile is said to stay as it is")
    func passingScope() throws {
        let server = try server(#"["$"]"#)
        let hint = "the next login asks for the profile's scope, resource and parameters again"
        for _ in 1...2 { try #expect(!login(server).expect(status: 0).errorText.contains(hint)) }
        let wider = try login(server).expect(status: 0)
        #expect(wider.errorText.contains(hint), "\(wider)")
        #expect(server.authorizations.map { $0["scope"] } == ["repo", "repo", "repo user"])
        #expect(try person.profile()["scope"] == "repo")
        let saved = try login(server, "--save-profile").expect(status: 0)
        #expect(!saved.errorText.contains(hint), "\(saved)")
        #expect(try person.profile()["scope"] == "repo user")
    }

    @Test("a resource whose metadata names its parent or another spelling gets one value in all logins")
    func otherSpelling() throws {
        let server = try server(#"["$"]"#)
        let login = [
            "login", "work", "--open", "--issuer", server.url(), "--resource", server.url("/api/"), "--client-id", "c",
        ]
        for more in [[], ["--if-needed"], [], ["--save-profile"], ["--if-needed", "--save-profile"]] {
            try person.oap(login + more).run().expect(status: 0)
        }
        #expect(server.authorizations.map { $0["resource"] } == [String?](repeating: server.url("/api"), count: 3))
        let profile = try person.profile()
        #expect(profile["resource"] == .string(server.url("/api")))
        #expect(profile["requested_resource"] == .string(server.url("/api/")))
    }

    @Test("--save-profile saves another resource, and a login without it says that the profile keeps its own")
    func otherResource() throws {
        let server = try server(#"["$"]"#)
        try login(server).expect(status: 0)
        let other = ["login", "work", "--open", "--resource", "https://other.example/", "--if-needed"]
        let passing = try person.oap(other).run().expect(status: 0)
        #expect(passing.errorText.contains("the next login asks for the profile's scope, resource"), "\(passing)")
        for _ in 1...2 { try person.oap(other + ["--save-profile"]).run().expect(status: 0) }
        try person.oap(["login", "work", "--if-needed"]).run().expect(status: 0)
        #expect(
            server.authorizations.map { $0["resource"] }.dropFirst() == [
                "https://other.example/", "https://other.example/",
            ])
        #expect(try person.profile()["resource"] == "https://other.example/")
        // The address of the old API is not that of the new one.
        #expect(try person.profile()["api_base"] == nil && person.stored()["api_base"] == nil)
    }

    @Test("a server that the resource does not name is refused, unless the resource names none")
    func unnamed() throws {
        let naming = try server(#"["https://other.example","https://third.example"]"#)
        let refused = try login(naming, "--issuer", naming.url()).expect(status: 2)
        let list = #""https://other.example", "https://third.example""#
        refused.expect(
            errorLine: "oap: login: the resource does not name the authorization server "
                + "\(JSON.string(naming.url()).text); it names \(list)")
        #expect(naming.authorizations.isEmpty)
        let silent = try server(nil)
        try login(silent, "--issuer", silent.url()).expect(status: 0)
        #expect(try person.profile()["resource"] == .string(silent.url("/api")))
        #expect(try person.oap(["call", "work", "/x"]).run().expect(status: 0).text == "called")
    }

    @Test("OAP_ISSUER chooses of the servers that the resource names, and no other; the profile names both")
    func variable() throws {
        let (naming, foreign) = (try server(#"["https://other.example","$"]"#), try server(nil))
        let words = ["login", "work", "--open", "--resource", naming.url("/api"), "--client-id", "c"]
        let refused = try person.oap(words, ["OAP_ISSUER": foreign.url()]).run().expect(status: 2)
        #expect(refused.errorText.contains("--resource and OAP_ISSUER name different servers: "), "\(refused)")
        refused.expect(errorLine: "oap: hint: unset OAP_ISSUER")
        #expect(foreign.connectionCount == 0 && naming.authorizations.isEmpty)
        try person.oap(words, ["OAP_ISSUER": naming.url()]).run().expect(status: 0)
        let profile = try person.profile()
        #expect(profile["issuer"] == .string(naming.url()) && profile["scope"] == "repo")
        #expect(profile["resource"] == .string(naming.url("/api")))
        try person.oap(words, ["OAP_ISSUER": naming.url()]).run().expect(status: 0)
    }
}
