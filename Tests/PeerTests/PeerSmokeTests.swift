import Glibc
import TestSupport
import Testing
import Wire

extension AgainstServers {
    /// The ground under the tests against real servers: what they assume of the servers, without `oap`.
    @Suite("A server that others wrote")
    struct PeerSmokeTests {
        /// RFC 7636 Appendix B.
        private static let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
        private static let challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"

        @Test(
            "a server that others wrote publishes metadata that agree with its description",
            arguments: Peer.Server.allCases)
        func discovery(server: Peer.Server) throws {
            let peer = try Peer.shared(server)
            let issuer = try #require(peer.metadata["issuer"]?.string)
            let document = try curl(peer, "\(issuer)/.well-known/openid-configuration").object()
            for name in ["issuer", "authorization_endpoint", "token_endpoint", "jwks_uri", "userinfo_endpoint"] {
                #expect(document[name] == peer.metadata[name], "\(name)")
            }
        }

        @Test(
            "a server that others wrote gives a code to a person who consents, and a token for the code",
            arguments: Peer.Server.allCases)
        func codeGrant(server: Peer.Server) throws {
            try logIn(try Peer.shared(server))
        }

        @Test("a server that others wrote gives codes and tokens as its settings say", arguments: Peer.Server.allCases)
        func settings(server: Peer.Server) throws {
            let settings = ["TLS": "1", "ROTATE": "0", "ACCESS_TOKEN_SECONDS": "7"]
            let peer = try Peer.shared(server, settings: settings)
            let token = try logIn(peer)
            #expect(token["expires_in"]?.integer == 7)
            #expect(try refreshTwice(peer, token).object()["access_token"]?.string != nil)
            let withoutAuthority = Program(
                path: "/usr/bin/curl", arguments: ["--silent", try endpoint(peer, "jwks_uri")])
            let untrustedCertificate = 60
            try withoutAuthority.run().expect(status: untrustedCertificate)
        }

        @Test(
            "a server that others wrote says in the redirect that the person refuses", arguments: Peer.Server.allCases)
        func denial(server: Peer.Server) throws {
            let peer = try Peer.shared(server)
            let redirect = try peer.authorize(try authorizationURL(peer), denies: true)
            let expected = server == .glewlwyd ? "interaction_required" : "access_denied"
            #expect(parameter("error", of: redirect) == expected)
            #expect(parameter("state", of: redirect) == "state-1")
        }

        @Test("a server that others wrote takes a refresh token once", arguments: Peer.Server.allCases)
        func rotation(server: Peer.Server) throws {
            let peer = try Peer.shared(server)
            let refusal = try refreshTwice(peer, try logIn(peer))
            let error = server == .glewlwyd ? nil : "invalid_grant"
            #expect((try? refusal.object())?["error"]?.string == error, "\(refusal)")
            #expect((try? refusal.object())?["access_token"] == nil)
        }

        @Test(
            "a server that others wrote takes an odd secret in HTTP Basic as its description says",
            arguments: Peer.Server.allCases)
        func basicEncoding(server: Peer.Server) throws {
            let peer = try Peer.shared(server)
            let client = server == .glewlwyd ? "cli-basic" : "cli-machine-basic"
            let secret = try #require(peer.client(client)["client_secret"]?.string)
            let spellings = ["raw": secret, "form": "s3cret%3Awith%2Fodd%2Bchars%25"]
            for (encoding, spelling) in spellings {
                let answer = try curl(
                    peer, try endpoint(peer, "token_endpoint"), form: ["grant_type=client_credentials", "scope=read"],
                    "--user", "\(client):\(spelling)")
                let isAccepted = (try? answer.object()["access_token"]) != nil
                #expect(isAccepted == (peer.description["quirks"]?.object?["basic_encoding"]?.string == encoding))
            }
        }

