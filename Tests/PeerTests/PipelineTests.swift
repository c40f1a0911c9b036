import Foundation
import TestSupport
import Testing
import Wire

extension AgainstServers {
    /// `oap` from the authorization URL to the API, against servers that others wrote.
    @Suite("With a server that others wrote, oap")
    struct PipelineTests {
        private static let servers = Peer.Server.allCases

        private func login(_ server: Peer.Server, settings: [String: String] = [:]) throws -> Login {
            Login(peer: try Peer.shared(server, settings: settings))
        }

        @Test("oap logs a public client in with PKCE, calls the API and renews the token", arguments: servers)
        func publicClient(server: Peer.Server) throws {
            let login = try login(server)
            let token = try login.token(try login.client("cli-public"))
            #expect(token["token_type"] == .string("Bearer"))
            #expect(token["code"] == nil && token["code_verifier"] == nil && token["nonce"] == nil)
            let claims = try #require(token["id_token_claims"]?.object)
            #expect(claims["iss"] == login.peer.metadata["issuer"])
            let userinfo = try #require(token["userinfo_endpoint"]?.string)
            let subject = try login.oap(["call", userinfo, "--jq", ".sub", "-r"], token).expect(status: 0)
            #expect(subject.text == (try #require(claims["sub"]?.string)) + "\n")
            let renewed = try login.oap(["refresh"], token).expect(status: 0).object()
            #expect(renewed["access_token"] != token["access_token"])
            #expect(renewed["refresh_token"] != token["refresh_token"], "both servers rotate")
            try login.oap(["call", userinfo], renewed).expect(status: 0)
        }

        @Test("oap logs in, calls the API and renews the token as one pipe of a shell", arguments: servers)
        func onePipe(server: Peer.Server) throws {
            let login = try login(server)
            let folder = try TemporaryDirectory()
            _ = try folder.write(JSON.object(try login.client("cli-public")).text, to: "client.json")
            var first = Program.shell("oap authurl < client.json | tee flow.json | jq -r .authorization_url")
            first.directory = folder.path
            let url = try first.run().expect(status: 0).text.trimmingCharacters(in: .newlines)
            var second = Program.shell(
                """
                set -e
                oap callback-parse "$REDIRECTED_URL" < flow.json | oap exchange -o token.json
                oap call "$(jq -r .userinfo_endpoint client.json)" --jq .sub -r < token.json
                oap refresh -o token.json < token.json
                """, environment: ["REDIRECTED_URL": try login.peer.authorize(url)])
            second.directory = folder.path
            try second.run().expect(status: 0)
            #expect(try folder.permissions("token.json") == 0o600)
        }

        @Test("oap authenticates with HTTP Basic as the server decodes it, and only so", arguments: servers)
        func basic(server: Peer.Server) throws {
            let login = try login(server)
            let client = try login.client("cli-basic")
            _ = try login.token(client)
            let other = client["basic_encoding"] == .string("raw") ? "form" : "raw"
            let refused = try login.oap(
                ["exchange", "--basic-encoding", other], try login.code(try login.flow(client)))
            refused.expect(status: 4)
            #expect(try refused.object()["access_token"] == nil)
        }

        @Test("oap authenticates in the body, the secret from a variable and in no document", arguments: servers)
        func post(server: Peer.Server) throws {
            let login = try login(server)
            let client = try login.client("cli-post")
            let secret = try #require(client["client_secret"]?.string)
            let environment = ["OAP_CLIENT_SECRET": secret]
            let token = try login.token(client.with("client_secret", nil), environment: environment)
            #expect(!JSON.object(token).text.contains(secret))
            let renewed = try login.oap(["refresh"], token, environment).expect(status: 0)
            #expect(!renewed.text.contains(secret))
            let missing = try login.oap(["refresh"], token).expect(status: 3)
            #expect(missing.errorText.contains("OAP_CLIENT_SECRET"))
        }

