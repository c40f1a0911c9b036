import Foundation
import PlaySupport
import TestSupport
import Testing
import Wire

@testable import CommandSupport

@Suite("The profile of oap login", .inProcess)
struct LoginProfileTests {
    private let person: LoginHome

    init() throws { person = try LoginHome() }

    @Test("a preset and an issuer that is not the preset's are two servers: nothing is asked, and no profile written")
    func presetAndIssuer() throws {
        let home = try TemporaryDirectory()
        var program = Program.oap([
            "login", "work", "--provider", "github", "--issuer", "http://127.0.0.1:1", "--client-id", "c", "--open",
        ])
        program.environment["HOME"] = home.path
        try program.run().expect(status: 2)
            .expect(errorLine: "oap: login: --provider and --issuer name different servers")
        program.arguments.removeAll { ["--issuer", "http://127.0.0.1:1"].contains($0) }
        program.environment["OAP_ISSUER"] = "http://127.0.0.1:1"
        try program.run().expect(status: 2)
            .expect(errorLine: "oap: login: --provider and OAP_ISSUER name different servers")
        #expect(!FileManager.default.fileExists(atPath: home.path(".config/oap/profiles/work.json")))
    }

    @Test(
        "oap login writes the profile with --provider or --save-profile after the login, without a variable's secret")
    func profiles() throws {
        let server = try LoginHome.server()
        let preset: JSONObject = [
            "title": "Mine", "authorization_endpoint": .string("http://127.0.0.1:{port}/authorize"),
            "token_endpoint": .string("http://127.0.0.1:{port}/token"), "api_headers": .object(["X-A": "1"]),
        ]
        try person.home.write(JSON.object(preset).text, to: ".config/oap/providers/mine.json")
        let refusing = try LoginHome.server(#"{"error":"invalid_grant"}"#)
        let login = { (server: Responder) in
            ["login", "work", "port=\(server.port)", "--provider", "mine", "--client-id", "c", "--open"]
        }
        try person.oap(login(refusing)).run().expect(status: 4)
        #expect(!FileManager.default.fileExists(atPath: person.home.path(LoginHome.profile)))
        try person.oap(login(server), ["OAP_CLIENT_SECRET": "hunter2"]).run().expect(status: 0)
        let text = try person.home.read(LoginHome.profile)
        #expect(!text.contains("hunter2"))
        #expect(try person.home.permissions(LoginHome.profile) == 0o600)
        let profile = try #require(JSON(parsing: Array(text.utf8)).object)
        #expect(profile["client_id"] == "c" && profile["token_endpoint"] == .string(server.url("/token")))
        #expect(profile["api_headers"] == .object(["X-A": "1"]))
        // The secret was used, so that without it nobody is sent to log in.
        let count = server.requests.count
        try person.oap(["login", "work", "--open"]).run().expect(status: 3)
        #expect(profile["token_endpoint_auth_method"] == "client_secret_basic" && server.requests.count == count)
        let secret = ["OAP_CLIENT_SECRET": "hunter2"]
        try person.oap(["login", "work", "--open", "--scope", "more"], secret).run().expect(status: 0)
        #expect(try person.home.read(LoginHome.profile) == text)
        let saving = ["login", "work", "--open", "--scope", "more", "--save-profile"]
        try person.oap(saving, secret).run().expect(status: 0)
        #expect(try person.home.read(LoginHome.profile).contains(#""scope": "more""#))
    }

    @Test("oap login --provider knows that the provider requires a secret before anybody logs in")
    func secretRequired() throws {
        let words = ["login", "gh", "--provider", "github", "--client-id", "c", "--open"]
        let result = try person.oap(words).run().expect(status: 3)
        result.expect(errorLine: "oap: login: client_secret is missing")
        #expect(result.errorText.contains("OAP_CLIENT_SECRET") && !result.errorText.contains("open this URL"))
        try person.oap(Array(words.dropLast())).run().expect(status: 3)
        try person.oap(words.dropLast() + ["--token-endpoint-auth-method", "none"]).run().expect(status: 8)
    }

    @Test("oap login uses and keeps the redirect URI that a preset says to register, unless an option names another")
    func redirectURI() throws {
        let server = try LoginHome.server()
        let preset: JSONObject = [
            "authorization_endpoint": .string(server.url("/authorize")),
            "token_endpoint": .string(server.url("/token")),
            "registration_redirect_uri": "http://localhost/from-preset",
        ]
        try person.home.write(JSON.object(preset).text, to: ".config/oap/providers/mine.json")
        let words = ["login", "work", "--provider", "mine", "--client-id", "c", "--open"]
        for _ in 1...2 { try person.oap(words).run().expect(status: 0) }
        #expect(try person.profile()["redirect_uri"] == "http://localhost:0/from-preset")
        try person.oap(["login", "work", "--open"]).run().expect(status: 0)
        let used = server.requests.filter { $0.target.contains("redirect_uri=http%3A%2F%2Flocalhost%3A") }
        #expect(
            used.count == 3
                && used.allSatisfy { $0.target.contains("%2Ffrom-preset") && !$0.target.contains("%3A0%2F") })
        let own = words + ["--redirect-uri", "http://127.0.0.1:0/own", "--save-profile"]
        try person.oap(own).run().expect(status: 0)
        #expect(try person.profile()["redirect_uri"] == "http://127.0.0.1:0/own")
        let port = try #require(try Listening.flow()["redirect_uri"]?.string.flatMap { WebURL($0)?.port })
        try person.oap(words + ["--port", "\(port)", "--save-profile"]).run().expect(status: 0)
        #expect(try person.profile()["redirect_uri"] == .string("http://localhost:\(port)/from-preset"))
    }

