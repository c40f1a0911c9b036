import Foundation
import PlaySupport
import Synchronization
import TestSupport
import Testing
import Wire

@testable import CommandSupport

@Suite("Servers that differ from what is usual", .inProcess)
struct OtherServersTests {
    private let flow: JSONObject = [
        "client_id": "c", "authorization_endpoint": "https://as.example/a", "token_endpoint": "https://as.example/t",
        "redirect_uri": "http://127.0.0.1:8765/cb",
    ]

    private func authurl(_ more: JSONObject) throws -> ProgramResult {
        try Program.oap(["authurl"], input: flow.with(more).input).run()
    }

    @Test(
        "a method that oap lacks is refused before the user logs in",
        arguments: ["attest_jwt_client_auth", "spiffe_jwt"])
    func methods(name: String) throws {
        let result = try authurl(["token_endpoint_auth_method": .string(name)]).expect(status: 3)
        result.expect(errorLine: "oap: authurl: token_endpoint_auth_method \(name) is not supported")
        #expect(try result.object()["authorization_url"] == nil)
    }

    @Test("a server that lists only such methods is told of; how it signs what nobody asks it to sign is not")
    func warnings() throws {
        let listed = try authurl(["token_endpoint_auth_methods_supported": .strings(["attest_jwt_client_auth"])])
        listed.expect(status: 0).expect(
            errorLine: "oap: authurl: warning: the server lists for clients only attest_jwt_client_auth, "
                + "which oap does not support")
        for (members, words) in [
            (
                ["token_endpoint_auth_methods_supported": .strings(["private_key_jwt"])],
                "the server lists for clients only private_key_jwt, but the client has no key (--client-key-file)"
            ),
            (
                ["token_endpoint_auth_methods_supported": .strings(["tls_client_auth", "private_key_jwt"])],
                "the server lists for clients only tls_client_auth, private_key_jwt, but the client has no certificate "
                    + "(--cert)"
            ),
            (
                ["token_endpoint_auth_method": "private_key_jwt"],
                "the client authenticates with private_key_jwt, but the client has no key (--client-key-file)"
            ),
            (
                [
                    "scope": "openid", "id_token_encrypted_response_alg": "RSA-OAEP-256",
                    "issuer": "https://as.example",
                    "jwks_uri": "https://as.example/k",
                ],
                "id_token_encrypted_response_alg asks for encrypted answers, but the client has no key to decrypt them"
            ),
        ] as [(JSONObject, String)] {
            let told = try authurl(members).expect(status: 0)
            #expect(told.errorText == "oap: authurl: warning: \(words)\n", "\(told)")
        }
        for methods in [["private_key_jwt", "client_secret_post"], ["none", "private_key_jwt"]] {
            let taken = try authurl(["token_endpoint_auth_methods_supported": .strings(methods)]).expect(status: 0)
            #expect(taken.errorText.isEmpty, "\(taken)")
        }
        let jarm = try authurl(["authorization_signed_response_alg": "ES256"]).expect(status: 0)
        // Servers register it with each client (JARM §3).
        #expect(jarm.errorText.isEmpty, "\(jarm)")
    }

