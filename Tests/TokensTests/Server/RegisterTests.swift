import PlaySupport
import TestSupport
import Testing
import Wire

@Suite("oap register", .inProcessWithoutPauses)
struct RegisterTests {
    private static let answer = #"{"client_id":"new","redirect_uris":["http://127.0.0.1/callback"]}"#
    private static let managed =
        #"{"client_id":"new","registration_access_token":"r-2","registration_client_uri":"$/c"}"#

    private func register(
        _ server: Responder, _ arguments: String..., document: JSONObject = [:], environment: [String: String] = [:]
    ) throws -> ProgramResult {
        let server: JSONObject = ["registration_endpoint": .string(server.url("/register"))]
        return try Program.oap(["register"] + arguments, input: document.with(server).input, environment: environment)
            .run()
    }

    /// A client whose registration the server lets it manage.
    private func client(_ server: Responder, _ more: JSONObject = [:]) -> JSONObject {
        let managed: JSONObject = [
            "client_id": "new", "client_name": "A", "registration_access_token": "r-1",
            "registration_client_uri": .string(server.url("/c")),
        ]
        return managed.with(more)
    }

    @Test("the jwks_uri of a client is registered beside that of the server, and stays apart from it")
    func ownKeys() throws {
        let keys = "https://client.example/keys"
        let answer = Self.answer.replacing("}", with: #","jwks_uri":"\#(keys)"}"#)
        let server = try Responder(.json(answer, status: 201), .json("{}", status: 201))
        let document: JSONObject = ["jwks_uri": "https://as.example/keys"]
        let client = try register(server, "--client-jwks-uri", keys, document: document).expect(status: 0)
            .expectSilence().object()
        #expect(client["jwks_uri"] == "https://as.example/keys" && client["client_jwks_uri"] == .string(keys))
        let sent = try #require(JSON(parsing: server.requests[0].bodyText).object)
        #expect(sent["jwks_uri"] == .string(keys) && sent["client_jwks_uri"] == nil)
        try register(server, "--client-jwks-uri", "http://client.example/keys").expect(status: 9)
        let both: JSONObject = ["jwks": .object(["keys": .array([])])]
        try register(server, "--client-jwks-uri", keys, document: both).expect(status: 2)
        let published = try Program.oap([
            "register", "-n", "--metadata-document", "--client-id", "https://app.example/oap.json",
            "--client-jwks-uri", keys,
        ]).run().expect(status: 0).object()
        #expect(published["jwks_uri"] == .string(keys) && published["client_jwks_uri"] == nil)
        #expect(server.requests.count == 1)
    }

    @Test("RG-01, RG-05 a client is registered once, and what is printed has it beside the server's metadata")
    func registration() throws {
        let server = try Responder(.json(Self.answer, status: 201))
        let document: JSONObject = ["issuer": "https://as.example", "x": 1, "registration_endpoint": .null]
        let client = try register(server, document: document).expect(status: 0).expectSilence().object()
        #expect(client["client_id"] == "new" && client["issuer"] == "https://as.example" && client["x"] == 1)
        #expect(client["redirect_uri"] == "http://127.0.0.1:0/callback")
        let request = try #require(server.requests.first)
        #expect(server.requests.count == 1 && request.lines.first == "POST /register HTTP/1.1")
        #expect(
            request.headers.first("Content-Type") == "application/json" && request.headers.first("Authorization") == nil
        )
        #expect(try JSON(parsing: request.bodyText).object?["client_name"] == "oap")
    }

