import TestSupport
import Testing
import Wire

@testable import CommandSupport

@Suite("The name of a profile and a token")
struct NameTests {
    private let store: StoreHome

    init() throws {
        store = try StoreHome()
        try store.put(#"{"access_token":"at-work","client_id":"c"}"#, as: "work")
        try store.put(#"{"access_token":"at-other","client_id":"d"}"#, as: "a:b@c")
        try store.oap("profile", "set", "work", input: #"{"client_id":"c"}"#).run().expect(status: 0)
    }

    private func oap(_ arguments: [String], variable: String? = nil, input: Program.Input = .none) -> Program {
        var program = store.oap()
        program.arguments = arguments
        program.input = input
        program.environment["OAP_PROFILE"] = variable
        return program
    }

    @Test(
        "a name is taken as the operand, with -p, as both if they are the same, and from OAP_PROFILE",
        arguments: [["token"], ["store", "get"], ["profile", "show"]])
    func forms(words: [String]) throws {
        let expected = try oap(words + ["work"]).run().expect(status: 0).text
        for arguments in [["-p", "work"], ["--profile=work"], ["work", "-p", "work"]] {
            try oap(words + arguments, variable: "nobody").run().expect(status: 0).expect(output: expected)
        }
        try oap(words, variable: "work").run().expect(status: 0).expect(output: expected)
        try oap(words + ["work"], variable: "../x").run().expect(status: 0).expect(output: expected)
    }

    @Test(
        "a token in the place of a name is shown by its beginning alone",
        arguments: [
            "eyJhbGciOiJIUzI1NiJ9.c2VjcmV0cGF5bG9hZA.abcSIG", "ghp_0123456789abcdefABCDEF0123456789abcd",
            "glpat-x9_Zk2mQ7rTb4VwYc1Ld", "Hs8d_Kq2Lw9xZr4Tn6Vb1-Yc3Mf5Gj7Pk0A",
        ])
    func token(word: String) throws {
        let commands = [
            ["token", word], ["token", "-p", word], ["run", word, "--", "true"], ["whoami", word], ["logout", word],
            ["store", "get", word], ["login", word], ["profile", "show", word], ["revoke", "-p", word], ["help", word],
            ["provider", word], [word], ["call", "-p", word, "/x"], ["refresh", "-p", word],
        ]
        for words in commands {
            try oap(words).run().expect(nowhere: String(word.dropFirst(6)))
        }
        let shown = try oap(["token", word]).run().expect(status: 8)
        shown.expect(errorLine: "oap: token: no token is stored as \(word.prefix(6))***")
        // Any other name that long may be a password.
        for (name, shown) in [
            ("work-2024-Production-Environment-Europe", "work-2***"),
            ("ada.lovelace1815@subdomain.example.org", "ada.lo***"),
            ("nineteen-characters", "nineteen-characters"),
        ] {
            try oap(["token", name]).run().expect(status: 8)
                .expect(errorLine: "oap: token: no token is stored as \(shown)")
        }
    }

    @Test("logout takes its name from -p and from OAP_PROFILE")
    func logout() throws {
        try oap(["logout", "-p", "work"]).run().expect(status: 0)
        try oap(["logout"], variable: "a:b@c").run().expect(status: 0)
        try oap(["store", "list"], variable: "work").run().expect(status: 0).expect(output: "")
    }

    @Test("login takes its name from -p and from OAP_PROFILE; an operand with = is no name")
    func login() throws {
        let person = try LoginHome()
        let server = try LoginHome.server()
        let preset: JSONObject = [
            "authorization_endpoint": .string("http://127.0.0.1:{port}/authorize"),
            "token_endpoint": .string("http://127.0.0.1:{port}/token"),
        ]
        try person.home.write(JSON.object(preset).text, to: ".config/oap/providers/mine.json")
        let login = ["login", "--provider", "mine", "--client-id", "c", "--open"]
        let port = "port=\(server.port)"
        try person.oap(login + [port], ["OAP_PROFILE": "work"]).run().expect(status: 0)
        try person.oap(login + [port, "-p", "x:y"]).run().expect(status: 0)
        try person.oap(login + [port, "last"]).run().expect(status: 0)
        try person.oap(login + [port, "two", "names"]).run().expect(status: 2)
        try person.oap(["login", "--open"], ["OAP_PROFILE": "work"]).run().expect(status: 0)
        try person.oap(["store", "list", "-q", ".name", "-r"]).run().expect(output: "last\nwork\nx:y\n")
        #expect(person.home.contains(".config/oap/profiles/x:y.json"))
    }

    @Test(
        "OAP_PROFILE names the token where standard input can hold no document",
        arguments: [Program.Input.none, .closed, .terminal])
    func withoutPipe(input: Program.Input) throws {
        let api = try Responder { request in .text(request.headers.first { $0.name == "Authorization" }?.value ?? "") }
        let call = ["call", api.url("/")]
        try oap(call, variable: "a:b@c", input: input).run().expect(status: 0).expect(output: "Bearer at-other")
        try oap(call + ["-p", "work"], variable: "a:b@c", input: input).run().expect(output: "Bearer at-work")
        let file = try store.home.write(#"{"access_token":"at-file"}"#, to: "t.json")
        try oap(call + ["--token-file", file], variable: "work", input: input).run().expect(output: "Bearer at-file")
        var program = oap(call + ["-n"], variable: "work", input: input)
        program.environment["OAP_ACCESS_TOKEN"] = "at-variable"
        try program.run().expect(output: "Bearer at-variable")
    }

    @Test("--token-file takes a document on standard input", arguments: ["-", "/dev/stdin", "/dev/fd/0"])
    func standardInput(path: String) throws {
        let api = try Responder { request in .text(request.headers.first("Authorization") ?? "") }
        let call = ["call", api.url("/"), "--token-file", path]
        try oap(call, variable: "work", input: .text(#"{"access_token":"at-piped"}"#)).run().expect(status: 0)
            .expect(output: "Bearer at-piped")
    }

    @Test("a command that takes -p and no other operand takes the name as one")
    func operand() throws {
        let kept = try ManagedHome()
        try kept.oap("refresh", "work").run().expect(status: 0)
        #expect(kept.endpoint.requests.count == 1)
        let options = ["--authorization-endpoint", "https://as.example/a", "-q", ".authorization_url", "-r"]
        #expect(try oap(["authurl", "work"] + options).run().expect(status: 0).text.contains("client_id=c&"))
    }

    @Test("OAP_PROFILE names the profile of a command that needs no token, and refresh stores what it renews")
    func others() throws {
        let kept = try ManagedHome()
        var refresh = kept.oap("refresh")
        refresh.environment["OAP_PROFILE"] = "work"
        try refresh.run().expect(status: 0)
        #expect(kept.endpoint.requests.count == 1)
        let options = ["--authorization-endpoint", "https://as.example/a", "-q", ".authorization_url", "-r"]
        let url = try oap(["authurl"] + options, variable: "work").run().expect(status: 0).text
        #expect(url.contains("client_id=c&"))
        let missing = try oap(["authurl"] + options, variable: "nobody").run().expect(status: 11)
        let hint = "; OAP_PROFILE names it; for a document on standard input: --token-file -\n"
        #expect(missing.errorText.hasSuffix(hint), "\(missing)")
        let token = try oap(["call", "/x"], variable: "nobody").run().expect(status: 8)
        #expect(token.errorText.hasSuffix(hint), "\(token)")
        #expect(try !oap(["authurl", "nobody"] + options).run().errorText.contains("OAP_PROFILE"))
    }
}
