import Foundation
import Synchronization
import TestSupport
import Testing
import Wire

@Suite("A client with a key")
struct ClientKeyTests {
    private let folder: TemporaryDirectory
    private let key: String

    init() throws {
        folder = try TemporaryDirectory()
        key = folder.path("key.json")
        try Program.oap(["jwk", "new", "-o", key]).run().expect(status: 0).expectSilence()
    }

    private func oap(_ arguments: [String], _ document: JSONObject? = nil, _ variables: [String: String] = [:]) throws
        -> ProgramResult
    {
        let environment = variables.merging(["HOME": folder.path]) { first, _ in first }
        return try Program.oap(
            arguments, input: document.map(\.input) ?? .none, environment: environment
        ).run()
    }

    private func client(_ server: Responder) -> JSONObject {
        [
            "client_id": "c", "issuer": .string(server.url()), "token_endpoint": .string(server.url("/token")),
            "revocation_endpoint": .string(server.url("/revoke")),
            "introspection_endpoint": .string(server.url("/introspect")), "client_key_file": .string(key),
        ]
    }

    /// The claims of the JWTs that a server got.
    private func claims(_ server: Responder) throws -> [JSONObject] {
        try server.requests.compactMap { request in
            let form = try FormEncoding.parse(request.bodyText)
            guard let jwt = form.first(where: { $0.name == "client_assertion" })?.value else { return nil }
            #expect(!form.contains { $0.name == "client_secret" } && request.headers.first("Authorization") == nil)
            return try Program.oap(["inspect", "--raw", "-q", ".claims"], input: .text(jwt)).run()
                .expect(status: 0).object()
        }
    }

    private let grant = ["exchange", "--grant", "client_credentials"]