    @Test("options and a software statement go before the document; the initial access token is sent and not printed")
    func options() throws {
        let secret = #""client_secret":"s3cret-of-new","client_secret_expires_at":0"#
        let server = try Responder(.json(#"{"client_id":"new",\#(secret)}"#, status: 201))
        let folder = try TemporaryDirectory()
        let token = try folder.write("initial\n", to: "token")
        let result = try register(
            server, "--client-name", "B", "--grant-types", "client_credentials", "--initial-access-token-file", token,
            "--software-statement-file", try folder.write("e30.e30.\n", to: "statement"), "--scope", "a b",
            document: ["client_name": "A"])
        let client = try result.expect(status: 0).expect(nowhere: "initial").object()
        #expect(client["client_name"] == "B" && client["scope"] == "a b")
        let sent = try JSON(parsing: try #require(server.requests.first?.bodyText)).object
        #expect(server.requests.first?.headers.first("Authorization") == "Bearer initial")
        #expect(sent?["grant_types"] == .strings(["client_credentials"]) && sent?["software_statement"] == "e30.e30.")
    }

    @Test("where only the issuer is known, its metadata is fetched; metadata without the endpoint is exit 3")
    func issuer() throws {
        let server = try Responder { request in
            let address = "http://" + (request.headers.first("Host") ?? "")
            switch request.target {
            case "/.well-known/openid-configuration":
                return .json(#"{"issuer":"\#(address)","registration_endpoint":"\#(address)/r","token_endpoint":"x"}"#)
            case "/n/.well-known/openid-configuration": return .json(#"{"issuer":"\#(address)/n"}"#)
            default: return .json(Self.answer, status: 201)
            }
        }
        let client = try Program.oap(["register", "-n", "--issuer", server.url()]).run().expect(status: 0).object()
        #expect(client["client_id"] == "new" && client["token_endpoint"] == "x")
        let none = try Program.oap(["register", "-n", "--issuer", server.url("/n")]).run().expect(status: 3)
        #expect(try none.object()["error"] == "metadata_missing")
        try Program.oap(["register", "-n"]).run().expect(status: 3)
    }

    @Test("the client goes through authurl with a free port in the place of the one that is registered")
    func pipeline() throws {
        let server = try Responder(.json(Self.answer, status: 201))
        let client = try register(server, document: ["authorization_endpoint": "https://as.example/a"])
        let flow = try Program.oap(["authurl"], input: .text(client.text)).run().expect(status: 0).object()
        let uri = try #require(flow["redirect_uri"]?.string)
        #expect(
            uri.hasPrefix("http://127.0.0.1:") && !uri.hasPrefix("http://127.0.0.1:0") && uri.hasSuffix("/callback"))
    }

    @Test(
        "a registration that is refused, lost or not the one that was asked for has the status of its kind",
        arguments: [
            (Responder.Reply.json(#"{"error":"invalid_redirect_uri"}"#, status: 400), 4, "invalid_redirect_uri"),
            (.text("", status: 401, headers: [#"WWW-Authenticate: Bearer error="invalid_token""#]), 4, "invalid_token"),
            (.json(#"{"client_id":"c","redirect_uris":["http://127.0.0.1:1/"]}"#, status: 201), 9, "redirect_mismatch"),
            (.redirect(307, to: "https://evil.example/"), 9, "redirect_refused"),
            (.json("{}", status: 201), 10, "invalid_response"), (.text("", status: 502), 12, "http_status"),
            (.text("", status: 429), 6, "http_status"), (.raw("").then(.close), 12, "network"),
        ])
    func failures(reply: Responder.Reply, status: Int, error: String) throws {
        let server = try Responder(reply)
        let result = try register(server).expect(status: status)
        #expect(try result.object()["error"] == .string(error))
        #expect(server.requests.count == 1)
        if status == 12 { #expect(result.errorText.contains("may register a second client")) }
    }

    @Test("what the server registered instead of what was asked is a warning, and an error with --strict")
    func warnings() throws {
        let answer = #"{"client_id":"c","scope":"a","client_secret":"hush-hush"}"#
        let server = try Responder { _ in .json(answer, status: 201) }
        try register(server, "--scope", "a b").expect(status: 0)
            .expect(errorLine: #"oap: register: warning: the server registered another scope than was asked for: "a""#)
            .expect(errorLine: "oap: register: warning: the server does not say when the client_secret expires")
        try register(server, "--scope", "a b", "--strict").expect(status: 10).expect(nowhere: "hush-hush")
    }

    @Test(
        "RG-04 the registration is read, updated and deleted with its token, which a new one replaces in its file's place"
    )
    func management() throws {
        let server = try Responder { request in
            let address = "http://" + (request.headers.first("Host") ?? "")
            guard request.method != "DELETE" else { return .text("", status: 204) }
            return .json(Self.managed.replacing("$", with: address))
        }
        let folder = try TemporaryDirectory()
        let path = try folder.write("r-1\n", to: "token")
        let filed = client(
            server, ["registration_access_token": .null, "registration_access_token_file": .string(path)])
        for (option, method) in [("--read", "GET"), ("--update", "PUT")] {
            let document = try Program.oap(["register", option], input: filed.input).run().expect(status: 0).object()
            #expect(document["registration_access_token"] == "r-2" && document["registration_access_token_file"] == nil)
            #expect(server.requests.last?.lines.first == "\(method) /c HTTP/1.1")
            #expect(server.requests.last?.headers.first("Authorization") == "Bearer r-1")
        }
        #expect(server.requests.last?.bodyText == #"{"client_name":"A","client_id":"new"}"#)
        try Program.oap(["register", "--delete"], input: client(server).input).run().expect(status: 0)
            .expect(output: #"{"deleted":"new"}"# + "\n").expectSilence()
        try Program.oap(["register", "--read"], input: .text(#"{"client_id":"c"}"#)).run().expect(status: 3)
    }

    @Test("an update with another key registers it, and the profile has it from then on")
    func rotation() throws {
        let server = try Responder { request in
            let address = "http://" + (request.headers.first("Host") ?? "")
            return .json(Self.managed.replacing("$", with: address))
        }
        let home = try TemporaryDirectory()
        func oap(_ words: String..., input: Program.Input = .none) throws -> ProgramResult {
            var program = Program.oap(words, input: input, environment: ["HOME": home.path])
            program.directory = home.path
            return try program.run()
        }
        func key(_ name: String) throws -> JSONObject {
            try oap("jwk", "new", "--alg", "ES256", "-o", name).expect(status: 0)
            let text = try home.read(name)
            return try #require(JSON(parsing: text).object)
        }
        func sent() throws -> [String?] {
            let request = try #require(server.requests.last)
            let body = try #require(JSON(parsing: request.bodyText).object)
            return (body["jwks"]?.object?["keys"]?.array ?? []).map { $0.object?["x"]?.string }
        }
        let (old, new) = (try key("old.json"), try key("new.json"))
        let stale: JSONObject = ["keys": .array([.object(["kty": "EC", "crv": "P-256", "x": "stale"])])]
        let profile = client(server, ["token_endpoint_auth_method": "private_key_jwt", "jwks": .object(stale)])
        try oap("profile", "set", "rk", "--client-key-file", "old.json", input: profile.input).expect(status: 0)
        let both = try home.write(JSON.object(["keys": .array([.object(old), .object(new)])]).text, to: "both.json")
        let choice = ["--client-key-id", old["kid"]?.string ?? ""]
        try oap("register", "rk", "--update", "--client-key-file", both, choice[0], choice[1]).expect(status: 0)
        #expect(try sent() == [old["x"]?.string, new["x"]?.string])
        let printed = try oap("register", "rk", "--update", "--client-key-file", "new.json").expect(status: 0).object()
        #expect(try sent() == [new["x"]?.string])
        let registered = printed["jwks"]?.object?["keys"]?.array?.first?.object
        #expect(registered?["kid"] == new["kid"])
        let kept = try oap("profile", "show", "rk", "--show-secrets").expect(status: 0).object()
        #expect(kept["client_key_file"]?.string?.hasSuffix("/new.json") == true)
        #expect(kept["client_key_id"] == nil)
        let count = server.requests.count
        let elsewhere = profile.with(["jwks": .null, "client_jwks_uri": "https://client.example/keys"])
        try oap("register", "--update", "--client-key-file", "new.json", input: elsewhere.input).expect(status: 2)
            .expect(errorLine: "oap: register: the server reads the keys of the client at its client_jwks_uri")
        try oap("register", "rk", "--update").expect(status: 0)
        #expect(server.requests.count == count + 1)
    }

    @Test("a secret that the answer only repeats stays in its file or variable")
    func unchanged() throws {
        let server = try Responder { request in
            let address = "http://" + (request.headers.first("Host") ?? "")
            let secret = #""client_secret":"hush-hush","client_secret_expires_at":0,"registration_access_token":"r-1""#
            return .json(#"{"client_id":"new",\#(secret),"registration_client_uri":"\#(address)/c"}"#)
        }
        let result = try Program.oap(
            ["register", "--update"], input: client(server).input, environment: ["OAP_CLIENT_SECRET": "hush-hush"]
        ).run().expect(status: 0).expect(nowhere: "hush-hush")
        #expect(try result.object()["registration_access_token"] == "r-1")
        #expect(server.requests.last?.bodyText.contains(#""client_secret":"hush-hush""#) == true)
    }

    @Test("a client secret whose end the server named is used after it with a warning")
    func expiredSecret() throws {
        for (end, warns) in [(JSON.integer(1), true), (.integer(0), false), (.integer(99_999_999_999), false)] {
            let server = try Responder(.token)
            let client = server.client.with(["client_secret": "s", "client_secret_expires_at": end])
            let result = try Program.oap(["exchange", "--grant", "client_credentials"], input: client.input).run()
            result.expect(status: 0)
            #expect(result.errorText.contains("the client_secret has expired") == warns, "\(result)")
        }
    }

    @Test("an answer that was lost may be repeated to read and to delete, not to update")
    func lost() throws {
        for (option, status) in [("--read", 6), ("--delete", 6), ("--update", 12)] {
            let server = try Responder { _ in .raw("").then(.close) }
            try Program.oap(["register", option], input: client(server).input).run().expect(status: status)
        }
    }

    @Test(
        "no secret of a registration is shown on standard error, whatever the server repeats",
        arguments: [200, 201, 400])
    func masked(status: Int) throws {
        let server = try Responder { _ in
            .json(
                #"""
                {"client_id":"new","client_secret":"secret-one","registration_access_token":"secret-two",\#
                "error_description":"secret-one secret-two secret-three","error":"x"}
                """#, status: status)
        }
        let folder = try TemporaryDirectory()
        let token = try folder.write("secret-three", to: "token")
        let result = try register(server, "-v", "--initial-access-token-file", token).expect(status: 4)
        for secret in ["secret-one", "secret-two", "secret-three"] { result.expect(nowhere: secret) }
        let read = try Program.oap(
            ["register", "--read", "-v"], input: client(server, ["registration_access_token": "secret-three"]).input
        ).run().expect(status: 4)
        for secret in ["secret-one", "secret-two", "secret-three"] { read.expect(nowhere: secret) }
    }

    @Test("the file of -o has the secrets, and nobody else can read it")
    func file() throws {
        let server = try Responder(.json(Self.managed.replacing("$", with: "https://as.example"), status: 201))
        let folder = try TemporaryDirectory()
        try register(server, "-o", folder.path("client.json")).expect(status: 0).expect(output: "")
        #expect(try folder.permissions("client.json") == 0o600)
        #expect(try folder.read("client.json").contains("r-2"))
    }

    @Test("the metadata document of a client_id that is a URL holds the client's metadata, and nothing is sent")
    func metadataDocument() throws {
        let document: JSONObject = [
            "client_id": "https://app.example/oap.json", "client_secret": "hush", "client_name": "A", "x": 1,
            "token_endpoint_auth_methods_supported": .strings(["client_secret_basic"]), "issuer": "https://as.example",
        ]
        let result = try Program.oap(["register", "--metadata-document"], input: document.input).run().expect(status: 0)
        result.expectSilence().expect(
            output:
                #"""
                {"client_id":"https://app.example/oap.json","client_name":"A","token_endpoint_auth_method":"none",\#
                "grant_types":["authorization_code","refresh_token"],"response_types":["code"],\#
                "redirect_uris":["http://127.0.0.1/callback"],"application_type":"native"}
                """# + "\n")
    }

    @Test(
        "a client_id that is not a URL of a metadata document is refused, and so is a client with a secret",
        arguments: [
            "c", "http://app.example/c", "https://app.example", "https://u:p@app.example/c", "https://app.example/c#x",
            "https://app.example/a/../c", "https://app.example/./c", "https://app.example/%2e%2E/c", "https:///c",
        ])
    func badIdentifier(id: String) throws {
        try Program.oap(["register", "-n", "--metadata-document", "--client-id", id]).run().expect(status: 2)
        let document: JSONObject = [
            "client_id": "https://app.example/c", "token_endpoint_auth_method": "client_secret_post",
        ]
        try Program.oap(["register", "--metadata-document"], input: document.input).run().expect(status: 3)
    }
}
