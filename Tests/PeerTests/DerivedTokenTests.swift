import Foundation
import TestSupport
import Testing
import Wire

extension AgainstServers {
    /// Another token of the same login. No server here offers token exchange.
    @Suite("Another token of one login, of a real server,")
    struct DerivedTokenTests {
        @Test(
            "a token of a narrower scope is kept beside the login's, which stays good if the server lets it",
            arguments: Peer.Server.allCases)
        func narrowed(server: Peer.Server) throws {
            let login = Login(peer: try Peer.shared(server))
            let token = try login.token(try login.client("cli-basic"))
            let home = try Home(login, token)
            let asked = try home.oap(["token", "work", "--scope", "email"]).run().expect(status: 0)
            let narrow = String(asked.text.dropLast())
            #expect(try home.token("--scope", "email") == narrow && home.token() != narrow)
            let answer = try home.introspection(of: narrow)
            // Glewlwyd issues the whole scope again.
            let scope = login.isGlewlwyd ? token["scope"]?.string : "email"
            #expect(answer["active"] == .bool(true) && answer["scope"]?.string == scope, "\(answer)")
            #expect(asked.errorText.contains("the server granted more") == login.isGlewlwyd)
            let stored = try home.stored()
            #expect(stored["scope"] == token["scope"] && stored["access_token"] == token["access_token"])
            // django-oauth-toolkit ends the earlier token at each refresh.
            #expect(try home.introspection(of: home.token())["active"] == .bool(login.isGlewlwyd))
            try home.oap(["refresh", "-p", "work"]).run().expect(status: 0)
            let later = try home.introspection(of: home.token())["scope"]?.string?.split(separator: " ").sorted()
            // and gives a refresh the scope of the last one.
            #expect(later == (login.isGlewlwyd ? ["email", "offline_access", "openid"] : ["email"]))
        }

        @Test("a resource that glewlwyd does not take at a refresh is refused by it, and the login is still good")
        func resource() throws {
            let login = Login(peer: try Peer.shared(.glewlwyd))
            let home = try Home(login, try login.token(try login.client("cli-basic")))
            let words = ["token", "work", "--resource", "https://api.example.test/"]
            let refused = try home.oap(words).run().expect(status: 4)
            #expect(refused.errorText.contains("invalid_target"), "\(refused)")
            try home.oap(["refresh", "-p", "work"]).run().expect(status: 0)
            #expect(try home.introspection(of: home.token())["active"] == .bool(true))
        }

        @Test("a machine has one token for each scope, of each server", arguments: Peer.Server.allCases)
        func machine(server: Peer.Server) throws {
            let login = Login(peer: try Peer.shared(server))
            let client = try login.client(login.isGlewlwyd ? "cli-basic" : "cli-machine-basic", scope: "read write")
            let grant = ["exchange", "--grant", "client_credentials"]
            let home = try Home(login, try login.oap(grant, client).expect(status: 0).object())
            let (own, narrow) = (try home.token(), try home.token("--scope", "read"))
            #expect(try home.introspection(of: narrow)["scope"]?.string == "read")
            #expect(try home.introspection(of: own)["active"] == .bool(true) && home.token() == own)
            try home.oap(["logout", "work"]).run().expect(status: 0)
            #expect(try home.introspection(of: narrow)["active"] == .bool(false))
        }
    }
}

/// A home with the token of a login.
private struct Home {
    private let home: TemporaryDirectory
    private let login: Login
    private let document: JSONObject

    init(_ login: Login, _ token: JSONObject) throws {
        self.login = login
        home = try TemporaryDirectory()
        var token = token
        for name in ["introspection_endpoint", "revocation_endpoint"] { token[name] = login.peer.metadata[name] }
        document = token
        var put = oap(["store", "put", "work"])
        put.input = .text(JSON.object(token).text)
        try put.run().expect(status: 0)
    }

    func oap(_ arguments: [String]) -> Program { .oap(arguments, environment: ["HOME": home.path]) }

    func token(_ options: String...) throws -> String {
        try String(oap(["token", "work"] + options).run().expect(status: 0).text.dropLast())
    }

    func stored() throws -> JSONObject { try oap(["store", "get", "work"]).run().expect(status: 0).object() }

    /// What the server says of a token.
    func introspection(of token: String) throws -> JSONObject {
        try login.oap(["introspect"], document.with("access_token", .string(token))).expect(status: 0).object()
    }
}
