import Foundation
import PlaySupport
import TestSupport
import Testing
import Wire

@testable import CommandSupport

@Suite("oap provider", .inProcess)
struct ProviderTests {
    /// A configuration folder with presets of one's own, and the environment that names it.
    private func own(_ files: [String: String]) throws -> (folder: TemporaryDirectory, environment: [String: String]) {
        let folder = try TemporaryDirectory()
        try FileManager.default.createDirectory(
            atPath: folder.path("oap/providers"), withIntermediateDirectories: true)
        for (name, text) in files { try folder.write(text, to: "oap/providers/\(name)") }
        return (folder, ["XDG_CONFIG_HOME": folder.path])
    }

    @Test("without a name the presets are listed, one a line, the name first; standard input stays unread")
    func list() throws {
        let result = try Program.oap(["provider"], input: .open).run().expect(status: 0).expectSilence()
        let lines = result.text.split(separator: "\n")
        let names = lines.map { String($0.prefix { $0 != " " }) }
        #expect(names == names.sorted() && names.count >= 40)
        #expect(lines.contains { $0.hasPrefix("github ") && $0.hasSuffix(" GitHub") })
    }

    @Test("places are filled")
    func places() throws {
        try Program.oap(["provider", "keycloak", "realm=staff", "host=sso.example", "-q", ".issuer", "-r"]).run()
            .expect(status: 0).expect(output: "https://sso.example/realms/staff\n")
    }

    @Test(
        "a host may be the whole address, and one on this machine is asked over plain http",
        arguments: [
            (["host=localhost:8080", "realm=r"], "http://localhost:8080/realms/r"),
            (["host=localhost:8443", "realm=r"], "https://localhost:8443/realms/r"),
            (["host=http://localhost:8443", "realm=r"], "http://localhost:8443/realms/r"),
            (["host=https://localhost:8080", "realm=r"], "https://localhost:8080/realms/r"),
            (["host=https://sso.example/realms/r/"], "https://sso.example/realms/r"),
            (["host=sso.example/auth/realms/r", "realm=r"], "https://sso.example/auth/realms/r"),
            (["realm=r", "host=sso.example/auth/realms/r/"], "https://sso.example/auth/realms/r"),
        ])
    func hosts(values: [String], issuer: String) throws {
        try Program.oap(["provider", "keycloak", "-q", ".issuer", "-r"] + values).run().expect(status: 0)
            .expect(output: "\(issuer)\n")
    }

    @Test("an alias names a preset, and host=… GitHub Enterprise Server")
    func aliases() throws {
        let entra = try Program.oap(["provider", "entra", "tenant=contoso.example", "-q", ".issuer", "-r"]).run()
        entra.expect(output: "https://login.microsoftonline.com/contoso.example/v2.0\n")
        try Program.oap(["provider", "github", "host=http://localhost:8080", "-q", ".api_base", "-r"]).run()
            .expect(status: 0).expect(output: "http://localhost:8080/api/v3\n")
        try Program.oap(["provider", "github", "host=github.com", "-q", ".api_base", "-r"]).run()
            .expect(status: 0).expect(output: "https://api.github.com\n")
        try Program.oap(["provider", "github", "host=GitHub.com/"]).run().expect(status: 0)
        for name in ["office365", "o365", "outlook"] {
            try Program.oap(["provider", name, "tenant=common", "-q", ".issuer", "-r"]).run().expect(
                output: "https://login.microsoftonline.com/common/v2.0\n")
        }
    }

