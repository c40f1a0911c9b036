import Synchronization
import TestSupport
import Testing
import Wire

@testable import CommandSupport

@Suite("oap login at a server that announces another issuer")
struct LoginAcceptedIssuerTests {
    private let person: LoginHome

    init() throws { person = try LoginHome() }

    /// A resource that names its server with a slash at the end, and the server, whose metadata, redirects and ID tokens have
    /// none.
    ///
    /// - Parameter metadata: what the metadata has in place of its own issuer.
    private func server(_ metadata: JSONObject = [:]) throws -> Responder {
        let issuer = try OpenIDServer(metadata: metadata).responder
        let address = issuer.url()
        return try Responder { request in
            switch request.target {
            case "/.well-known/oauth-protected-resource/mcp":
                let own = "http://" + (request.headers.first("Host") ?? "")
                return .json(#"{"resource":"\#(own)/mcp","authorization_servers":["\#(address)/"]}"#)
            case "/.well-known/issuer": return .text(issuer.url())
            default: return .text("", status: 401)
            }
        }
    }

    private func address(of resource: Responder) throws -> String {
        try Program.shell("curl -sS \(resource.url("/.well-known/issuer"))").run().expect(status: 0).text
    }

    private func login(_ resource: Responder, _ more: String...) throws -> ProgramResult {
        let words = ["login", "lab", "--resource", resource.url("/mcp"), "--client-id", "c", "--scope", "openid"]
        return try person.oap(words + ["--open"] + more).run()
    }

    @Test("a difference of the slash at the end is named, and the hint is a command that logs in")
    func slash() throws {
        let resource = try server()
        let issuer = try address(of: resource)
        let refused = try login(resource).expect(status: 9)
        refused.expect(
            errorLine: "oap: login: the metadata is of the issuer \(JSON.string(issuer).text), not of "
                + "\"\(issuer)/\"; they differ only in the slash at the end")
        let hint = try #require(refused.errorText.firstMatch(of: /oap: hint: if it is the same server: (oap .*)\n/)).1
        #expect(
            hint == "oap login lab --resource \(resource.url("/mcp")) --client-id c --scope openid --open "
                + "--accept-issuer \(issuer)")
        var program = Program.shell(String(hint))
        program.environment = person.oap([]).environment
        try program.run().expect(status: 0)
    }

    @Test("the issuer is accepted in metadata and ID tokens, kept in profile and token, and shown by inspect")
    func kept() throws {
        let resource = try server()
        let issuer = try address(of: resource)
        try login(resource, "--accept-issuer", issuer).expect(status: 0)
        let profile = try JSON(parsing: Array(person.home.read(".config/oap/profiles/lab.json").utf8)).object
        #expect(profile?["accept_issuer"] == .string(issuer) && profile?["issuer"] == .string("\(issuer)/"))
        let shown = try person.oap(["inspect", "-p", "lab"]).run().expect(status: 0).object()
        #expect(shown["accept_issuer"] == .string(issuer))
        // The next login, a renewal with a new ID token, and the same resource again.
        try person.oap(["login", "lab", "--open"]).run().expect(status: 0)
        try login(resource).expect(status: 0)
        try person.oap(["refresh", "-p", "lab"]).run().expect(status: 0)
        // The token alone has it too.
        try person.oap(["profile", "delete", "lab"]).run().expect(status: 0)
        try person.oap(["refresh", "-p", "lab"]).run().expect(status: 0)
    }

    @Test("OAP_ISSUER may name the issuer that is accepted: the hint is a command that logs in there, too")
    func variable() throws {
        let resource = try server()
        let issuer = try address(of: resource)
        let url = resource.url("/mcp")
        let words = ["login", "lab", "--resource", url, "--client-id", "c", "--scope", "openid", "--open"]
        let environment = ["OAP_ISSUER": issuer]
        let refused = try person.oap(words, environment).run().expect(status: 2)
        #expect(refused.errorText.contains("--resource and OAP_ISSUER name different servers: "), "\(refused)")
        #expect(refused.errorText.contains(" --accept-issuer \(issuer)\n"), "\(refused)")
        try person.oap(words + ["--accept-issuer", issuer], environment).run().expect(status: 0)
        try person.oap(["login", "lab", "--open"], environment).run().expect(status: 0)
        try person.oap(["refresh", "-p", "lab"], environment).run().expect(status: 0)
        // Another issuer is another server, whatever is accepted.
        let other = ["OAP_ISSUER": "https://other.example"]
        try person.oap(words + ["--accept-issuer", "https://other.example", "--save-profile"], other).run()
            .expect(status: 2)
    }