    @Test("the JWTs that oap signs are not shown where a server repeats them", arguments: [[], ["--dpop"]])
    func repeated(options: [String]) throws {
        let server = try Responder { request in
            let form = (try? FormEncoding.parse(request.bodyText)) ?? []
            let assertion = form.first { $0.name == "client_assertion" }?.value ?? ""
            let proof = request.headers.first("DPoP") ?? ""
            return .json(
                JSON.object([
                    "error": "invalid_client", "error_description": .string("cannot take \(assertion)"),
                    "proof": .string(proof),
                    "text": .string("\(proof.dropLast(5))… \(assertion)"),
                ]).text, status: 401)
        }
        let har = folder.path("har")
        let result = try oap(grant + ["-vv", "--har", har] + options, client(server)).expect(status: 4)
        let request = try #require(server.requests.first)
        let sent =
            try FormEncoding.parse(request.bodyText).compactMap { $0.name == "client_assertion" ? $0.value : nil }
            + [request.headers.first("DPoP")].compactMap(\.self)
        #expect(sent.count == 1 + options.count)
        let shown = try result.errorText + result.text + folder.read("har")
        for jwt in sent {
            for part in jwt.split(separator: ".").dropFirst() { #expect(!shown.contains(part.prefix(20)), "\(result)") }
        }
    }

    @Test("AU-07 each attempt has a JWT of its own: of a token, a revocation, a question about a token")
    func attempts() throws {
        let busy = Mutex(true)
        let server = try Responder { request in
            let isFirst = busy.withLock { now in
                defer { now.toggle() }
                return now
            }
            if isFirst { return .text("", status: 503, headers: ["Retry-After: 0"]) }
            return request.target == "/token"
                ? .json(#"{"access_token":"at","token_type":"Bearer"}"#) : .json("{\"active\":true}")
        }
        let token = try oap(grant, client(server)).expect(status: 0).object()
        #expect(token["token_endpoint_auth_method"] == "private_key_jwt" && token["client_key_file"] == .string(key))
        try oap(["revoke"], token).expect(status: 0)
        try oap(["introspect"], token).expect(status: 0)
        let claims = try claims(server)
        #expect(claims.count == 6 && Set(claims.compactMap { $0["jti"]?.string }).count == 6)
        #expect(claims.allSatisfy { $0["aud"] == .string(server.url()) && $0["sub"] == "c" })
    }

    @Test("the key comes from a file, a variable, the document, or a program of the profile")
    func places() throws {
        let server = try Responder { _ in .json(#"{"access_token":"at","token_type":"Bearer"}"#) }
        let text = try folder.read("key.json")
        var bare = client(server)
        bare["client_key_file"] = nil
        try oap(grant + ["--client-key-file", key], bare).expect(status: 0)
        try oap(grant, bare, ["OAP_CLIENT_KEY": text]).expect(status: 0)
        try oap(grant, bare, ["OAP_CLIENT_KEY_FILE": key]).expect(status: 0)
        try oap(grant, bare.with(["client_key": .string(text)])).expect(status: 0)
        let program = bare.with(["client_key_command": .array(["/bin/cat", .string(key)])])
        try folder.write(JSON.object(program).text, to: ".config/oap/profiles/p.json")
        try oap(grant + ["-p", "p"]).expect(status: 0)
        #expect(try claims(server).count == 5)
        let without = try oap(
            grant, bare.with(["token_endpoint_auth_method": "private_key_jwt"])
        ).expect(status: 3)
        without.expect(errorLine: "oap: exchange: client_key is missing")
        #expect(server.requests.count == 5)
    }

    @Test(
        "a key that only decrypts is no reason to sign: the client authenticates with its secret, or not at all",
        arguments: [
            #"{"use": "enc"}"#, #"{"key_ops": ["unwrapKey", "decrypt"]}"#, #"{"alg": "RSA-OAEP-256"}"#,
            #"{"alg": "ECDH-ES+A256KW"}"#,
        ])
    func decrypting(says: String) throws {
        let isCurve = says.contains("ECDH")
        let made = try oap(["jwk", "new", "--alg", isCurve ? "ES256" : "RS256"]).expect(status: 0).object()
        var bare = made
        for name in ["use", "alg", "key_ops", "kid"] { bare[name] = nil }
        let saying = try #require(JSON(parsing: Array(says.utf8)).object)
        try folder.write(JSON.object(bare.with(saying)).text, to: "enc.json")
        let server = try Responder { _ in .json(#"{"access_token":"at","token_type":"Bearer"}"#) }
        let both = client(server).with([
            "client_key_file": .string(folder.path("enc.json")), "client_secret": "a-secret",
        ])
        try oap(grant, both).expect(status: 0)
        let fields = server.requests.map { $0.headers.first("Authorization")?.hasPrefix("Basic ") }
        #expect(fields == [true])
        // The same by other ways, and the profile of it.
        try oap(["profile", "set", "p"], both).expect(status: 0)
        try oap(grant + ["-p", "p"]).expect(status: 0)
        var program = both.with(["client_key_command": .array(["/bin/cat", .string(folder.path("enc.json"))])])
        program["client_key_file"] = nil
        try folder.write(JSON.object(program).text, to: ".config/oap/profiles/q.json")
        try oap(grant + ["-p", "q"]).expect(status: 0)
        #expect(try claims(server).isEmpty && server.requests.count == 3)
        guard !says.contains("key_ops") else { return }
        // It is said where the key is to sign.
        let signing = both.with(["token_endpoint_auth_method": "private_key_jwt"])
        let refused = try oap(grant, signing).expect(status: 3)
        #expect(refused.errorText.contains("client_key cannot be used"), "\(refused)")
        try oap(["profile", "set", "r"], signing).expect(status: 3)
        let unfit = both.with(["id_token_encrypted_response_alg": isCurve ? "RSA-OAEP" : "ECDH-ES"])
        try oap(["profile", "set", "r"], unfit).expect(status: 3)
        #expect(server.requests.count == 3)
    }

    @Test("an encrypted PEM needs its pass phrase, from a file or a program; a PEM of several lines is no mistake")
    func passPhrase() throws {
        let server = try Responder { _ in .json(#"{"access_token":"at","token_type":"Bearer"}"#) }
        let plain = Program(path: "/usr/bin/openssl", arguments: ["genpkey", "-algorithm", "ed25519"])
        try folder.write(plain.run().text, to: "plain")
        let options = ["pkcs8", "-topk8", "-in", folder.path("plain"), "-passout", "pass:s3cret"]
        let pem = try folder.write(
            Program(path: "/usr/bin/openssl", arguments: options).run().text, to: "pem")
        let phrase = try folder.write("s3cret\r\n", to: "phrase")
        for file in [pem, phrase] { chmod(file, 0o600) }
        let document = client(server).with(["client_key_file": .string(pem)])
        let missing = try oap(grant, document).expect(status: 3)
        #expect(missing.errorText.contains("the key is encrypted, and there is no pass phrase"), "\(missing)")
        try oap(grant + ["--client-key-passphrase-file", phrase], document).expect(status: 0).expectSilence()
        let wrong = try folder.write("other", to: "wrong")
        chmod(wrong, 0o600)
        let refused = try oap(grant + ["--client-key-passphrase-file", wrong], document).expect(status: 3)
        #expect(refused.errorText.contains("the pass phrase of the key is wrong"), "\(refused)")
        #expect(server.requests.count == 1)
    }

    @Test("a key that cannot sign is refused before anybody logs in, and when a profile is written")
    func early() throws {
        let server = try Responder { _ in .json("{}") }
        let bad = try folder.write(#"{"kty":"EC"}"#, to: "bad")
        chmod(bad, 0o600)
        let login = ["login", "w", "--client-id", "c", "--issuer", server.url(), "--no-discovery"]
        let addresses = [
            "--authorization-endpoint", server.url("/a"), "--token-endpoint", server.url("/token"), "--open",
        ]
        for file in [bad, folder.path("none")] {
            let words = ["--client-key-file", file]
            let status = file == bad ? 2 : 11
            try oap(login + addresses + words).expect(status: status)
            try oap(["profile", "set", "w", "-n", "--client-id", "c"] + words).expect(status: status)
        }
        let unfit = ["--client-key-file", key, "--token-endpoint-auth-signing-alg", "RS256"]
        let result = try oap(["profile", "set", "w", "-n", "--client-id", "c"] + unfit).expect(status: 2)
        #expect(result.errorText.contains("the key does not fit the algorithm RS256"), "\(result)")
        try oap(["profile", "set", "w", "-n", "--client-id", "c", "--client-key-file", key]).expect(status: 0)
            .expectSilence()
        #expect(server.requests.isEmpty)
    }

    @Test("a registration sends the public half of the key, or makes a key; the private half stays")
    func registration() throws {
        let server = try Responder { request in
            let metadata = (try? JSON(parsing: request.bodyText))?.object ?? [:]
            return .json(JSON.object(metadata.with(["client_id": "new"])).text, status: 201)
        }
        let endpoint: JSONObject = ["registration_endpoint": .string(server.url("/register"))]
        let given = try oap(["register", "--client-key-file", key], endpoint).expect(status: 0).object()
        #expect(given["client_key_file"] == .string(key) && given["client_key"] == nil)
        let asked = ["register", "--token-endpoint-auth-method", "private_key_jwt"]
        let made = try oap(asked, endpoint).expect(status: 0).object()
        let own = try #require(made["client_key"]?.string.flatMap { try? JSON(parsing: $0) }?.object)
        #expect(own["alg"] == "ES256" && own["d"] != nil)
        let listed = endpoint.with(["token_endpoint_auth_signing_alg_values_supported": .array(["RS256", "PS256"])])
        let rsa = try oap(asked + ["-q", ".client_key | fromjson | .alg", "-r"], listed).expect(status: 0)
        #expect(rsa.text == "PS256\n")
        // P10: at a server that takes no other client.
        let only = endpoint.with(["token_endpoint_auth_methods_supported": .array(["private_key_jwt"])])
        let forced = try oap(["register"], only).expect(status: 0).object()
        #expect(forced["client_key"] != nil)
        let sent = server.requests.compactMap { (try? JSON(parsing: $0.bodyText))?.object }
        #expect(sent.count == 4)
        for metadata in sent {
            #expect(metadata["token_endpoint_auth_method"] == "private_key_jwt" && metadata["client_key"] == nil)
            let keys = try #require(metadata["jwks"]?.object?["keys"]?.array)
            #expect(keys.count == 1 && keys.allSatisfy { $0.object?["d"] == nil && $0.object?["kty"] != nil })
        }
        #expect(sent[1]["jwks"]?.object?["keys"]?.array?[0].object?["x"] == own["x"])
    }

    @Test("a JWT for an issuer on another host than the endpoint is warned of, and with --strict not sent")
    func foreignIssuer() throws {
        let server = try Responder { _ in .json(#"{"access_token":"at","token_type":"Bearer"}"#) }
        let document = client(server).with(["issuer": "https://honest.example"])
        let result = try oap(grant, document).expect(status: 0)
        #expect(result.errorText.contains("the client's JWT is for https://honest.example, but goes to"), "\(result)")
        try oap(grant + ["--strict"], document).expect(status: 10)
        #expect(server.requests.count == 1)
        try oap(grant + ["--assertion-audience", "token_endpoint"], document).expect(status: 0).expectSilence()
    }

    @Test("no message, trace or command line shows the key")
    func hidden() throws {
        let server = try Responder { _ in .text("no", status: 401) }
        let secret = try #require(try JSON(parsing: folder.read("key.json")).object?["d"]?.string)
        let shown = try oap(grant + ["-vv"], client(server))
        let line = try oap(grant + ["--dry-run"], client(server)).expect(status: 0)
        for result in [shown, line] { #expect(!"\(result.text)\(result.errorText)".contains(secret)) }
        #expect(line.text.contains("client_assertion=$OAP_SECRET_CLIENT_ASSERTION"), "\(line)")
        let jwt = try #require(FormEncoding.parse(server.requests[0].bodyText).last?.value)
        #expect(!shown.errorText.contains(jwt))
    }
}
