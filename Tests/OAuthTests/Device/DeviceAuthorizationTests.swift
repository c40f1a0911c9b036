import TestSupport
import Testing
import Wire

@testable import OAuth

@Suite("Device authorization")
struct DeviceAuthorizationTests {
    private static let client: JSONObject = [
        "device_authorization_endpoint": .string("https://as.example/device_authorization"),
        "client_id": .string("c"), "scope": .string("openid a"),
    ]

    private static let answer: JSONObject = [
        "device_code": .string("the-device-code"), "user_code": .string("WDJB-MJHT"),
        "verification_uri": .string("https://as.example/device"), "expires_in": .integer(1800),
    ]

    private func read(
        _ more: JSONObject = [:], status: Int = 200, shape: AnswerShape = .standard
    ) throws -> DeviceAuthorizationResponse {
        var members = Self.answer
        for member in more.members { members[member.name] = member.value.isNull ? nil : member.value }
        return try read(body: JSON.object(members).text, status: status, shape: shape)
    }

    private func read(
        body: String, status: Int = 200, shape: AnswerShape = .standard
    ) throws -> DeviceAuthorizationResponse {
        let head = HTTPResponseHead(status: status, headers: [HTTPField("Content-Type", "application/json")])
        return try DeviceAuthorizationResponse(EndpointResponse(head: head, body: Array(body.utf8)), shape: shape)
    }

