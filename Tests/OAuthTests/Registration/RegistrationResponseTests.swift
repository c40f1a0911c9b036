import TestSupport
import Testing
import Wire

@testable import OAuth

@Suite("Registration responses")
struct RegistrationResponseTests {
    private static let document: JSONObject = [
        "registration_endpoint": .string("https://as.example/register"), "scope": .string("a b"),
    ]

    private func read(
        _ body: String, status: Int = 201, _ action: RegistrationRequest.Action = .register,
        _ document: JSONObject = document, headers: [HTTPField] = []
    ) throws -> (response: RegistrationResponse, client: JSONObject) {
        let request = try RegistrationRequest(action, of: Document(document))
        let head = HTTPResponseHead(status: status, headers: [HTTPField("Content-Type", "application/json")] + headers)
        let response = try RegistrationResponse(EndpointResponse(head: head, body: Array(body.utf8)), to: request)
        return (response, response.client(after: document, request))
    }

    @Test(
        "RG-01, RG-02, RG-03 endpoint_responses: a registration is answered as the case says",
        arguments: try VectorGroup("endpoint_responses").cases(only: [
            "register-201", "register-200", "register-secret-no-expiry", "register-half-management", "register-error",
            "register-no-id",
        ]))
    func vectors(vector: VectorCase) throws {
        let request = try RegistrationRequest(.register, of: Document(Self.document))
        let response = try vector.response()
        switch vector["expect"]?.string {
        case "ok": vector.expectWarnings(try RegistrationResponse(response, to: request).warnings)
        case "error": vector.expectFailure { try RegistrationResponse(response, to: request) }
        default: Issue.record("no test for \(vector)")
        }
    }

