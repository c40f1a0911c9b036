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

        @Test(
            "oap login needs nothing but the issuer and a client's id, and its token is used and renewed",
            arguments: Peer.Server.allCases)
        func loginByIssuer(server: Peer.Server) throws {
            let login = Login(peer: try Peer.shared(server))
            let home = try TemporaryDirectory()
            let oap = { (arguments: [String]) in Program.oap(arguments, environment: ["HOME": home.path]) }
            let issuer = try #require(login.peer.metadata["issuer"]?.string)
            let id = try #require(try login.client("cli-public")["client_id"]?.string)
            let program = try oap([
                "login", "work", "--issuer", issuer, "--client-id", id, "--scope", login.scope, "--port", "8765",
                "--headless",
            ]).start()
            let url = try program.errorLine { $0.hasPrefix("http") && $0.contains("?") }
            _ = try program.errorLine { $0.hasPrefix("ssh -L 8765:127.0.0.1:8765 ") }
            let redirect = try login.peer.authorize(url)
            try Program.shell("curl -sS -o /dev/null \"$URL\"", environment: ["URL": redirect]).run().expect(status: 0)
            let result = try program.finish().expect(status: 0)
            #expect(result.errorText.contains("logged in as "), "\(result)")
            let profile = try #require(JSON(parsing: home.read(".config/oap/profiles/work.json")).object)
            let names = ["issuer", "client_id", "scope", "redirect_uri", "token_endpoint_auth_method"]
            #expect(Set(profile.members.map(\.name)) == Set(names), "\(profile)")
            let old = try oap(["token", "work"]).run().expect(status: 0).text
            try oap(["refresh", "-p", "work"]).run().expect(status: 0)
            #expect(try oap(["token", "work"]).run().expect(status: 0).text != old)
            let userinfo = try #require(login.peer.metadata["userinfo_endpoint"]?.string)
            try oap(["call", "-p", "work", userinfo]).run().expect(status: 0)
            try oap(["login", "work", "--if-needed"]).run().expect(status: 0)
            let kept = try oap(["store", "get", "work"]).run().expect(status: 0).object()
            // Glewlwyd revokes nothing for public clients. The other names the endpoint in its second document.
            let out = try oap(["logout", "work"]).run()
            guard !login.isGlewlwyd else { return #expect(out.errorText.contains("401"), "\(out)") }
            out.expect(status: 0)
            #expect(out.errorText.contains("refresh_token and access_token revoked at the server"), "\(out)")
            try login.oap(["call", userinfo], kept).expect(status: 7)
            #expect(try login.oap(["refresh"], kept).ending != .status(0))
        }

        @Test("oap login registers a client at a server whose first metadata names no place for that")
        func loginByRegistration() throws {
            let login = Login(peer: try Peer.shared(.django))
            let home = try TemporaryDirectory()
            let issuer = try #require(login.peer.metadata["issuer"]?.string)
            let words = ["login", "work", "--register", "--issuer", issuer, "--scope", "email", "--headless"]
            let program = try Program.oap(words, environment: ["HOME": home.path]).start()
            let redirect = try login.peer.authorize(try program.errorLine { $0.hasPrefix("http") && $0.contains("?") })
            try Program.shell("curl -sS -o /dev/null \"$URL\"", environment: ["URL": redirect]).run().expect(status: 0)
            let result = try program.finish().expect(status: 0)
            #expect(result.errorText.contains("registered the client "), "\(result)")
            let out = try Program.oap(["logout", "work"], environment: ["HOME": home.path]).run().expect(status: 0)
            #expect(out.errorText.contains("refresh_token and access_token revoked at the server"), "\(out)")
        }

        @Test("oap exchange and revoke find their endpoints by the issuer alone", arguments: Peer.Server.allCases)
        func exchangeByIssuer(server: Peer.Server) throws {
            let login = Login(peer: try Peer.shared(server))
            let whole = try login.client(login.isGlewlwyd ? "cli-basic" : "cli-machine-basic", scope: "read")
            var client = JSONObject()
            for name in ["issuer", "client_id", "client_secret", "basic_encoding", "scope"] {
                client[name] = whole[name]
            }
            let token = try login.oap(["exchange", "--grant", "client_credentials"], client)
                .expect(status: 0).object()
            #expect(token["token_endpoint"] == login.peer.metadata["token_endpoint"])
            var alone = token
            for name in ["token_endpoint", "revocation_endpoint"] { alone[name] = nil }
            let revoked = try login.oap(["revoke"], alone).expect(status: 0).object()
            #expect(revoked["revoked"]?.array?.isEmpty == false)
        }
    }
}