    @Test("DV-01 the request has the scope, the resources and what the caller adds")
    func request() throws {
        var client = Self.client
        client["resource"] = .array([.string("urn:a"), .string("urn:b")])
        client["scope_separator"] = .string(",")
        let request = try DeviceAuthorizationRequest(of: Document(client), extra: [("audience", "api")])
        #expect(request.endpoint.url.text == "https://as.example/device_authorization")
        #expect(
            request.parameters.pairs.map { [$0.name, $0.value] } == [
                ["scope", "openid,a"], ["resource", "urn:a"], ["resource", "urn:b"], ["audience", "api"],
            ])
        client["scope"] = nil
        client["resource"] = nil
        #expect(try DeviceAuthorizationRequest(of: Document(client)).parameters.pairs.isEmpty)
    }

    @Test(
        "a code that is no code to type, or a command to what runs us, is refused",
        arguments: [
            "::error::pwned", "  ::add-mask::x", "\u{200B}::x", "\n::x", "##vso[task.x]", "A ##[error]x",
            "#\u{200B}#x", String(repeating: "A", count: 65),
        ])
    func oddCodes(code: String) throws {
        let error = #expect(throws: OAuthError.self) { try read(["user_code": .string(code)]) }
        #expect(error?.kind == .invalidResponse)
        for code in [String(repeating: "A", count: 64), "A::B", ":A", "A#B", "#1"] {
            #expect(try read(["user_code": .string(code)]).userCode == code)
        }
    }

    @Test("T-05 what authenticates the client cannot be set by hand", arguments: ClientAuthentication.reserved)
    func reserved(name: String) {
        let error = #expect(throws: OAuthError.self) {
            try DeviceAuthorizationRequest(of: Document(Self.client), extra: [(name, "x")])
        }
        #expect(error?.kind == .usage)
    }

    @Test(
        "T-01 a request that cannot be made safely is not made",
        arguments: [
            ("device_authorization_endpoint", JSON.null, OAuthError.Kind.metadataMissing),
            ("device_authorization_endpoint", .string("http://as.example/d"), .insecureTransport),
            ("device_authorization_endpoint", .string("/d"), .metadataInvalid), ("scope", .string("a\"b"), .usage),
            ("resource", .string("relative"), .usage),
            ("tls_client_certificate_bound_access_tokens", .bool(true), .metadataMissing),
        ])
    func badRequest(member: String, value: JSON, kind: OAuthError.Kind) {
        var client = Self.client
        client[member] = value
        let error = #expect(throws: OAuthError.self) { try DeviceAuthorizationRequest(of: Document(client)) }
        #expect(error?.kind == kind)
    }

    @Test("a device's flow has the answer in the place of earlier flows and tokens, its end counted from the request")
    func flow() throws {
        var document = Self.client
        let gone =
            Member.of(.callback, .exchange) + [
                "access_token", "access_token_file", "token_type", "expires_in", "expires_at", "issued_token_type",
            ]
        for name in gone { document[name] = .string("old") }
        document["n"] = .number("1.10")
        let device = try read([
            "interval": .string("7"), "verification_uri_complete": .string("https://as.example/device?user_code=X"),
            "message": .string("hello"),
        ])
        #expect(device.warnings.isEmpty)
        #expect(
            JSON.object(device.flow(of: document, start: 1_000_000)).text
                == #"{"device_authorization_endpoint":"https://as.example/device_authorization","client_id":"c","#
                + #""scope":"openid a","n":1.10,"message":"hello","device_code":"the-device-code","#
                + #""user_code":"WDJB-MJHT","verification_uri":"https://as.example/device","#
                + #""verification_uri_complete":"https://as.example/device?user_code=X","interval":7,"#
                + #""expires_at":1001800}"#)
        let plain = try read().flow(of: [:], start: 0)
        #expect(plain["verification_uri_complete"] == nil && plain["interval"] == .integer(5))
    }

    @Test(
        "DV-01 an answer that lacks what it must have breaks the protocol",
        arguments: [
            ("device_code", JSON.null), ("device_code", .string("")), ("device_code", .integer(1)),
            ("user_code", .null), ("user_code", .string("")), ("user_code", .string("\u{1B}\u{7}")),
            ("user_code", .integer(1234)), ("verification_uri", .null), ("verification_uri", .string("")),
            ("verification_uri", .string("device")), ("verification_uri", .string("https://")),
            ("verification_uri", .string("https://a b/")), ("verification_uri", .string("file:///etc/passwd")),
            ("verification_uri", .string("https://u:p@as.example/")),
            ("verification_uri_complete", .integer(1)), ("verification_uri_complete", .string("x")),
            ("expires_in", .null), ("expires_in", .integer(0)), ("expires_in", .integer(-5)),
            ("expires_in", .string("soon")), ("expires_in", .bool(true)),
        ])
    func incomplete(member: String, value: JSON) {
        let error = #expect(throws: OAuthError.self) { try read([member: value]) }
        #expect(error?.kind == .invalidResponse)
        #expect(error?.member == (member == "verification_uri" && value.isNull ? "verification_url" : member))
    }

    @Test(
        "DV-01 no page is shown that is neither https nor on this machine",
        arguments: [
            "http://as.example/", "http://localhost.evil.example/", "http://127.1/", "ftp://as.example/",
            "javascript:alert(1)", "app:/device", "HTTP://as.example/",
        ])
    func insecure(url: String) {
        for member in ["verification_uri", "verification_uri_complete"] {
            let error = #expect(throws: OAuthError.self) { try read([member: .string(url)]) }
            #expect(error?.kind == .insecureTransport && error?.member == member)
        }
    }

    @Test(
        "DV-01 a page is shown that is https or on this machine",
        arguments: ["HTTPS://as.example/#/device", "http://127.0.0.1:8080/d", "http://[::1]/d", "http://localhost/d"])
    func page(url: String) throws {
        #expect(try read(["verification_uri": .string(url)]).verificationURI.text == url)
    }

    @Test("DV-02 nothing that a terminal acts on is left in the code and the addresses")
    func controls() throws {
        let device = try read([
            "user_code": .string("\u{1B}[2JWDJB\r\n-\u{202E}MJ\u{9B}HT\u{0}"),
            "verification_uri": .string("https://as.example/\u{7}device\n"),
            "verification_uri_complete": .string("https://as.example/device\u{1B}?c=1"),
        ])
        #expect(device.userCode == "[2JWDJB-MJHT")
        #expect(device.verificationURI.text == "https://as.example/device")
        #expect(device.verificationURIComplete?.text == "https://as.example/device?c=1")
    }

    @Test("a code in any script is shown as it is")
    func script() throws { #expect(try read(["user_code": .string("Ключ é 鍵")]).userCode == "Ключ é 鍵") }

    @Test(
        "a lifetime may come as a string, and has bounds",
        arguments: [("\"900\"", 900), ("900.9", 900), ("1e12", 2_147_483_647)])
    func lifetime(text: String, seconds: Int) throws {
        #expect(try read(["expires_in": JSON(parsing: text)]).expiresIn == seconds)
    }

    @Test("the answer to a device authorization sets no member of the client, the server or a token")
    func steering() throws {
        let hostile = ["token_endpoint", "client_id", "scope", "access_token", "expires_at", "id_token", "key_file"]
        let device = try read(hostile.reduce(into: [:]) { $0[$1] = .string("https://evil.example") })
        #expect(device.warnings.allSatisfy { $0.name == "member_dropped" })
        #expect(device.warnings.count == 6 && device.warnings.last?.message.contains("1 more") == true)
        let flow = device.flow(of: Self.client, start: 0)
        #expect(!JSON.object(flow).text.contains("evil"))
    }

    @Test("an empty error in the answer to a device authorization is none, and is not kept")
    func emptyError() throws {
        let flow = try read(["error": .string(""), "error_description": .string("x")]).flow(of: [:], start: 0)
        #expect(flow["error"] == nil && flow["error_description"] == nil)
    }

    @Test(
        "DV-01 errors of every shape are told apart",
        arguments: [
            (400, #"{"error":"invalid_scope"}"#, OAuthError.Kind.oauth),
            (200, #"{"error":"device_flow_disabled"}"#, .oauth),
            (404, "Not Found", .httpStatus), (503, "", .httpStatus), (307, "", .redirectRefused),
            (200, "<html>", .unreadableResponse), (200, "[]", .invalidResponse), (200, "", .unreadableResponse),
        ])
    func errors(status: Int, body: String, kind: OAuthError.Kind) {
        let error = #expect(throws: OAuthError.self) { try read(body: body, status: status) }
        #expect(error?.kind == kind)
        #expect(error?.kind != .oauth || error?.code != nil)
    }

    @Test("a server may have names of its own for the members, and any status of success")
    func ownNames() throws {
        let google = try #require(Preset.builtIn.first { $0.name == "google" })
        let shape = try AnswerShape(of: Document(google.template))
        let device = try read(
            ["verification_uri": .null, "verification_url": .string("https://www.google.com/device")], status: 201,
            shape: shape)
        #expect(device.verificationURI.text == "https://www.google.com/device")
        #expect(device.warnings.map(\.name) == ["status"])
        #expect(device.flow(of: [:], start: 0)["verification_url"] == nil)
    }
}
