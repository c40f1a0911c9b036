import TestSupport
import Testing
import Wire

extension AgainstServers {
    /// `oap revoke` against servers that others wrote.
    @Suite("With a server that others wrote, oap revoke")
    struct RevocationTests {
        @Test("oap revoke makes the tokens of a confidential client worthless", arguments: Peer.Server.allCases)
        func confidential(server: Peer.Server) throws {
            let login = Login(peer: try Peer.shared(server))
            let token = try login.token(try login.client("cli-basic"))
            try expectRevoked(token, login)
        }

        @Test("oap revoke makes the tokens of a public client worthless where the server lets it")
        func publicClient() throws {
            let login = Login(peer: try Peer.shared(.django))
            try expectRevoked(try login.token(try login.client("cli-public")), login)
            let strict = Login(peer: try Peer.shared(.glewlwyd))
            let token = try strict.token(try strict.client("cli-public"))
            let refused = try strict.oap(["revoke"], token)
            #expect(refused.ending != .status(0), "glewlwyd revokes for confidential clients only")
        }

        private func expectRevoked(_ token: JSONObject, _ login: Login) throws {
            let userinfo = try #require(token["userinfo_endpoint"]?.string)
            try login.oap(["call", userinfo], token).expect(status: 0)
            let revoked = try login.oap(["revoke"], token).expect(status: 0).object()
            #expect(revoked["revoked"]?.strings == ["refresh_token", "access_token"])
            let refused = try login.oap(["refresh"], token)
            #expect(refused.ending != .status(0))
            let called = try login.oap(["call", userinfo], token)
            // glewlwyd's userinfo endpoint checks the signature of the access token and no list.
            #expect(login.isGlewlwyd || called.ending == .status(7), "\(called)")
            // What is revoked already may be revoked again.
            let again = try login.oap(["revoke"], token)
            #expect(again.ending == .status(0) || login.isGlewlwyd, "\(again)")
        }
    }
}