    @Test("RG-03 the answer's metadata replaces what was asked, with a warning for each difference; lists are sets")
    func replaced() throws {
        let (response, client) = try read(
            #"""
            {"client_id":"c","scope":"b a","grant_types":["refresh_token","authorization_code"],"client_name":"B",\#
            "token_endpoint_auth_method":"client_secret_basic","redirect_uris":["http://127.0.0.1/callback"],\#
            "client_secret":"s","client_secret_expires_at":0,"tos_uri":null,"x":1.10}
            """#)
        #expect(
            response.warnings == [
                .registeredOther("client_name", #""B""#),
                .registeredOther("token_endpoint_auth_method", #""client_secret_basic""#),
            ])
        #expect(
            response.warnings.map(\.message).first
                == #"the server registered another client_name than was asked for: "B""#)
        let long = OAuthWarning.registeredOther("client_name", String(repeating: "x", count: 101))
        #expect(long.message == "the server registered another client_name than was asked for")
        #expect(client["client_name"] == .string("B") && client["x"] == .number("1.10") && client["tos_uri"] == nil)
        #expect(client["client_secret"] == .string("s") && client["scope"] == .string("b a"))
        #expect(client["application_type"] == .string("native"), "what the answer leaves out is what was asked for")
        #expect(client["redirect_uri"] == .string("http://127.0.0.1:0/callback"))
        #expect(client["registration_endpoint"] == Self.document["registration_endpoint"])
    }

    @Test("a scope that was not asked for is not asked for later, and a secret without a method is used")
    func unasked() throws {
        let document: JSONObject = ["registration_endpoint": .string("https://as.example/register")]
        let answer = #"{"client_id":"c","scope":"all","client_secret":"s","client_secret_expires_at":0}"#
        let client = try read(answer, .register, document).client
        #expect(client["scope"] == nil && client["token_endpoint_auth_method"] == nil)
    }

    @Test("a secret is used where the server repeats the method none, unless it lists that", arguments: [false, true])
    func repeated(listsNone: Bool) throws {
        var document = Self.document
        document["token_endpoint_auth_methods_supported"] = listsNone ? .strings(["none"]) : nil
        let answer = #"{"client_id":"c","client_secret":"s","token_endpoint_auth_method":"none"}"#
        let client = try read(answer, .register, document).client
        #expect(client["token_endpoint_auth_method"] == (listsNone ? .string("none") : nil))
    }

    @Test("a new client keeps nothing of another one's registration, nor the initial access token")
    func fresh() throws {
        var document = Self.document
        let old = [
            "client_id", "client_secret_file", "client_secret_expires_at", "registration_client_uri",
            "registration_access_token_file", "initial_access_token_file",
        ]
        for name in old { document[name] = .string("old") }
        let client = try read(#"{"client_id":"new"}"#, .register, document).client
        #expect(client["client_id"] == .string("new"))
        #expect(old.dropFirst().allSatisfy { client[$0] == nil })
    }

    @Test("an answer sets no file, no endpoint of the server, and nothing that steers requests")
    func refused() throws {
        let (response, client) = try read(
            #"""
            {"client_id":"c","client_key_file":"/k","token_endpoint":"https://evil.example","api_base":"https://e.example",\#
            "jwks_uri":"https://evil.example/k","redirect_uri":"https://evil.example","access_token":"t"}
            """#)
        #expect(client["client_id"] == .string("c") && client["redirect_uri"] == .string("http://127.0.0.1:0/callback"))
        for name in ["client_key_file", "token_endpoint", "api_base", "jwks_uri", "access_token"] {
            #expect(client[name] == nil, "\(name)")
        }
        #expect(response.warnings.map(\.name) == Array(repeating: "member_dropped", count: 6))
    }

    @Test("an answer with a value that no client can have is refused, and so is not kept as a profile")
    func unusable() {
        for member in [#""default_max_age":-1"#, #""require_auth_time":"yes""#, #""application_type":"car""#] {
            let error = #expect(throws: OAuthError.self) { try read(#"{"client_id":"c",\#(member)}"#) }
            #expect(error?.kind == .invalidResponse && error?.message.hasPrefix("in the server's answer, ") == true)
        }
    }

    @Test("a new secret stands in no warning, though it is not the one that was sent")
    func secretInWarnings() throws {
        let document = Document([
            "client_id": .string("c"), "registration_client_uri": .string("https://as.example/c"),
            "client_name": .string("A"),
        ])
        let request = try RegistrationRequest(.update, of: document, secret: "old")
        let head = HTTPResponseHead(status: 200, headers: [HTTPField("Content-Type", "application/json")])
        let body = #"{"client_id":"c","client_name":"B","client_secret":"new","client_secret_expires_at":0}"#
        let response = try RegistrationResponse(EndpointResponse(head: head, body: Array(body.utf8)), to: request)
        #expect(response.warnings == [.registeredOther("client_name", #""B""#)])
    }

    @Test("a client without the redirect URI that was asked for is refused; one with more of them is warned about")
    func redirects() throws {
        for uris in [#"["http://127.0.0.1:1/callback"]"#, "[]", #""http://127.0.0.1/callback""#, "1"] {
            let error = #expect(throws: OAuthError.self) { try read(#"{"client_id":"c","redirect_uris":\#(uris)}"#) }
            #expect(error?.kind == .redirectMismatch)
        }
        let more = #"{"client_id":"c","redirect_uris":["https://x.example","http://127.0.0.1/callback"]}"#
        #expect(try read(more).response.warnings.map(\.name) == ["registered_other"])
    }

    @Test(
        "a registration is managed only at an address that its token may be sent to, and with both members",
        arguments: [
            ("https://other.example/c", true), ("http://as.example/c", false), ("http://127.0.0.1/c", false),
            ("https://localhost/c", false), ("https://u:p@as.example/c", false), ("/c", false),
        ])
    func management(uri: String, isUsable: Bool) throws {
        let answer = #"{"client_id":"c","registration_access_token":"r","registration_client_uri":"\#(uri)"}"#
        let (response, client) = try read(answer)
        #expect((client["registration_client_uri"] != nil) == isUsable)
        #expect(response.warnings.map(\.name) == (isUsable ? [] : ["registration_client_uri"]))
    }

    @Test("RG-04 a later answer replaces the token and the secret, also those in files, and keeps what it leaves out")
    func rotation() throws {
        let document: JSONObject = [
            "client_id": .string("c"), "client_secret_file": .string("/s"), "client_name": .string("A"),
            "registration_access_token_file": .string("/r"), "client_key_file": .string("/k"),
            "registration_client_uri": .string("https://as.example/c"),
        ]
        let answer =
            #"""
            {"client_id":"c","client_name":"B","registration_access_token":"r2","client_secret":"s2","client_key":"x",\#
            "client_secret_expires_at":0,"scope":"all"}
            """#
        for action in [RegistrationRequest.Action.read, .update] {
            let client = try read(answer, status: 200, action, document).client
            #expect(client["registration_access_token"] == .string("r2") && client["client_secret"] == .string("s2"))
            #expect(client["registration_access_token_file"] == nil && client["client_secret_file"] == nil)
            #expect(client["registration_client_uri"] == document["registration_client_uri"])
            #expect(client["client_name"] == .string("B") && client["client_key_file"] == .string("/k"))
            #expect((client["scope"] == nil) == (action == .update))
        }
        #expect(
            #expect(throws: OAuthError.self) { try read(#"{"client_id":"d"}"#, status: 200, .read, document) } != nil)
        #expect(try JSON(parsing: answer).issuedSecrets == ["r2", "s2"])
    }

    @Test("an array of the one method is that method, and a method that is not repeated is the one before")
    func method() throws {
        let document: JSONObject = [
            "client_id": .string("c"), "registration_client_uri": .string("https://as.example/c"),
            "token_endpoint_auth_method": .string("client_secret_post"),
        ]
        let array = #"{"client_id":"c","token_endpoint_auth_method":["none"]}"#
        #expect(try read(array, status: 200, .read, document).client["token_endpoint_auth_method"] == .string("none"))
        let client = try read(#"{"client_id":"c"}"#, status: 200, .update, document).client
        #expect(client["token_endpoint_auth_method"] == .string("client_secret_post"))
    }

    @Test(
        "answers that are no registration are told apart, and what helps is named",
        arguments: [
            (400, #"{"error":"invalid_redirect_uri"}"#, OAuthError.Kind.oauth, "--redirect-uri"),
            (400, #"{"error":"invalid_software_statement"}"#, .oauth, ""),
            (400, #"{"error":"unapproved_software_statement"}"#, .oauth, ""),
            (401, #"{"error":"invalid_token"}"#, .oauth, "--initial-access-token-file"),
            (401, "", .oauth, "--initial-access-token-file"), (403, "", .oauth, "--initial-access-token-file"),
            (404, "<html>", .httpStatus, "URL of the endpoint is right"), (503, "", .httpStatus, ""),
            (307, "", .redirectRefused, "URL"),
            (201, "[]", .invalidResponse, ""), (201, #"{"client_id":""}"#, .invalidResponse, ""),
            (201, #"{"client_id":"c","client_secret":1}"#, .invalidResponse, ""),
            (201, #"{"client_id":"c","error":"invalid_client_metadata"}"#, .oauth, ""),
        ])
    func errors(status: Int, body: String, kind: OAuthError.Kind, hint: String) {
        let headers =
            status < 401 || status > 403
            ? []
            : [
                HTTPField("WWW-Authenticate", #"Bearer realm="x", error="invalid_token""#)
            ]
        let error = #expect(throws: OAuthError.self) { try read(body, status: status, headers: headers) }
        #expect(error?.kind == kind)
        #expect(hint == "" ? error?.hint == nil : error?.hint?.contains(hint) == true)
    }

    @Test("a refusal in the challenge alone says why")
    func challenge() {
        let field = HTTPField("WWW-Authenticate", #"Bearer error="invalid_token", error_description="it is used up""#)
        let error = #expect(throws: OAuthError.self) { try read("", status: 401, headers: [field]) }
        #expect(error?.code == "invalid_token")
        #expect(error?.message.hasSuffix(" said invalid_token (it is used up)") == true)
    }

    @Test("a client_id that is a number is taken as text, to the letter, with a warning")
    func number() throws {
        let (response, client) = try read(#"{"client_id":9007199254740993}"#, status: 201)
        #expect(response.members["client_id"] == "9007199254740993" && client["client_id"] == "9007199254740993")
        #expect(
            response.warnings.map(\.message).contains { $0.hasPrefix("client_id in the server's answer is a number") })
    }

    @Test("a deletion is done with 204, and not with a redirect or an error")
    func deletion() throws {
        let document: JSONObject = [
            "client_id": .string("c"), "registration_client_uri": .string("https://as.example/c"),
        ]
        let request = try RegistrationRequest(.delete, of: Document(document))
        func delete(_ status: Int, _ body: String = "") throws -> [OAuthWarning] {
            let response = EndpointResponse(head: HTTPResponseHead(status: status, headers: []), body: Array(body.utf8))
            return try RegistrationResponse.checkDeletion(response, by: request)
        }
        #expect(try delete(204).isEmpty && delete(200).map(\.name) == ["status"])
        for (status, kind) in [(401, OAuthError.Kind.oauth), (405, .httpStatus), (302, .redirectRefused)] {
            #expect(#expect(throws: OAuthError.self) { try delete(status) }?.kind == kind)
        }
        #expect(
            #expect(throws: OAuthError.self) { try delete(403, #"{"error":"access_denied"}"#) }?.code == "access_denied"
        )
    }
}
