import TestSupport
import Testing
import Wire

@testable import OAuth

@Suite("Client authentication")
struct ClientAuthenticationTests {
    @Test(
        "AU-02, AU-03 client_secret_basic: the credentials of HTTP Basic are those of the case",
        arguments: try VectorGroup("client_secret_basic").cases)
    func vectors(vector: VectorCase) throws {
        var members: JSONObject = ["client_id": try #require(vector["client_id"])]
        members["basic_encoding"] = vector["basic_encoding"]
        let secret = try #require(vector["client_secret"]?.string)
        let authentication = try ClientAuthentication(of: Document(members), secret: secret)
        #expect(authentication.method == .basic)
        let authorization = try #require(vector["authorization"]?.string)
        let (field, parameters) = try sent(by: authentication)
        #expect(field == authorization)
        #expect(parameters.isEmpty)
        #expect(authentication.secrets == [secret, String(authorization.dropFirst(6))])
    }

    @Test(
        "AU-01 the document names the method, else the server's metadata, else Basic with a secret and `none` without",
        arguments: [
            (#"{"token_endpoint_auth_method":"client_secret_post"}"#, "s", .post),
            (
                #"{"token_endpoint_auth_method":"client_secret_basic","token_endpoint_auth_methods_supported":["client_secret_post"]}"#,
                "s", .basic
            ),
            (#"{"token_endpoint_auth_method":"none"}"#, "s", .none),
            (#"{"token_endpoint_auth_methods_supported":["client_secret_post"]}"#, "s", .post),
            (#"{"token_endpoint_auth_methods_supported":["client_secret_post","client_secret_basic"]}"#, "s", .basic),
            (#"{"token_endpoint_auth_methods_supported":[]}"#, "s", .basic),
            (#"{"token_endpoint_auth_methods_supported":["private_key_jwt"]}"#, "s", .basic),
            (#"{"token_endpoint_auth_methods_supported":["client_secret_post"]}"#, nil, .none),
            ("{}", "s", .basic), ("{}", nil, .none), (#"{"token_endpoint_auth_method":null}"#, nil, .none),
        ] as [(String, String?, ClientAuthentication.Method)])
    func choice(members: String, secret: String?, method: ClientAuthentication.Method) throws {
        #expect(try authentication(members, secret: secret).method == method)
    }

    @Test("AU-01 a key that decrypts authenticates the client as well, but not in the place of its secret")
    func decryptingKey() throws {
        let member = "id_token_encrypted_response_alg"
        for (members, credential) in [
            ([:], .key), (["client_secret": "s"], .key), ([member: "ECDH-ES"], .key),
            ([member: "ECDH-ES", "client_secret": "s"], .secret),
            ([member: "ECDH-ES", "client_secret_file": "s"], .secret),
        ] as [(JSONObject, ClientCredential)] {
            var document = Document(members.with(["client_id": "c"]))
            document.keyUse = .signing
            #expect(try ClientCredential(of: document) == credential, "\(members)")
        }
    }

    @Test("AU-01 a certificate authenticates where the server lists that, and under fapi2 where it lists nothing")
    func certificate() throws {
        for (profile, listed, method) in [
            (nil, [], .none), ("fapi2", [], .tls), (nil, ["tls_client_auth"], .tls),
            ("fapi2", ["self_signed_tls_client_auth"], .selfSignedTLS), (nil, ["tls_client_auth", "none"], .none),
        ] as [(String?, [String], ClientAuthentication.Method)] {
            var members: JSONObject = ["client_id": "c", "issuer": "https://as.example"]
            members["profile"] = profile.map { .string($0) }
            members["token_endpoint_auth_methods_supported"] = .strings(listed)
            var document = Document(members)
            document.hasCertificate = true
            #expect(try ClientAuthentication(of: document, secret: nil).method == method, "\(listed)")
        }
    }

    @Test("AU-01 an endpoint that lists the other method gets it, unless an option names the method")
    func listedMethod() throws {
        let name = "token_endpoint_auth_method"
        for (origin, method) in [
            (nil, ClientAuthentication.Method.post), (.environment, .post), (.option, .basic),
        ] as [(Document.Origin?, ClientAuthentication.Method)] {
            var document = Document([
                "client_id": .string("c"), name: .string("client_secret_basic"),
                "revocation_endpoint_auth_methods_supported": .strings(["client_secret_post"]),
            ])
            if let origin { document.set(name, to: .string("client_secret_basic"), from: origin) }
            let chosen = try ClientAuthentication(of: document, secret: "s", at: "revocation_endpoint").method
            #expect(chosen == method)
            #expect(try ClientAuthentication(of: document, secret: "s").method == .basic)
        }
    }

    @Test("AU-04 client_secret_post puts both into the body and nothing into the head; none sends the client_id alone")
    func body() throws {
        let post = try authentication(#"{"token_endpoint_auth_method":"client_secret_post"}"#, secret: "a&b")
        #expect(try sent(by: post).authorization == nil)
        #expect(try sent(by: post).parameters == [["client_id", "c"], ["client_secret", "a&b"]])
        let none = try authentication("{}", secret: nil)
        #expect(try sent(by: none).authorization == nil)
        #expect(try sent(by: none).parameters == [["client_id", "c"]])
        #expect(none.secrets.isEmpty)
    }

    @Test("E-04 the secret and what Basic makes of it are named to those who mask secrets")
    func secrets() throws {
        #expect(try authentication("{}", secret: "s").secrets == ["s", "Yzpz"])
        // An API of the server may want Basic of a client that posts its secret elsewhere.
        let post = try authentication(#"{"token_endpoint_auth_method":"client_secret_post"}"#, secret: "s")
        #expect(post.secrets == ["s", "Yzpz"])
    }

    @Test(
        "a method without its secret, one that is not offered and a client without a name are told apart",
        arguments: [
            (
                #"{"client_id":"c","token_endpoint_auth_method":"client_secret_basic"}"#,
                OAuthError.Kind.metadataMissing, "client_secret"
            ),
            (
                #"{"client_id":"c","token_endpoint_auth_method":"client_secret_post"}"#, .metadataMissing,
                "client_secret"
            ),
            (
                #"{"client_id":"c","token_endpoint_auth_method":"attest_jwt_client_auth"}"#, .usage,
                "token_endpoint_auth_method"
            ),
            (#"{"client_id":"c","token_endpoint_auth_method":""}"#, .usage, "token_endpoint_auth_method"),
            (#"{"client_id":"c","basic_encoding":"latin1"}"#, .usage, "basic_encoding"),
            (#"{"client_id":"c","basic_encoding":"r"}"#, .usage, "basic_encoding"),
            (#"{"client_id":"c","basic_encoding":"Raw"}"#, .usage, "basic_encoding"),
            ("{}", .metadataMissing, "client_id"), (#"{"client_id":""}"#, .usage, "client_id"),
            (#"{"client_id":1}"#, .usage, "client_id"),
        ])
    func refused(members: String, kind: OAuthError.Kind, member: String) throws {
        let document = Document(try #require(JSON(parsing: members).object))
        let error = #expect(throws: OAuthError.self) { try ClientAuthentication(of: document, secret: nil) }
        #expect(error?.kind == kind)
        #expect(error?.member == member)
    }

    @Test("T-06, T-07, P-07 a request is a form in the body, never in the URL, that asks for JSON")
    func request() throws {
        var parameters = Parameters()
        parameters.add("client_id", "c")
        parameters.add("code", "a b&c=é")
        let endpoint = try Endpoint("https://as.example/token?tenant=7", name: "token_endpoint")
        let request = try authentication("{}", secret: "s").request(to: endpoint, parameters: parameters)
        #expect(request.method == "POST")
        #expect(request.url == "https://as.example/token?tenant=7")
        #expect(
            request.headers == [
                HTTPField("Accept", "application/json"), HTTPField("Content-Type", "application/x-www-form-urlencoded"),
                HTTPField("Authorization", "Basic Yzpz"),
            ])
        #expect(request.body == Array("client_id=c&code=a+b%26c%3D%C3%A9".utf8))
    }

    @Test("T-05 a parameter that authenticates stands once", arguments: ["client_secret_post", "none"])
    func once(method: String) throws {
        var parameters = Parameters()
        parameters.add("client_id", "c")
        parameters.add("scope", "a")
        let endpoint = try Endpoint("https://as.example/par", name: "x")
        let authentication = try authentication(#"{"token_endpoint_auth_method":"\#(method)"}"#, secret: "s")
        let body = try #require(authentication.request(to: endpoint, parameters: parameters).body)
        let names = try FormEncoding.parse(String(decoding: body, as: UTF8.self)).map(\.name)
        #expect(names == ["scope", "client_id"] + (method == "none" ? [] : ["client_secret"]))
    }

    private func authentication(_ members: String, secret: String?) throws -> ClientAuthentication {
        var object = try #require(JSON(parsing: members).object)
        object["client_id"] = .string("c")
        return try ClientAuthentication(of: Document(object), secret: secret)
    }

    /// What a request has for the authentication: the field `Authorization`, and the parameters.
    private func sent(
        by authentication: ClientAuthentication
    ) throws -> (authorization: String?, parameters: [[String]]) {
        let request = try authentication.request(to: Endpoint("https://as.example/token", name: "token_endpoint"))
        let pairs = try FormEncoding.parse(String(decoding: request.body ?? [], as: UTF8.self))
        return (request.headers.first("Authorization"), pairs.map { [$0.name, $0.value] })
    }
}