    @Test("every other difference is refused, also with --accept-issuer")
    func others() throws {
        for announced in ["http://127.0.0.1:1", "https://evil.example/"] {
            let resource = try server(["issuer": .string(announced)])
            let result = try login(resource, "--accept-issuer", try address(of: resource)).expect(status: 9)
            #expect(result.errorText.contains("the metadata is of the issuer \(JSON.string(announced).text)"))
            #expect(!result.errorText.contains("they differ only"))
        }
    }

    @Test("a gateway's metadata of another host is accepted by its name, and by no other")
    func gateway() throws {
        let announced = "https://internal.example"
        let claims: JSONObject = ["iss": .string(announced)]
        let server = try OpenIDServer(claims: claims, metadata: ["issuer": .string(announced)]).responder
        let words = ["login", "work", "--issuer", server.url(), "--client-id", "c", "--scope", "openid", "--open"]
        try person.oap(words).run().expect(status: 9)
        try person.oap(words + ["--accept-issuer", "https://other.example"]).run().expect(status: 9)
        try person.oap(words + ["--accept-issuer", announced]).run().expect(status: 0)
        #expect(try person.profile()["accept_issuer"] == .string(announced))
    }

    @Test("an issuer on the command line with a slash too many is given without it in the hint")
    func option() throws {
        let server = try OpenIDServer().responder
        let result = try person.oap(["login", "work", "--issuer", server.url("/"), "--client-id", "c", "--open"]).run()
        let command = "oap login work --client-id c --open --issuer \(server.url())"
        result.expect(status: 9).expect(errorLine: "oap: hint: if it is the same server: \(command)")
    }

    @Test("an issuer that the resource names with another slash is named with the option that accepts it")
    func choice() throws {
        let resource = try server()
        let issuer = try address(of: resource)
        let result = try login(resource, "--issuer", issuer).expect(status: 2)
        #expect(result.errorText.contains("; they differ only in the slash at the end\n"), "\(result)")
        #expect(result.errorText.contains(" --open --accept-issuer \(issuer)\n"), "\(result)")
    }

    @Test("oap discover names the command that finds the server of such a resource")
    func discovery() throws {
        let resource = try server()
        let issuer = try address(of: resource)
        let command = "oap discover --resource \(resource.url("/mcp")) --expected-issuer \(issuer)"
        try Program.oap(["discover", "--resource", resource.url("/mcp")]).run().expect(status: 9).expect(
            errorLine: "oap: hint: if it is the same server: \(command)")
        let found = try Program.shell(command).run().expect(status: 0).object()
        #expect(found["issuer"] == .string(issuer))
    }

    @Test("an iss in the redirect may be the accepted issuer, and no other; a pipe takes the member of its document")
    func redirect() throws {
        let flow: JSONObject = [
            "redirect_uri": "http://127.0.0.1:1/cb", "state": "s", "issuer": "https://as.example/",
        ]
        let parse = { (flow: JSONObject, issuer: String) in
            try Program.oap(
                ["callback-parse", "http://127.0.0.1:1/cb?code=c&state=s&iss=\(issuer)"], input: flow.input
            ).run()
        }
        let refused = try parse(flow, "https://as.example").expect(status: 9)
        #expect(refused.errorText.contains("; they differ only in the slash at the end\n"), "\(refused)")
        let accepting = flow.with(["accept_issuer": "https://as.example"])
        try parse(accepting, "https://as.example").expect(status: 0)
        try parse(accepting, "https://as.example/").expect(status: 0)
        try parse(accepting, "https://as.example//").expect(status: 9)
    }

    @Test("no variable accepts an issuer, and no server does")
    func sources() throws {
        let resource = try server()
        let issuer = try address(of: resource)
        try person.oap(
            ["login", "lab", "--resource", resource.url("/mcp"), "--client-id", "c", "--open"],
            ["OAP_ACCEPT_ISSUER": issuer]
        ).run().expect(status: 9)
        let lying = try server(["accept_issuer": .string(issuer)])
        try login(lying).expect(status: 9)
    }
}
