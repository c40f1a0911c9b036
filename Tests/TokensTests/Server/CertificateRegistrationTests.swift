import PlaySupport
import TestSupport
import Testing
import Wire

/// The registration of a client that authenticates with a certificate of its own (RFC 8705 section 2.2).
@Suite("oap register with a certificate", .inProcess)
struct CertificateRegistrationTests {
    private let home: TemporaryDirectory
    private let server: Responder
    private static let method = ["--token-endpoint-auth-method", "self_signed_tls_client_auth"]

    init() throws {
        home = try TemporaryDirectory()
        server = try Responder { request in
            let address = "http://" + (request.headers.first("Host") ?? "")
            let managed = #""registration_access_token":"r","registration_client_uri":"\#(address)/c""#
            return .json(
                #"{"client_id":"new",\#(managed),"redirect_uris":["http://127.0.0.1/callback"]}"#,
                status: request.method == "POST" ? 201 : 200)
        }
    }

    private func register(
        _ words: [String], document: JSONObject? = nil, profile: String? = nil
    ) throws -> ProgramResult {
        let document = document?.with(["registration_endpoint": .string(server.url("/register"))])
        var program = Program.oap(
            ["register"] + (profile.map { ["-p", $0] } ?? []) + words, input: document?.input ?? .none,
            environment: ["HOME": home.path])
        program.directory = home.path
        return try program.run()
    }

    /// The options of a new certificate, with the Base64 of what it is.
    private func certificate(_ name: String) throws -> (options: [String], encoded: String) {
        let (file, key) = (home.path("\(name).pem"), home.path("\(name).key"))
        try Program.shell(
            """
            openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=\(name) \
                -keyout '\(key)' -out '\(file)' 2> /dev/null
            """
        ).run().expect(status: 0)
        let lines = try home.read("\(name).pem").split(separator: "\n")
        return (["--cert", file, "--key", key], lines.filter { !$0.hasPrefix("-----") }.joined())
    }

    private func sent() throws -> [JSONObject] {
        let request = try #require(server.requests.last)
        let body = try #require(JSON(parsing: request.bodyText).object)
        return (body["jwks"]?.object?["keys"]?.array ?? []).compactMap(\.object)
    }

    @Test("the certificate is registered as a key, and what is printed names its files")
    func registered() throws {
        let (options, encoded) = try certificate("own")
        let client = try register(options + Self.method, document: [:]).expect(status: 0).object()
        let key = try #require(try sent().first)
        #expect(key["x5c"]?.strings == [encoded])
        #expect(key["kty"] == "EC")
        #expect(key["d"] == nil)
        #expect(client["tls_client_certificate_file"] == .string(home.path("own.pem")))
        #expect(client["tls_client_key_file"] == .string(home.path("own.key")))
    }

    @Test("where the server refuses a client without the subject of its certificate, the member is named")
    func subject() throws {
        let server = try Responder { _ in .json(#"{"error":"invalid_client_metadata"}"#, status: 400) }
        let words = ["register", "--token-endpoint-auth-method", "tls_client_auth"]
        for (member, isNamed) in [("tls_client_auth_subject_dn", false), ("software_id", true)] {
            let document: JSONObject = [member: "x", "registration_endpoint": .string(server.url("/register"))]
            let result = try Program.oap(words, input: document.input).run().expect(status: 4)
            #expect(result.errorText.contains(#"the member "tls_client_auth_subject_dn""#) == isNamed, "\(result)")
        }
    }

    @Test("a certificate that authenticates in another way is not registered")
    func otherMethod() throws {
        let (options, _) = try certificate("own")
        try register(options + ["--token-endpoint-auth-method", "tls_client_auth"], document: [:]).expect(status: 0)
        #expect(try sent().isEmpty)
        let published: JSONObject = ["client_jwks_uri": "https://client.example/keys"]
        try register(options + Self.method, document: published).expect(status: 0)
        #expect(try sent().isEmpty)
    }

    @Test("a set of the document that has the certificate, or that is registered anew, stays as it is")
    func ownSet() throws {
        let (options, encoded) = try certificate("own")
        let (other, _) = try certificate("other")
        let keys = [encoded, "other"].map { JSON.object(["kty": "EC", "x5c": .strings([$0])]) }
        let document: JSONObject = ["jwks": .object(["keys": .array(keys)])]
        try register(options + Self.method, document: document).expect(status: 0)
        #expect(try sent().count == 2)
        let client = try register(other + Self.method, document: document).expect(status: 0).object()
        #expect(try sent().count == 2)
        try register(["--update"] + options, document: client).expect(status: 0)
        #expect(try sent().count == 2)
    }

    @Test("an update with another certificate registers it, and the profile has it from then on")
    func rotation() throws {
        let (old, new) = (try certificate("old"), try certificate("new"))
        let client = try register(old.options + Self.method, document: [:]).expect(status: 0).object()
        try Program.oap(["profile", "set", "rk"], input: client.input, environment: ["HOME": home.path]).run()
            .expect(status: 0)
        try register(["--update"], profile: "rk").expect(status: 0)
        #expect(try sent().map { $0["x5c"]?.strings } == [[old.encoded]])
        try register(["--update"] + new.options, profile: "rk").expect(status: 0)
        #expect(try sent().map { $0["x5c"]?.strings } == [[new.encoded]])
        let shown = try Program.oap(["profile", "show", "rk"], environment: ["HOME": home.path]).run().object()
        #expect(shown["tls_client_certificate_file"] == .string(home.path("new.pem")))
        #expect(shown["tls_client_key_file"] == .string(home.path("new.key")))
    }

    @Test("a file without a certificate, and a descriptor, end the command before anything is sent")
    func unusable() throws {
        _ = try certificate("own")
        let key = home.path("own.key")
        try register(["--cert", key] + Self.method, document: [:]).expect(status: 11)
            .expect(errorLine: "oap: register: \(key) has no certificate in PEM")
        try register(["--cert", "/dev/fd/0", "--key", key] + Self.method, document: [:]).expect(status: 2)
        #expect(server.requests.isEmpty)
    }
}