    @Test("oap login refuses an explicit secret that the client would not send, and warns about one of a variable")
    func idleSecret() throws {
        let server = try LoginHome.server()
        try person.profile(server, ["token_endpoint_auth_method": "none"])
        let file = try person.home.write("hunter2", to: "secret")
        let refused = try person.oap(["login", "work", "--open", "--client-secret-file", file]).run().expect(status: 2)
        #expect(refused.errorText.contains("--token-endpoint-auth-method client_secret_basic"))
        #expect(server.connectionCount == 0)
        let warned = try person.oap(["login", "work", "--open"], ["OAP_CLIENT_SECRET": "hunter2"]).run()
        #expect(warned.expect(status: 0).errorText.contains("warning: OAP_CLIENT_SECRET is not used"), "\(warned)")
        let used = ["login", "work", "--open", "--client-secret-file", file]
        try person.oap(used + ["--token-endpoint-auth-method", "client_secret_basic"]).run().expect(status: 0)
        #expect(server.requests.last?.headers.first("Authorization") != nil)
    }

    @Test("oap login without a profile says how to make one")
    func noProfile() throws {
        let result = try person.oap(["login", "work", "--open"]).run().expect(status: 3)
        #expect(result.errorText.contains("oap login work --issuer URL --client-id ID"))
    }

    @Test("the profile of oap login is not replaced by a preset that says something else, unless that is asked for")
    func replaced() throws {
        let server = try LoginHome.server()
        let preset: JSONObject = [
            "title": "Mine", "authorization_endpoint": .string(server.url("/authorize")),
            "token_endpoint": .string(server.url("/token")),
        ]
        try person.home.write(JSON.object(preset).text, to: ".config/oap/providers/mine.json")
        try person.home.write(#"{"client_id":"old","scope":"precious"}"#, to: LoginHome.profile)
        let login = ["login", "work", "--provider", "mine", "--open"]
        let id = ["OAP_CLIENT_ID": "from-variable"]
        let refused = try person.oap(login, id).run().expect(status: 2)
        #expect(refused.errorText.contains("to replace the profile, add --save-profile") && server.connectionCount == 0)
        #expect(try person.profile()["scope"] == "precious")
        try person.oap(login + ["--save-profile"], id).run().expect(status: 0)
        #expect(try person.profile()["client_id"] == "from-variable")
        // The same once more changes nothing, and is allowed.
        try person.oap(login, id).run().expect(status: 0)
        try person.oap(["login", "work", "--open"]).run().expect(status: 0)
    }

    @Test("the profile of oap login that cannot be written is known before a person logs in")
    func unwritable() throws {
        let server = try LoginHome.server()
        let variables = [
            "XDG_CONFIG_HOME": try person.home.write("", to: "file"), "OAP_CLIENT_ID": "c",
            "OAP_AUTHORIZATION_ENDPOINT": server.url("/authorize"), "OAP_TOKEN_ENDPOINT": server.url("/token"),
        ]
        try person.oap(["login", "work", "--open", "--save-profile"], variables).run().expect(status: 11)
        #expect(server.connectionCount == 0)
        // It can be looked for, and is not there; only writing would fail.
        let folder = person.home.path(".config/oap/profiles")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            atPath: "\(folder)/work.json", withDestinationPath: person.home.path("nowhere/work.json"))
        let words = ["login", "work", "--open", "--issuer", server.url(), "--client-id", "c"]
        let result = try person.oap(words).run().expect(status: 11)
        #expect(server.connectionCount == 0, "\(result)")
    }

    @Test("the profile of oap login behind a symbolic link is written where the link leads")
    func link() throws {
        let server = try LoginHome.server()
        try person.profile(server)
        let real = person.home.path("dotfiles.json")
        try FileManager.default.moveItem(atPath: person.home.path(LoginHome.profile), toPath: real)
        try FileManager.default.createSymbolicLink(
            atPath: person.home.path(LoginHome.profile), withDestinationPath: real)
        try person.oap(["login", "work", "--open", "--scope", "more", "--save-profile"]).run().expect(status: 0)
        #expect(try person.home.read("dotfiles.json").contains("more"))
    }

    @Test("the profile of oap login in a folder that others can write to is not read")
    func openFolder() throws {
        let server = try LoginHome.server()
        try person.profile(server)
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o777], ofItemAtPath: person.home.path(".config/oap/profiles"))
        for command in [["authurl", "-p", "work"], ["login", "work", "--open"]] {
            let result = try person.oap(command).run().expect(status: 11)
            #expect(result.errorText.contains("others can write to it"))
        }
    }
}
