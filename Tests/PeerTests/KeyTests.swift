import Foundation
import TestSupport
import Testing
import Wire

extension AgainstServers {
    /// Clients that authenticate with a key or a certificate, at glewlwyd.
    @Suite("With a server that others wrote, a client proves itself with a key")
    struct KeyTests {
        @Test(
            "AU-05, AU-07, AU-09 its JWT is taken for a code, a refresh, a revocation, a pushed request and its own token",
            arguments: ["cli-rsa", "cli-ec", "cli-secret-jwt"])
        func assertion(client: String) throws {
            let login = Login(peer: try Peer.shared(.glewlwyd))
            let document = try login.client(client)
            let own = try login.oap(
                ["exchange", "--grant", "client_credentials"], document.with("scope", "read")
            ).expect(status: 0).object()
            #expect(own["token_type"]?.string?.asciiLowercased == "bearer")
            let flow = try login.flow(document, "--par")
            #expect(flow["authorization_url"]?.string?.contains("request_uri=") == true)
            let token = try login.oap(["exchange"], try login.code(flow)).expect(status: 0).object()
            let renewed = try login.oap(["refresh"], token).expect(status: 0).object()
            #expect(renewed["access_token"] != token["access_token"])
            let revoked = try login.oap(["revoke"], renewed).expect(status: 0).object()
            #expect(revoked["revoked"]?.strings?.contains("refresh_token") == true)
        }

        @Test("AU-06 an audience that the server does not take is named, with those that it might")
        func audience() throws {
            let login = Login(peer: try Peer.shared(.glewlwyd))
            let document = try login.client("cli-ec").with("assertion_audience", nil).with("scope", "read")
            let refused = try login.oap(["exchange", "--grant", "client_credentials"], document).expect(status: 10)
            #expect(refused.errorText.contains("the alg ES256, the kid \"client-ec\""), "\(refused)")
            #expect(refused.errorText.contains("--assertion-audience with token_endpoint or endpoint"), "\(refused)")
        }

        @Test("another key is refused, and so is another kid")
        func otherKey() throws {
            let login = Login(peer: try Peer.shared(.glewlwyd))
            let folder = try TemporaryDirectory()
            let other = folder.path("other.json")
            try Program.oap(["jwk", "new", "--kid", "client-ec", "-o", other]).run().expect(status: 0)
            let document = try login.client("cli-ec").with("scope", "read")
            for changed in [document.with("client_key_file", .string(other)), document.with("client_key_id", "x")] {
                try login.oap(["exchange", "--grant", "client_credentials"], changed).expect(status: 10)
            }
        }

        @Test("RFC 9101: a signed request is taken, in the URL and pushed", arguments: [[], ["--par"]])
        func signedRequest(options: [String]) throws {
            let login = Login(peer: try Peer.shared(.glewlwyd))
            let client = try login.client("cli-rsa").with("require_signed_request_object", true)
            let flow = try login.oap(["authurl"] + options, client).expect(status: 0).object()
            let url = try #require(flow["authorization_url"]?.string)
            #expect(url.contains(options.isEmpty ? "request=" : "request_uri=") && !url.contains("redirect_uri"))
            try login.oap(["exchange"], try login.code(flow)).expect(status: 0)
        }

        @Test(
            "an encrypted ID token is opened by the client's key, and by no other",
            arguments: ["cli-encrypted-ec", "cli-encrypted-rsa"])
        func encrypted(name: String) throws {
            let login = Login(peer: try Peer.shared(.glewlwyd))
            let client = try login.client(name)
            let token = try login.token(client)
            #expect(token["id_token_claims"]?.object?["sub"] != nil)
            #expect(token["id_token"]?.string?.split(separator: ".").count == 3)
            let folder = try TemporaryDirectory()
            let algorithm = name.hasSuffix("ec") ? "ECDH-ES" : "RSA-OAEP-256"
            try Program.oap(["jwk", "new", "--alg", algorithm, "-o", folder.path("key")]).run().expect(status: 0)
            let code = try login.code(try login.flow(client)).with("client_key_file", .string(folder.path("key")))
            let refused = try login.oap(["exchange"], code).expect(status: 9)
            #expect(refused.errorText.contains("encrypted for another key"), "\(refused)")
        }

        @Test(
            "JARM: a signed response is taken, by its signature and its claims",
            arguments: [
                "jwt", "query.jwt", "fragment.jwt",
            ])
        func signedResponse(mode: String) throws {
            let login = Login(peer: try Peer.shared(.glewlwyd))
            let client = try login.client("cli-public").with("response_mode", .string(mode))
            let flow = try login.flow(client)
            let url = try #require(flow["authorization_url"]?.string)
            let redirect = try login.peer.authorize(url)
            #expect(redirect.contains("response=") && !redirect.contains("code="))
            let parsed = try login.oap(["callback-parse", redirect], flow).expect(status: 0).object()
            try login.oap(["exchange"], parsed).expect(status: 0)
            let other = flow.with("client_id", "other")
            try login.oap(["callback-parse", redirect], other).expect(status: 9)
            // Another key than that of the server.
            let forged = redirect.dropLast(8) + "AAAAAAAA"
            try login.oap(["callback-parse", String(forged)], flow).expect(status: 9)
        }

