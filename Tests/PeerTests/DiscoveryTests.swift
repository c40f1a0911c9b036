import TestSupport
import Testing
import Wire

extension AgainstServers {
    /// `oap discover` against servers that others wrote.
    @Suite("With a server that others wrote, oap discover")
    struct DiscoveryTests {
        @Test("oap discover and a client's id are enough to log in and refresh", arguments: Peer.Server.allCases)
        func login(server: Peer.Server) throws {
            let login = Login(peer: try Peer.shared(server))
            let issuer = try #require(login.peer.metadata["issuer"]?.string)
            let found = try Program.oap(["discover", issuer]).run().expect(status: 0).object()
            #expect(found["issuer"]?.string == issuer)
            var client = found
            for name in ["client_id", "redirect_uri", "scope", "basic_encoding", "client_secret"] {
                client[name] = try login.client("cli-public")[name]
            }
            let token = try login.token(client)
            #expect(token["id_token_claims"]?.object?["iss"]?.string == issuer)
            let refreshed = try login.oap(["refresh"], token).expect(status: 0).object()
            #expect(refreshed["access_token"] != token["access_token"])
        }
    }
}