    @Test("the client file of Google is a client document: on standard input, as a profile, and for profile set")
    func google() throws {
        let home = try StoreHome()
        let file =
            #"{"installed":{"client_id":"1.apps","client_secret":"GOCSPX-1","auth_uri":"AUTH","token_uri":"TOKEN"}}"#
        let good = file.replacing("AUTH", with: "https://accounts.google.com/o/oauth2/auth")
            .replacing("TOKEN", with: "https://oauth2.googleapis.com/token")
        let prefix = "https://accounts.google.com/o/oauth2/auth?response_type=code&client_id=1.apps&"
        let url = ["-q", ".authorization_url", "-r"]
        #expect(try Program.oap(["authurl"] + url, input: .text(good)).run().expect(status: 0).text.hasPrefix(prefix))
        try home.oap("profile", "set", "set", input: good).run().expect(status: 0)
        try home.home.write(good, to: ".config/oap/profiles/put.json")
        for name in ["set", "put"] {
            var program = home.oap("authurl", "-p", name)
            program.arguments += url
            let text = try program.run().expect(status: 0).text
            #expect(text.hasPrefix(prefix) && text.contains("access_type=offline"))
        }
        let bad = good.replacing("oauth2.googleapis.com", with: "evil.example")
        for arguments in [["authurl"], ["exchange", "--grant", "client_credentials"], ["profile", "set", "x"]] {
            let result = try Program.oap(arguments, input: .text(bad)).run().expect(status: 3)
            #expect(result.errorText.contains("installed.token_uri is not an endpoint of Google"), "\(result)")
        }
    }

    @Test("an unknown provider is exit 2 with the nearest name, an own one among them")
    func unknown() throws {
        let (folder, environment) = try own(["corporate.json": "{}"])
        try Program.oap(["provider", "corporte"], environment: environment).run().expect(status: 2)
            .expect(errorLine: "oap: hint: did you mean corporate?")
        for name in ["../providers/corporate", "/etc/passwd", String(repeating: "x", count: 5000)] {
            try Program.oap(["provider", name], environment: environment).run().expect(status: 2)
        }
        withExtendedLifetime(folder) {}
    }

