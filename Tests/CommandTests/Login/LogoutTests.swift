import Foundation
import TestSupport
import Testing
import Wire

@Suite("oap logout")
struct LogoutTests {
    private let home: TemporaryDirectory

    init() throws { home = try TemporaryDirectory() }

    private func oap(_ arguments: String..., input: Program.Input = .none) throws -> ProgramResult {
        try Program.oap(arguments, input: input, environment: ["HOME": home.path]).run()
    }

    private func store(_ document: JSONObject) throws {
        try oap("store", "put", "work", input: document.input).expect(status: 0)
    }

    private func expectForgotten() throws { try oap("store", "get", "work").expect(status: 8) }

    @Test("RV-03 oap logout revokes the refresh token first, then the access token, and forgets both")
    func revoked() throws {
        let server = try Responder(.text(""), .text(""))
        try store(server.token.with(["revocation_endpoint": .string(server.url("/revoke"))]))
        let result = try oap("logout", "work").expect(status: 0).expect(output: "")
        result.expect(errorLine: "oap: logout: work: deleted from the store")
        result.expect(errorLine: "oap: logout: work: refresh_token and access_token revoked at the server")
        #expect(
            server.requests.map(\.bodyText).map { $0.prefix { $0 != "&" } } == [
                "token=old-refresh", "token=old-access",
            ])
        try expectForgotten()
        try oap("logout", "work").expect(status: 8)
    }

    private func expectKept() throws { try oap("store", "get", "work").expect(status: 0) }

    @Test("RV-03 oap logout keeps the token that the server has not revoked, with the status of its answer")
    func notRevoked() throws {
        let server = try Responder { _ in .text("", status: 503) }
        try store(server.token.with(["revocation_endpoint": .string(server.url("/revoke"))]))
        let busy = try oap("logout", "work", "--retry", "2", "--retry-delay", "0").expect(status: 6)
        #expect(busy.errorText.contains("work: not logged out: the refresh_token is not revoked: "), "\(busy)")
        #expect(server.requests.count == 3, "a server that is busy is not asked for the other")
        try expectKept()
        let refusing = try Responder { _ in .json(#"{"error":"invalid_client"}"#, status: 401) }
        try store(refusing.token.with(["revocation_endpoint": .string(refusing.url("/revoke"))]))
        let refused = try oap("logout", "work").expect(status: 4)
        #expect(refused.errorText.contains("; oap logout --local work deletes the token"), "\(refused)")
        try expectKept()
        // So does oap register --delete leave a profile.
        try home.write("{}", to: ".config/oap/profiles/work.json")
        try oap("logout", "work").expect(status: 4).expect(
            errorLine: "oap: hint: the profile work has no client any more: oap logout --local work deletes the token "
                + "without asking the server")
        try expectKept()
    }

    @Test(
        "RV-03 oap logout and oap revoke take no success for one that says no, and the token is kept",
        arguments: [
            (Responder.Reply.json(#"{"error":"invalid_request"}"#), 4), (.json(#"{"ok":false}"#), 10),
            (.content(Array("<html>Log in".utf8), type: "text/html"), 10),
        ])
    func denied(reply: Responder.Reply, status: Int) throws {
        let server = try Responder { _ in reply }
        let token = server.token.with(["revocation_endpoint": .string(server.url("/revoke"))])
        try store(token)
        let result = try oap("logout", "work").expect(status: status)
        #expect(result.errorText.contains("work: not logged out: the refresh_token is not revoked: "), "\(result)")
        try expectKept()
        let revoked = try oap("revoke", input: token.input).expect(status: status)
        #expect(!revoked.text.contains("revoked\":[") && revoked.errorText.contains("still valid"), "\(revoked)")
    }

    @Test("RV-03 oap logout forgets the token where a later answer revokes it, or the server knows no revocation")
    func revokedLater() throws {
        let server = try Responder(.text("", status: 503), .text(""), .text(""))
        try store(server.token.with(["revocation_endpoint": .string(server.url("/revoke"))]))
        try oap("logout", "work").expect(status: 0)
        try expectForgotten()
        let unable = try Responder { _ in .json(#"{"error":"unsupported_token_type"}"#, status: 400) }
        try store(unable.token.with(["revocation_endpoint": .string(unable.url("/revoke"))]))
        let told = try oap("logout", "work").expect(status: 0)
        #expect(told.errorText.contains("work: the refresh_token is not revoked: "), "\(told)")
        try expectForgotten()
        try store(server.token)
        let silent = try oap("logout", "work").expect(status: 0)
        silent.expect(errorLine: "oap: logout: work: not revoked at the server: no revocation_endpoint is known")
        try expectForgotten()
    }

    @Test("RV-03 oap logout keeps the token of a server that does not answer; with --local it forgets it")
    func noAnswer() throws {
        let server = try Responder { _ in .reset }
        try store(server.token.with(["revocation_endpoint": .string(server.url("/revoke"))]))
        try oap("logout", "work", "--retry", "1").expect(status: 6)
        try expectKept()
        server.stop()
        let gone = try oap("logout", "work", "--retry", "0").expect(status: 6)
        gone.expect(
            errorLine: "oap: hint: assume that the token is still valid; oap logout --local work deletes the token "
                + "without asking the server")
        try expectKept()
        try oap("logout", "work", "--local").expect(status: 0)
            .expect(errorLine: "oap: logout: work: deleted from the store, not revoked at the server")
        try expectForgotten()
    }

    @Test("RV-03 oap logout keeps the token of a client whose secret is not at hand, until it is")
    func noSecret() throws {
        let server = try Responder { _ in .text("") }
        try store(
            server.token.with([
                "revocation_endpoint": .string(server.url("/revoke")),
                "token_endpoint_auth_method": "client_secret_basic",
            ]))
        let result = try oap("logout", "work").expect(status: 3)
        result.expect(errorLine: "oap: logout: work: not logged out: client_secret is missing")
        #expect(server.connectionCount == 0)
        try expectKept()
        try Program.oap(["logout", "work"], environment: ["HOME": home.path, "OAP_CLIENT_SECRET": "s3cret"]).run()
            .expect(status: 0)
        try expectForgotten()
    }

    @Test("oap logout takes several names, or all, tries each, and fails with the highest status")
    func several() throws {
        let server = try Responder { _ in .text("") }
        let token = server.token.with(["revocation_endpoint": .string(server.url("/revoke"))])
        let put = { (name: String, document: JSONObject) in
            _ = try oap("store", "put", name, input: document.input).expect(status: 0)
        }
        for name in ["a", "b", "c"] { try put(name, token) }
        let two = try oap("logout", "a", "nobody", "b").expect(status: 8)
        two.expect(errorLine: "oap: logout: no token is stored as nobody")
        two.expect(errorLine: "oap: logout: not all tokens are logged out")
        try oap("store", "list").expect(status: 0).expect(output: try oap("store", "list").text)
        #expect(try oap("store", "list").object()["name"] == "c")
        try put("d", token)
        let refusing = try Responder { _ in .json(#"{"error":"invalid_client"}"#, status: 401) }
        try put("a", token.with(["revocation_endpoint": .string(refusing.url("/revoke"))]))
        try put("b", token.with(["token_endpoint_auth_method": "client_secret_basic"]))
        try oap("logout", "--all").expect(status: 4).expect(errorLine: "oap: logout: d: deleted from the store")
        try oap("logout", "a", "b", "nobody", "--local").expect(status: 8)
        try put("e", token)
        try oap("logout", "--all").expect(status: 0)
        try oap("store", "list").expect(output: "")
        try oap("logout", "--all").expect(status: 0).expect(errorLine: "oap: logout: no token is stored")
    }

    @Test("oap logout authenticates as the server lists for revocation, or as an option says")
    func method() throws {
        let server = try Responder { _ in .text("") }
        let token = server.token.with([
            "revocation_endpoint": .string(server.url("/revoke")), "client_secret": "s3cret",
            "token_endpoint_auth_method": "client_secret_post",
            "revocation_endpoint_auth_methods_supported": .array(["client_secret_basic"]),
        ])
        for (options, usesHeader) in [([], true), (["--token-endpoint-auth-method", "client_secret_post"], false)] {
            try store(token)
            try Program.oap(["logout", "work"] + options, environment: ["HOME": home.path]).run().expect(status: 0)
            #expect((server.requests.last?.headers.first("Authorization") != nil) == usesHeader)
        }
    }

    @Test("oap logout takes what the token does not know from the profile")
    func profile() throws {
        let server = try Responder(.text(""))
        try home.write(#"{"revocation_endpoint":"\#(server.url("/r"))"}"#, to: ".config/oap/profiles/work.json")
        try store(server.client.with(["access_token": "at"]))
        try oap("logout", "work").expect(status: 0)
        #expect(server.requests.map(\.target) == ["/r"])
    }

    @Test("RV-03 oap logout tells of each token, and no warning makes a revoked one an unrevoked one")
    func half() throws {
        let server = try Responder(.text("", status: 204), .text("", status: 503))
        try store(server.token.with(["revocation_endpoint": .string(server.url("/revoke"))]))
        let result = try oap("logout", "work", "--retry", "0").expect(status: 6)
        result.expect(errorLine: "oap: logout: work: refresh_token revoked at the server")
        #expect(result.errorText.contains("the access_token is not revoked"))
        try expectKept()
    }

    @Test("oap logout keeps a token whose profile or file is broken; with --local it forgets it")
    func broken() throws {
        let server = try Responder(.text(""), .text(""))
        let document = server.token.with(["revocation_endpoint": .string(server.url("/revoke"))])
        try store(document)
        try home.write("{bad", to: ".config/oap/profiles/work.json")
        try oap("logout", "work").expect(status: 3)
        try expectKept()
        try home.write("{}", to: ".config/oap/profiles/work.json")
        for (text, mode) in [("{bad", 0o600), (JSON.object(document).text, 0o644)] {
            try store(document)
            let file = try home.write(text, to: ".local/state/oap/tokens/work.json")
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file)
            try oap("logout", "work").expect(status: 11)
            #expect(FileManager.default.fileExists(atPath: file))
            try oap("logout", "--local", "work").expect(status: 0)
            try expectForgotten()
        }
        #expect(server.connectionCount == 0)
    }

    @Test("oap logout keeps the token when it is interrupted before the server has answered")
    func interrupted() throws {
        let (arrival, answer) = (Responder.Gate(), Responder.Gate())
        let server = try Responder { _ in
            arrival.open()
            return .text("").after(answer)
        }
        try store(server.token.with(["revocation_endpoint": .string(server.url("/revoke"))]))
        let logout = try Program.oap(["logout", "work"], environment: ["HOME": home.path]).start()
        #expect(arrival.wait())
        logout.send(signal: SIGINT)
        try logout.finish().expect(signal: SIGINT)
        answer.open()
        try expectKept()
        try oap("logout", "work").expect(status: 0)
    }

    @Test(
        "oap logout forgets a token of which a part is revoked, and then ends by the signal that came meanwhile",
        arguments: [SIGTERM, SIGINT])
    func interruptedLater(signal: Int32) throws {
        let (arrival, answer) = (Responder.Gate(), Responder.Gate())
        defer { answer.open() }
        let server = try Responder { request in
            guard request.bodyText.contains("token=old-access") else { return .text("") }
            arrival.open()
            return .text("").after(answer)
        }
        try store(server.token.with(["revocation_endpoint": .string(server.url("/revoke"))]))
        let logout = try Program.oap(["logout", "work"], environment: ["HOME": home.path]).start()
        #expect(arrival.wait())
        logout.send(signal: signal)
        _ = try logout.errorLine { $0.contains("waiting for the end of the logout") }
        answer.open()
        let result = try logout.finish().expect(signal: signal)
        result.expect(errorLine: "oap: logout: work: refresh_token and access_token revoked at the server")
        try expectForgotten()
    }

    @Test("oap logout leaves a token alone that is sealed with another key; with --local it forgets it")
    func sealed() throws {
        let server = try Responder()
        let keys = try ["a", "b"].map { name in
            try oap("store", "key", "-o", home.path(name)).expect(status: 0)
            return ["HOME": home.path, "OAP_STORE_KEY_FILE": home.path(name)]
        }
        try Program.oap(["store", "put", "work"], input: server.token.input, environment: keys[0]).run()
            .expect(status: 0)
        try Program.oap(["logout", "work"], environment: keys[1]).run().expect(status: 11)
        try Program.oap(["token", "work"], environment: keys[0]).run().expect(status: 0)
        for environment in [keys[1], ["HOME": home.path]] {
            try Program.oap(["logout", "work", "--local"], environment: environment).run().expect(status: 0)
            try expectNone()
            try Program.oap(["store", "put", "work"], input: server.token.input, environment: keys[0]).run()
                .expect(status: 0)
        }
        #expect(server.connectionCount == 0)
    }

    private func expectNone() throws { try oap("store", "list").expect(status: 0).expect(output: "") }

    @Test("oap logout and oap store delete of a name without a token say so, ask for no login and leave no lock behind")
    func unknown() throws {
        let server = try Responder { _ in .text("") }
        try store(server.token)
        for words in [["logout", "typo"], ["logout", "--local", "typo"], ["store", "delete", "typo"]] {
            let result = try Program.oap(words, environment: ["HOME": home.path]).run()
            result.expect(status: 8).expect(errorLine: "oap: \(words[0]): no token is stored as typo")
                .expect(errorLine: "oap: hint: find the name with oap store list")
            #expect(!result.errorText.contains("oap login"), "\(result)")
            #expect(!home.contains(".local/state/oap/tokens/typo.lock"))
        }
        try oap("logout", "work", "work").expect(status: 0)
    }

    @Test("oap logout sends no token of one client to the server of another, whose profile has its name")
    func foreignProfile() throws {
        let (own, other) = (try Responder(.token), try Responder(.text("")))
        try store(own.token)
        let profile: JSONObject = [
            "client_id": "other", "client_secret": "secret-of-other",
            "revocation_endpoint": .string(other.url("/revoke")),
        ]
        try home.write(JSON.object(profile).text, to: ".config/oap/profiles/work.json")
        let renewed = try oap("refresh", "-p", "work").expect(status: 0).expect(nowhere: "secret-of-other")
        #expect(renewed.errorText.contains("the profile is not used: its client_id is not the token's"))
        #expect(own.requests[0].headers.first("Authorization") == nil)
        let out = try oap("logout", "work").expect(status: 0)
        #expect(out.errorText.contains("no revocation_endpoint is known"))
        #expect(other.connectionCount == 0)
    }
}