        @Test(
            "DP-01 to DP-08 a bound token comes, is used and is renewed, with the nonces that the server wants",
            arguments: ["0", "1"])
        func bound(nonces: String) throws {
            let login = Login(peer: try Peer.shared(.glewlwyd, settings: ["DPOP_NONCE": nonces]))
            let client = try login.client("cli-dpop")
            let token = try login.token(client)
            #expect(token["token_type"] == "DPoP")
            let userinfo = try #require(token["userinfo_endpoint"]?.string)
            let person = try login.oap(["call", userinfo], token).expect(status: 0).object()
            #expect(person["sub"] != nil)
            let renewed = try login.oap(["refresh"], token).expect(status: 0).object()
            #expect(renewed["token_type"] == "DPoP" && renewed["access_token"] != token["access_token"])
            #expect((renewed["dpop_nonces"] != nil) == (nonces == "1"))
            // Without the right key, the refresh token is worth nothing.
            let other = try Program.oap(["jwk", "new", "-c"]).run().expect(status: 0).text
            try login.oap(["refresh"], renewed.with("dpop_key", .string(other)).with("dpop_jkt", nil)).expect(status: 4)
            let bare = renewed.with("dpop_key", nil).with("dpop_bound_access_tokens", nil)
                .with("dpop_jkt", nil)
            try login.oap(["refresh"], bare).expect(status: 4)
        }

        @Test(
            "AU-10, M-01 its certificate is taken for its own token, a pushed request, a code, a refresh and a revocation",
            arguments: ["cli-mtls", "cli-self-signed"], [false, true])
        func certificate(client: String, hasAliases: Bool) throws {
            let settings = hasAliases ? ["TLS": "1", "MTLS_ALIASES": "1"] : ["TLS": "1"]
            let login = Login(peer: try Peer.shared(.glewlwyd, settings: settings))
            let document = try login.client(client)
                .with("cacert_file", login.peer.certificateAuthority.map { .string($0) })
            #expect((document["mtls_endpoint_aliases"] != nil) == hasAliases)
            let grant = ["exchange", "--grant", "client_credentials"]
            try login.oap(grant, document.with("scope", "read")).expect(status: 0)
            let token = try login.oap(["exchange"], try login.code(try login.flow(document, "--par")))
                .expect(status: 0).object()
            // The token says which certificate it is bound to.
            let file = try #require(document["tls_client_certificate_file"]?.string)
            let digits = try ClientCertificates.digest(of: try String(contentsOfFile: file, encoding: .utf8))
            let part = token["access_token"]?.string?.split(separator: ".").dropFirst().first.map(String.init) ?? ""
            let claims = try JSON(parsing: try #require(Base64.decodeURL(part))).object
            let bound = claims?["cnf"]?.object?["x5t#S256"]?.string.flatMap { Base64.decodeURL($0) }
            #expect(bound.map { $0.map { String(format: "%02X", $0) }.joined() } == digits)
            let renewed = try login.oap(["refresh"], token).expect(status: 0).object()
            #expect(renewed["access_token"] != token["access_token"])
            let revoked = try login.oap(["revoke"], renewed).expect(status: 0).object()
            #expect(revoked["revoked"]?.strings?.contains("refresh_token") == true)
        }

        @Test(
            "AU-10 another certificate is refused, though the handshake takes it, and so is none",
            arguments: [("cli-mtls", "own"), ("cli-self-signed", "stranger"), ("cli-self-signed", "client")])
        func otherCertificate(client: String, other: String) throws {
            let login = Login(peer: try Peer.shared(.glewlwyd, settings: ["TLS": "1"]))
            let authority = try #require(login.peer.certificateAuthority)
            let document = try login.client(client).with("scope", "read").with("cacert_file", .string(authority))
            let grant = ["exchange", "--grant", "client_credentials"]
            let path = URL(fileURLWithPath: authority).deletingLastPathComponent().appendingPathComponent(other).path
            let changed = document.with("tls_client_key_file", .string(path + ".key"))
                .with("tls_client_certificate_file", .string(path + ".pem"))
            let refused = try login.oap(grant, changed).expect(status: 10)
            #expect(refused.errorText.contains("the certificate that the server has registered"), "\(refused)")
            let without = document.with("tls_client_certificate_file", nil).with("tls_client_key_file", nil)
            let method = try #require(document["token_endpoint_auth_method"]?.string)
            let missing = try login.oap(grant, without).expect(status: 3)
            #expect(missing.errorText.contains("\(method) needs a certificate"), "\(missing)")
            let unproven = without.with("token_endpoint_auth_method", "none")
            #expect(try login.oap(grant, unproven).ending != .status(0))
        }
    }
}