    @Test("a preset of one's own comes before a built-in one, and is listed by its file")
    func ownPreset() throws {
        let (folder, environment) = try own([
            "github.json": #"{"title":"Ours","token_endpoint":"https://{host}/t","variables":{"host":"host"}}"#,
            "not a name.json": "{}", "notes.txt": "",
        ])
        try Program.oap(["provider", "github", "host=git.example"], environment: environment).run().expect(status: 0)
            .expect(output: #"{"token_endpoint":"https://git.example/t"}"# + "\n")
        let list = try Program.oap(["provider"], environment: environment).run().expect(status: 0).text
        let lines = list.split(separator: "\n").filter { $0.hasPrefix("github ") }
        #expect(lines.count == 1 && lines.first?.hasSuffix(folder.path("oap/providers/github.json")) == true)
        #expect(!list.contains("not a name") && !list.contains("notes"))
        try Program.oap(["provider", "github"], environment: ["XDG_CONFIG_HOME": "relative"]).run().expect(status: 0)
    }

    @Test(
        "an own file that is no preset is exit 3 and named",
        arguments: ["{", "[]", #"{"title":1}"#, #"{"a":1,"a":2}"#])
    func badFile(text: String) throws {
        let (folder, environment) = try own(["mine.json": text])
        let result = try Program.oap(["provider", "mine"], environment: environment).run().expect(status: 3)
        #expect(result.errorText.contains("oap: provider: \(folder.path("oap/providers/mine.json"))"))
    }

    @Test("an own preset that cannot be read is exit 11")
    func unreadable() throws {
        let (folder, environment) = try own([:])
        try FileManager.default.createDirectory(
            atPath: folder.path("oap/providers/mine.json"), withIntermediateDirectories: false)
        try Program.oap(["provider", "mine"], environment: environment).run().expect(status: 11)
    }

    @Test(
        "a folder of own presets that is another user's is exit 11",
        .enabled(if: geteuid() == 0, "only root can give a folder away"))
    func foreignFolder() throws {
        let (folder, environment) = try own([:])
        #expect(chown(folder.path("oap/providers"), 65_534, 65_534) == 0)
        let result = try Program.oap(["provider", "github"], environment: environment).run().expect(status: 11)
        #expect(result.errorText.contains("\(folder.path("oap/providers")): it belongs to another user"))
    }

    @Test("the API gets what authorization_header and api_headers say, and -H sets no other token")
    func callHeaders() throws {
        let responder = try Responder(.json("{}"))
        let token: JSONObject = responder.token.with([
            "authorization_header": "X-Shopify-Access-Token", "api_headers": .object(["X-Version": "7"]),
        ])
        try Program.oap(["call", "/shop.json"], input: token.input).run().expect(status: 0)
        let lines = try #require(responder.requests.first).lines
        #expect(lines.contains("X-Shopify-Access-Token: old-access") && lines.contains("X-Version: 7"))
        #expect(!lines.contains { $0.hasPrefix("Authorization:") })
        try Program.oap(["call", "/", "-H", "x-shopify-access-token: x"], input: token.input).run().expect(status: 2)
        try Program.oap(["call", "/", "-v"], input: token.input).run().expect(nowhere: "old-access")
        try Program.oap(["call", "/", "--dry-run"], input: token.input).run().expect(status: 0)
            .expect(nowhere: "old-access")
    }

    @Test("token --header prints the field that the API wants")
    func tokenHeader() throws {
        let folder = try TemporaryDirectory()
        let environment = ["XDG_STATE_HOME": folder.path]
        let token: JSONObject = ["access_token": "shpat_1", "authorization_header": "X-Shopify-Access-Token"]
        try Program.oap(["store", "put", "shop"], input: token.input, environment: environment).run().expect(status: 0)
        try Program.oap(["token", "shop", "--header"], environment: environment).run().expect(status: 0)
            .expect(output: "X-Shopify-Access-Token: shpat_1\n")
    }

    @Test("the ways of a provider last from the document through exchange and refresh")
    func pipelineOfQuirks() throws {
        let responder = try Responder(
            .json(#"{"data":{"access_token":"one","refresh_token":"r1","token_type":"user","expires_in":60}}"#),
            .json(#"{"data":{"access_token":"two","token_type":"user"}}"#))
        let flow: JSONObject = responder.flow.with([
            "parameter_names": .object(["client_id": "client_key"]), "token_request_format": "json",
            "access_token_path": "data.access_token", "bearer_token_types": "user",
            "refresh_endpoint": .string(responder.url("/again")),
        ])
        let token = try Program.oap(["exchange"], input: flow.input).run().expect(status: 0).expectSilence().object()
        #expect(token["access_token"] == "one" && token["token_type"] == "Bearer")
        let renewed = try Program.oap(["refresh"], input: token.input).run().expect(status: 0).object()
        #expect(renewed["access_token"] == "two" && renewed["refresh_token"] == "r1")
        let requests = responder.requests
        #expect(requests.map { $0.lines.first } == ["POST /token HTTP/1.1", "POST /again HTTP/1.1"])
        for request in requests {
            let body = try #require(JSON(parsing: request.body).object)
            #expect(body["client_key"] == "client" && body["client_id"] == nil)
        }
    }

    @Test("pkce false is obeyed and said; --code-challenge-method overrules it")
    func pkce() throws {
        let document: JSONObject = [
            "authorization_endpoint": "https://as.example/a", "issuer": "https://as.example", "client_id": "c",
            "pkce": .bool(false),
        ]
        let result = try Program.oap(["authurl"], input: document.input).run().expect(status: 0)
            .expect(errorLine: "oap: authurl: warning: the code is sent without PKCE: anybody who sees it can use it")
        #expect(try result.object()["code_verifier"] == nil)
        let with = try Program.oap(["authurl", "--code-challenge-method", "S256"], input: document.input).run()
        #expect(try with.expect(status: 0).expectSilence().object()["code_verifier"] != nil)
    }
}