    @Test("encrypted ID tokens are opened by the client's key: one of a set that signs too, and not by another")
    func decrypted() throws {
        let folder = try TemporaryDirectory()
        func key(_ algorithm: String) throws -> (whole: String, own: String) {
            let whole = try Program.oap(["jwk", "new", "--alg", algorithm]).run().expect(status: 0).text
            return (whole, try Program.oap(["jwk", "public"], input: .text(whole)).run().expect(status: 0).text)
        }
        let (signing, encrypting) = (try key("ES256"), try key("ECDH-ES"))
        let own = try folder.write(encrypting.own, to: "public")
        let set = try folder.write(#"{"keys":[\#(signing.whole),\#(encrypting.whole)]}"#, to: "set")
        chmod(set, 0o600)
        let server = try OpenIDServer { token in
            let content = try? folder.write(token, to: "content")
            let header = #"{"protected":{"alg":"ECDH-ES","enc":"A128CBC-HS256","cty":"JWT"}}"#
            let jose = Program(
                path: "/usr/bin/jose",
                arguments: ["jwe", "enc", "-I", content ?? "", "-k", own, "-i", header, "-c"])
            return ((try? jose.run().text) ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
        }
        let login = ["login", "work", "--open", "--issuer", server.responder.url(), "--client-id", "c"]
        let person = try LoginHome()
        try person.oap(login + ["--client-key-file", set]).run().expect(status: 0)
        let stored = try person.stored()
        #expect(stored["id_token_claims"]?.object?["sub"] == "7")
        #expect(stored["id_token"]?.string?.split(separator: ".").count == 3)
        // The same token as it came, for `oap verify`.
        let content = try folder.write(try #require(stored["id_token"]?.string), to: "content")
        let header = #"{"protected":{"alg":"ECDH-ES","enc":"A128CBC-HS256","cty":"JWT"}}"#
        let jwe = try Program(
            path: "/usr/bin/jose", arguments: ["jwe", "enc", "-I", content, "-k", own, "-i", header, "-c"]
        ).run().expect(status: 0).text
        let document = stored.with(["id_token": .string(jwe.trimmingCharacters(in: .whitespacesAndNewlines))])
        let nonce = try #require(stored["id_token_claims"]?.object?["nonce"]?.string)
        let verified = try Program.oap(["verify", "--nonce", nonce], input: document.input).run().expect(status: 0)
        #expect(try verified.object()["sub"] == "7")
        try Program.oap(["verify"], input: document.with(["client_key_file": .null]).input).run().expect(status: 9)
        let without = try LoginHome()
        let refused = try without.oap(login).run().expect(status: 9)
        #expect(refused.errorText.contains("encrypted, and there is no key"), "\(refused)")
        let other = try folder.write(#"{"keys":[\#(signing.whole),\#(try key("ECDH-ES").whole)]}"#, to: "other")
        chmod(other, 0o600)
        let wrong = try LoginHome()
        let unopened = try wrong.oap(login + ["--client-key-file", other]).run().expect(status: 9)
        #expect(unopened.errorText.contains("encrypted for another key"), "\(unopened)")
    }

    @Test("encrypted ID tokens without a key for them are refused before the user logs in")
    func encrypted() throws {
        let server = try OpenIDServer()
        let person = try LoginHome()
        let client: JSONObject = [
            "client_id": "c", "issuer": .string(server.responder.url()), "scope": "openid",
            "id_token_encrypted_response_alg": "RSA-OAEP",
        ]
        try person.home.write(JSON.object(client).text, to: LoginHome.profile)
        let result = try person.oap(["login", "work", "--open"]).run().expect(status: 3)
        #expect(result.errorText.contains("asks for encrypted answers"), "\(result)")
        #expect(server.requests(to: "/authorize").isEmpty)
    }

    @Test("a key that will not open the ID token is noticed before code or refresh token is spent")
    func unusableKey() throws {
        let folder = try TemporaryDirectory()
        let key = folder.path("key")
        try Program.oap(["jwk", "new", "-o", key]).run().expect(status: 0)
        let server = try Responder { _ in .json("{}") }
        let client = server.client.with([
            "scope": "openid", "issuer": .string(server.url()), "jwks_uri": .string(server.url("/keys")),
            "client_key_file": .string(key), "token_endpoint_auth_method": "none",
            "redirect_uri": "http://127.0.0.1:1/cb",
        ])
        // The key signs, and one for decryption is wanted; or nothing here decrypts so.
        for algorithm in ["ECDH-ES", "RSA1_5", "RSA-OAEP"] {
            let document = client.with(["id_token_encrypted_response_alg": .string(algorithm)])
            let tokens: JSONObject = ["refresh_token": "rt", "access_token": "at", "id_token_claims": .object([:])]
            for (command, more) in [("exchange", ["code": "c"]), ("refresh", tokens)] as [(String, JSONObject)] {
                let result = try Program.oap([command], input: document.with(more).input).run()
                #expect([.status(2), .status(3)].contains(result.ending), "\(result)")
            }
        }
        #expect(server.requests.allSatisfy { $0.target == "/keys" })
    }

    @Test("a key that only decrypts does not authenticate a client that has a secret, or none")
    func keyForDecryption() throws {
        let folder = try TemporaryDirectory()
        let key = folder.path("key")
        try Program.oap(["jwk", "new", "--alg", "ECDH-ES", "-o", key]).run().expect(status: 0)
        let server = try Responder { _ in .json(#"{"access_token":"at","token_type":"Bearer"}"#) }
        let document = server.client.with([
            "code": "c", "redirect_uri": "http://127.0.0.1:1/cb", "id_token_encrypted_response_alg": "ECDH-ES",
        ])
        let exchange = ["exchange", "--client-key-file", key]
        try Program.oap(exchange, input: document.with(["token_endpoint_auth_method": "none"]).input).run()
            .expect(status: 0)
        let secret = document.with(["client_secret": "s", "token_endpoint_auth_method": .null])
        try Program.oap(exchange, input: secret.input).run().expect(status: 0)
        #expect(server.requests.map { $0.headers.first("Authorization")?.hasPrefix("Basic ") } == [nil, true])
    }

    @Test("a provider of OpenID Connect that lists no scopes is asked for openid")
    func unlistedScopes() throws {
        let server = try OpenIDServer(metadata: ["scopes_supported": .null])
        let person = try LoginHome()
        let words = ["login", "work", "--open", "--issuer", server.responder.url(), "--client-id", "c"]
        _ = try person.oap(words).run().expect(status: 0)
        #expect(server.requests(to: "/authorize").allSatisfy { $0.target.contains("scope=openid&") })
        #expect(try person.stored()["id_token_claims"]?.object?["sub"] == "7")
    }

    @Test("oap register says that a client of the method none was issued a secret, and keeps the method of an option")
    func registeredNone() throws {
        let server = try Responder { _ in
            .json(
                #"{"client_id":"n","client_secret":"s3","client_secret_expires_at":0,"token_endpoint_auth_method":"none"}"#,
                status: 201)
        }
        func register(_ options: String...) throws -> ProgramResult {
            let words = ["register", "-n", "--registration-endpoint", server.url("/r")] + options
            return try Program.oap(words).run().expect(status: 0)
        }
        let result = try register()
        #expect(result.errorText.contains("registered the method none, but issued a secret"), "\(result)")
        #expect(try result.object()["token_endpoint_auth_method"] == nil)
        let asked = try register("--token-endpoint-auth-method", "none")
        #expect(try asked.object()["token_endpoint_auth_method"] == "none")
    }

    @Test(
        "a refusal of a refresh that is no OAuth error is heard by all processes, and asked for again by the user",
        arguments: [400, 401, 403])
    func heard(status: Int) throws {
        let server = try Responder { _ in .text("<html>", status: status) }
        let managed = try ManagedHome()
        try managed.put(try managed.stored().with(["token_endpoint": .string(server.url("/token"))]))
        let running = try (1...12).map { _ in try managed.oap("token", "work").start() }
        for program in running { try program.finish().expect(status: 10) }
        #expect(server.requests.count == 1)
        #expect(try managed.stored()["refresh_token"] == "rt-0")
        try managed.oap("refresh", "-p", "work").run().expect(status: 10)
        #expect(server.requests.count == 2)
        // The next token forgets it.
        try managed.put(
            try managed.stored().with(["token_endpoint": .string(managed.endpoint.url("/token"))]))
        try managed.oap("refresh", "-p", "work").run().expect(status: 0)
        #expect(try managed.stored()["refresh_failed_at"] == nil)
        try managed.oap("token", "work").run().expect(status: 0).expect(output: "at-1\n")
    }

    @Test("a server that wants DPoP is understood")
    func dpop() throws {
        let server = try Responder { _ in .json(#"{"error":"invalid_dpop_proof"}"#, status: 400) }
        let result = try Program.oap(["refresh"], input: server.token.input).run().expect(status: 4)
        #expect(result.errorText.contains("log in with --dpop"), "\(result)")
    }

    @Test("a userinfo endpoint that answers 403 to a token without openid wants that scope")
    func userinfo() throws {
        let server = try Responder { _ in .text("", status: 403) }
        func ask(scope: String) throws -> ProgramResult {
            let token = server.token.with([
                "userinfo_endpoint": .string(server.url("/u")), "scope": .string(scope),
            ])
            return try Program.oap(["userinfo"], input: token.input).run()
        }
        let result = try ask(scope: "a").expect(status: 7)
        #expect(result.errorText.contains("log in with openid in the scope"), "\(result)")
        try ask(scope: "openid").expect(status: 10)
    }

    @Test("client_assertion is refused with what to do, and metadata of clients in that of a server is no news")
    func small() throws {
        let server = try Responder(.token)
        let words = ["exchange", "--grant", "client_credentials", "--param", "client_assertion=x"]
        let refused = try Program.oap(words, input: server.client.input).run().expect(status: 2)
        #expect(refused.errorText.contains("--client-key-file names the key"), "\(refused)")
        let issuer = try Responder { request in
            let address = "http://" + (request.headers.first("Host") ?? "")
            return .json(
                #"{"issuer":"\#(address)","default_max_age":1,"frontchannel_logout_session_required":true,"jwks":{}}"#)
        }
        let found = try Program.oap(["discover", issuer.url()]).run().expect(status: 0)
        #expect(!found.errorText.contains("default_max_age") && !found.errorText.contains("frontchannel"))
        #expect(found.errorText.contains("a member jwks, which was dropped"), "\(found)")
        #expect(try found.object()["default_max_age"] == nil)
    }
}
