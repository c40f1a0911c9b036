import PlaySupport
import TestSupport
import Testing
import Wire

@testable import CommandSupport

@Suite("oap whoami", .inProcess)
struct WhoamiTests {
    private func token(_ server: Responder, claims: JSONObject? = nil) -> JSONObject {
        var token = server.token.with(["userinfo_endpoint": .string(server.url("/user"))])
        token["id_token_claims"] = claims.map { .object($0) }
        return token
    }

    private func run(_ document: JSONObject, _ options: String...) throws -> ProgramResult {
        try Program.oap(["whoami"] + options, input: document.input).run()
    }

    @Test("the name in the claims of the ID token is printed, and nobody is asked")
    func claims() throws {
        let server = try Responder()
        let document = token(server, claims: ["sub": "7", "email": "a@example.com", "preferred_username": "ada"])
        try run(document).expect(status: 0).expect(output: "ada\n").expectSilence()
        try run(document, "-c").expect(status: 0)
            .expect(output: #"{"account":"ada","sub":"7","source":"id_token"}"# + "\n")
        try run(document, "-q", ".sub", "-r").expect(status: 0).expect(output: "7\n")
        #expect(server.connectionCount == 0)
    }

    @Test(
        "without a name in the claims the userinfo endpoint is asked, also one without a sub, as GitHub's, if no sub is known"
    )
    func userinfo() throws {
        let server = try Responder { _ in .json(#"{"login":"octocat","id":1}"#) }
        try run(token(server)).expect(status: 0).expect(output: "octocat\n")
        let result = try run(token(server, claims: ["sub": "7"]), "--jq", ".source").expect(status: 0)
        result.expect(output: "\"id_token\"\n")
    }

    @Test("an endpoint that fails leaves the sub, with a warning; another user is exit 9")
    func failing() throws {
        let busy = Responder.Reply.text("", status: 503, headers: ["Retry-After: 60"])
        let server = try Responder(busy, busy, .json(#"{"sub":"8","name":"Eve"}"#))
        let known = token(server, claims: ["sub": "7"])
        let result = try run(known).expect(status: 0).expect(output: "7\n")
        #expect(result.errorText.contains("warning: the name of the user is not known: "), "\(result)")
        try run(token(server)).expect(status: 6)
        try run(known).expect(status: 9).expect(nowhere: "Eve")
    }

    @Test("a name is taken in both forms and from the variable; without a token the exit status is 8")
    func names() throws {
        let kept = try ManagedHome(expiresIn: -10)
        try kept.put(try kept.stored().with(["id_token_claims": .object(["sub": "7", "name": "Ada\nL\u{1b}[2J"])]))
        var program = kept.oap("whoami")
        program.environment["OAP_PROFILE"] = "work"
        for program in [kept.oap("whoami", "work"), kept.oap("whoami", "-p", "work"), program] {
            try program.run().expect(status: 0).expect(output: #"Ada\nL\u{1b}[2J"# + "\n")
        }
        #expect(kept.endpoint.connectionCount == 0, "a name that is known needs no token that is valid")
        try kept.oap("whoami", "nobody").run().expect(status: 8).expect(output: "")
    }

    @Test("a server without a userinfo endpoint has no account to name, and no option is proposed for it")
    func unknown() throws {
        let server = try Responder { request in
            let address = "http://" + (request.headers.first("Host") ?? "")
            return .json(#"{"issuer":"\#(address)","token_endpoint":"\#(address)/token"}"#)
        }
        let document = server.token.with(["issuer": .string(server.url())])
        let result = try run(document).expect(status: 3)
        result.expect(
            errorLine: "oap: whoami: neither the token nor the server names the user: there is no userinfo endpoint")
        #expect(!result.errorText.contains("--userinfo-endpoint"), "\(result)")
    }
}
