import TestSupport
import Testing
import Wire

extension AgainstServers {
    /// `oap userinfo` and `oap introspect` against servers that others wrote.
    @Suite("With a server that others wrote, who a token is of")
    struct IdentityTests {
        @Test(
            "oap userinfo tells the user of the ID token, also where only the issuer is known",
            arguments: Peer.Server.allCases)
        func userinfo(server: Peer.Server) throws {
            let login = Login(peer: try Peer.shared(server))
            let token = try login.token(try login.client("cli-public"))
            let subject = try #require(token["id_token_claims"]?.object?["sub"]?.string)
            for document in [token, token.with("userinfo_endpoint", nil)] {
                let claims = try login.oap(["userinfo"], document).expect(status: 0).object()
                #expect(claims["sub"]?.string == subject)
            }
            let other = token.with("id_token_claims", .object(["sub": .string("another")]))
            try login.oap(["userinfo"], other).expect(status: 9)
            try login.oap(["userinfo"], token.with("access_token", .string("wrong"))).expect(status: 4)
        }

        @Test(
            "the ID token of a server is verified again, and whoami and inspect agree", arguments: Peer.Server.allCases)
        func verify(server: Peer.Server) throws {
            let login = Login(peer: try Peer.shared(server))
            let token = try login.token(try login.client("cli-public"))
            let claims = try #require(token["id_token_claims"])
            for document in [token, token.with("jwks_uri", nil)] {
                #expect(try JSON.object(login.oap(["verify"], document).expect(status: 0).object()) == claims)
            }
            try login.oap(["verify"], token.with("access_token", .string("wrong")))
                .expect(status: claims.object?["at_hash"] == nil ? 0 : 9)
            try login.oap(["verify"], token.with("client_id", .string("another"))).expect(status: 9)
            let account = try login.oap(["whoami"], token).expect(status: 0).text
            #expect(account.count > 1)
            let shown = try login.oap(["inspect"], token).expect(status: 0).object()
            #expect(shown["sub"] == claims.object?["sub"] && shown["renewed_by"] == .string("refresh_token"))
            #expect(shown["id_token"]?.object?["signature"] == .string("checked when it was issued"))
        }

        @Test(
            "a token is refreshed after another login of its user, whose time the server gives for both",
            .timeLimit(.minutes(1)))
        func otherLogin() throws {
            let login = Login(peer: try Peer.shared(.django))
            let client = try login.client("cli-public")
            let time = { (token: JSONObject) in token["id_token_claims"]?.object?["auth_time"]?.integer }
            let first = try login.token(client)
            let before = try #require(time(first))
            // The time is in whole seconds.
            while try time(login.token(client)) == before {}
            let result = try login.oap(["refresh"], first).expect(status: 0)
            #expect(result.errorText.contains("auth_time of the ID token is not what it was"), "\(result)")
            let refreshed = try result.object()
            #expect(refreshed["access_token"] != first["access_token"] && time(refreshed) == before)
        }

        @Test(
            "oap introspect tells that a token is active, and that one of nobody's is not",
            arguments: Peer.Server.allCases)
        func introspect(server: Peer.Server) throws {
            let login = Login(peer: try Peer.shared(server))
            let token = try login.token(try login.client("cli-basic"))
            let endpoint = try #require(login.peer.metadata["introspection_endpoint"])
            let document = token.with("introspection_endpoint", endpoint)
            let answer = try login.oap(["introspect"], document).expect(status: 0).object()
            #expect(answer["active"] == .bool(true) && answer["client_id"] == token["client_id"], "\(answer)")
            let unknown = try login.oap(
                ["introspect", "--jq", ".active", "-e"], document.with("access_token", .string("nobody's")))
            unknown.expect(status: 1)
            let renewing = try login.oap(["introspect", "--token-type-hint", "refresh_token"], document)
            #expect(try renewing.expect(status: 0).object()["active"]?.bool != nil)
            // A client that cannot prove itself may not ask.
            let wrong = document.with("client_secret", .string("wrong-secret-of-nobody"))
            #expect(try login.oap(["introspect"], wrong).ending != .status(0))
        }
    }
}