        @Test("oap fetches a token with client credentials, without a document", arguments: servers)
        func clientCredentials(server: Peer.Server) throws {
            let login = try login(server)
            for (name, method) in [("basic", "client_secret_basic"), ("post", "client_secret_post")] {
                let client = try login.client(login.isGlewlwyd ? "cli-\(name)" : "cli-machine-\(name)", scope: "read")
                let secret = try #require(client["client_secret"]?.string)
                let folder = try TemporaryDirectory()
                let file = try folder.write(secret + "\n", to: "secret")
                let result = try Program.oap(
                    [
                        "exchange", "-n", "--grant", "client_credentials", "--token-endpoint",
                        try #require(client["token_endpoint"]?.string), "--client-id",
                        try #require(client["client_id"]?.string), "--scope", "read", "--client-secret-file", file,
                        "--token-endpoint-auth-method", method, "--basic-encoding",
                        try #require(client["basic_encoding"]?.string), "--jq", ".access_token", "-r",
                    ]
                ).run().expect(status: 0)
                #expect(result.text.count > 10, "\(result)")
            }
        }

        @Test("oap says no with the server's own code when the person refuses", arguments: servers)
        func refusal(server: Peer.Server) throws {
            let login = try login(server)
            let flow = try login.flow(try login.client("cli-public"))
            let redirect = try login.peer.authorize(try #require(flow["authorization_url"]?.string), denies: true)
            let error = try login.oap(["callback-parse", redirect], flow).expect(status: 4).object()
            #expect(error["error"] == .string(login.isGlewlwyd ? "interaction_required" : "access_denied"))
            let later = try login.oap(["exchange"], error).expect(status: 4)
            #expect(try later.object() == error && later.errorOutput.isEmpty)
        }

        @Test("oap is refused a code that was used, and one with another verifier", arguments: servers)
        func spentCode(server: Peer.Server) throws {
            let login = try login(server)
            let code = try login.code(try login.flow(try login.client("cli-public")))
            let wrong = String(repeating: "x", count: 43)
            let mismatch = try login.oap(["exchange"], code.with("code_verifier", .string(wrong))).expect(status: 4)
            #expect(try mismatch.object()["access_token"] == nil)
            let second = try login.code(try login.flow(try login.client("cli-public")))
            try login.oap(["exchange"], second).expect(status: 0)
            let replayed = try login.oap(["exchange"], second).expect(status: 4).object()
            #expect(replayed["error"] == .string(login.isGlewlwyd ? "invalid_code" : "invalid_grant"))
        }

        @Test("oap is told when a refresh token was used before", arguments: servers)
        func spentRefreshToken(server: Peer.Server) throws {
            let login = try login(server)
            let token = try login.token(try login.client("cli-public"))
            try login.oap(["refresh"], token).expect(status: 0)
            // glewlwyd answers with an empty body, django-oauth-toolkit with invalid_grant.
            try login.oap(["refresh"], token).expect(status: login.isGlewlwyd ? 10 : 8)
        }

        @Test("oap leaves it to a server whether a token that was narrowed is widened again")
        func narrowedScope() throws {
            let login = try login(.django)
            let token = try login.token(try login.client("cli-public"))
            let narrow = try login.oap(["refresh", "--scope", "openid"], token).expect(status: 0).object()
            #expect(narrow["scope"] == .string("openid") && narrow["granted_scope"] == token["scope"])
            let refused = try login.oap(["refresh", "--scope", "email"], narrow).expect(status: 4).object()
            #expect(refused["error"] == .string("invalid_scope"), "django-oauth-toolkit narrows for good")
            let again = try login.oap(["refresh", "--strict"], narrow).expect(status: 0).object()
            #expect(again["scope"] == .string("openid") && again["granted_scope"] == token["scope"])
        }

        @Test("oap says so where a server leaves a token as wide as it was")
        func unnarrowedScope() throws {
            let login = try login(.glewlwyd)
            let token = try login.token(try login.client("cli-public"))
            let result = try login.oap(["refresh", "--scope", "openid"], token).expect(status: 0)
            let warning = "warning: the server granted more scope than requested: email offline_access"
            #expect(result.errorText.contains(warning), "\(result)")
            let same = try result.object()
            #expect(same["scope"] == token["scope"] && same["granted_scope"] == nil)
            #expect(try login.oap(["refresh", "--strict"], same).expect(status: 0).errorOutput.isEmpty)
        }

        @Test("oap keeps the refresh token of a server that does not rotate", arguments: servers)
        func noRotation(server: Peer.Server) throws {
            let login = try login(server, settings: ["ROTATE": "0"])
            let token = try login.token(try login.client("cli-public"))
            let renewed = try login.oap(["refresh"], token).expect(status: 0).object()
            #expect(renewed["refresh_token"] == token["refresh_token"])
            try login.oap(["refresh"], renewed).expect(status: 0)
        }

        @Test("oap checks the server's certificate, and trusts an authority that is named", arguments: servers)
        func tls(server: Peer.Server) throws {
            let login = try login(server, settings: ["TLS": "1"])
            let code = try login.code(try login.flow(try login.client("cli-public")))
            let distrusted = try login.oap(["exchange"], code).expect(status: 9)
            #expect(distrusted.errorText.contains("certificate"), "\(distrusted)")
            let authority = try #require(login.peer.certificateAuthority)
            let token = try login.oap(["exchange", "--cacert", authority], code).expect(status: 0).object()
            let userinfo = try #require(token["userinfo_endpoint"]?.string)
            try login.oap(["call", userinfo], token).expect(status: 0)
            let bare = JSONObject(unique: token.members.filter { $0.name != "cacert_file" })
            try login.oap(["call", userinfo], bare, ["SSL_CERT_FILE": authority]).expect(status: 0)
            try login.oap(["call", userinfo], bare).expect(status: 9)
        }

        @Test("oap pushes its request to a server that takes it")
        func pushedRequest() throws {
            let login = try login(.glewlwyd)
            let flow = try login.flow(try login.client("cli-basic"), "--par")
            let url = try #require(flow["authorization_url"]?.string)
            #expect(url.contains("request_uri=") && !url.contains("code_challenge"))
            try login.oap(["exchange"], try login.code(flow)).expect(status: 0)
        }

        @Test("oap uses any free loopback port with a server that allows it")
        func freePort() throws {
            let login = try login(.django)
            let flow = try login.flow(try login.client("cli-public").with("redirect_uri", nil))
            let redirectURI = try #require(flow["redirect_uri"]?.string)
            #expect(redirectURI.hasPrefix("http://127.0.0.1:") && redirectURI.hasSuffix("/callback"))
            try login.oap(["exchange"], try login.code(flow)).expect(status: 0)
        }

        @Test(
            "oap believes no ID token of another issuer, for another client, or with another nonce", arguments: servers)
        func idToken(server: Peer.Server) throws {
            let login = try login(server)
            let changes = [
                ("issuer", "http://127.0.0.1:1/o", "iss"), ("nonce", String(repeating: "n", count: 43), "nonce"),
            ]
            for (member, value, claim) in changes {
                let code = try login.code(try login.flow(try login.client("cli-public")))
                let refused = try login.oap(["exchange"], code.with(member, .string(value))).expect(status: 9)
                #expect(try refused.object()["error"] == .string("id_token_claim"))
                #expect(refused.errorText.contains(claim) && !refused.text.contains("access_token"))
            }
        }

        @Test("oap notices a callback from another issuer", arguments: servers)
        func mixUp(server: Peer.Server) throws {
            let login = try login(server)
            let flow = try login.flow(try login.client("cli-public"))
            let redirect = try login.peer.authorize(try #require(flow["authorization_url"]?.string))
            let other = flow.with("issuer", .string("https://evil.example"))
            let error = try login.oap(["callback-parse", redirect], other).expect(status: 9).object()
            #expect(error["error"] == .string("iss_mismatch"))
        }

        @Test("oap tells of an API that refuses the token", arguments: servers)
        func refusedToken(server: Peer.Server) throws {
            let login = try login(server)
            let userinfo = try #require(login.peer.metadata["userinfo_endpoint"]?.string)
            let result = try login.oap(["call", userinfo], ["access_token": .string("not-a-token")]).expect(status: 7)
            #expect(
                result.output.isEmpty && result.errorText.contains("401") && result.errorText.contains("log in again"))
        }
    }
}