        @Test("a server that others wrote lets a person approve a device", arguments: Peer.Server.allCases)
        func device(server: Peer.Server) throws {
            let peer = try Peer.shared(server)
            let client = server == .glewlwyd ? "cli-public" : "cli-device"
            let request = try curl(
                peer, try endpoint(peer, "device_authorization_endpoint"), form: ["client_id=\(client)", "scope=read"]
            ).object()
            _ = try peer.authorize(try #require(request["verification_uri_complete"]?.string))
            let code = try #require(request["device_code"]?.string)
            let grant = "grant_type=urn:ietf:params:oauth:grant-type:device_code"
            let token = try curl(
                peer, try endpoint(peer, "token_endpoint"), form: [grant, "client_id=\(client)", "device_code=\(code)"]
            ).object()
            #expect(token["access_token"]?.string != nil)
        }

        @Test(
            "a server that others wrote ends when its input does and at SIGTERM", arguments: Peer.Server.allCases,
            [false, true])
        func end(server: Peer.Server, bySignal: Bool) throws {
            let state = try TemporaryDirectory()
            let starter = try Peer.starter(server, state: state).start()
            let description = try JSON(parsing: starter.firstLine()).object
            let endpoint = try #require(description?["metadata"]?.object?["jwks_uri"]?.string)
            let visit = Program(path: "/usr/bin/curl", arguments: ["--silent", endpoint])
            try visit.run().expect(status: 0)
            if bySignal { starter.send(signal: SIGTERM) } else { starter.closeInput() }
            try starter.finish().expect(status: 0)
            let connectionRefused = 7
            try visit.run().expect(status: connectionRefused)
        }

        @discardableResult
        private func logIn(_ peer: Peer) throws -> JSONObject {
            let redirect = try peer.authorize(try authorizationURL(peer))
            #expect(redirect.hasPrefix("http://127.0.0.1:8765/callback?"))
            #expect(parameter("state", of: redirect) == "state-1")
            let code = try #require(parameter("code", of: redirect))
            let token = try curl(
                peer, try endpoint(peer, "token_endpoint"),
                form: [
                    "grant_type=authorization_code", "client_id=cli-public", "code=\(code)",
                    "redirect_uri=http://127.0.0.1:8765/callback", "code_verifier=\(Self.verifier)",
                ]
            ).object()
            #expect(token["access_token"]?.string != nil)
            #expect(token["id_token"]?.string != nil)
            return token
        }

        /// Refreshes, and gives back the answer to doing so once more with the same refresh token.
        private func refreshTwice(_ peer: Peer, _ token: JSONObject) throws -> ProgramResult {
            let refreshToken = try #require(token["refresh_token"]?.string)
            let form = ["grant_type=refresh_token", "client_id=cli-public", "refresh_token=\(refreshToken)"]
            let endpoint = try endpoint(peer, "token_endpoint")
            #expect(try curl(peer, endpoint, form: form).object()["access_token"]?.string != nil)
            return try curl(peer, endpoint, form: form)
        }

        private func authorizationURL(_ peer: Peer) throws -> String {
            try endpoint(peer, "authorization_endpoint")
                + "?response_type=code&client_id=cli-public&redirect_uri=http%3A%2F%2F127.0.0.1%3A8765%2Fcallback"
                + "&scope=openid%20read&state=state-1&nonce=nonce-1&code_challenge_method=S256"
                + "&code_challenge=\(Self.challenge)"
        }

        private func endpoint(_ peer: Peer, _ name: String) throws -> String {
            try #require(peer.metadata[name]?.string)
        }

        private func curl(_ peer: Peer, _ url: String, form: [String] = [], _ more: String...) throws -> ProgramResult {
            let authority = peer.certificateAuthority.map { ["--cacert", $0] } ?? []
            let fields = form.flatMap { ["--data-urlencode", $0] }
            return try Program(path: "/usr/bin/curl", arguments: ["--silent"] + authority + more + fields + [url]).run()
                .expect(status: 0)
        }

        /// A parameter of a URL's query that needs no decoding.
        private func parameter(_ name: String, of url: String) -> String? {
            url.split(whereSeparator: { "?&#".contains($0) }).first { $0.hasPrefix("\(name)=") }
                .map { String($0.dropFirst(name.count + 1)) }
        }
    }
}
