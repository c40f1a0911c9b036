import TestSupport
import Testing
import Wire

@testable import OAuth

@Suite("Authorization responses")
struct AuthorizationResponseTests {
    @Test(
        "C-02 to C-16 callback: a callback gives the code or the error of the case",
        arguments: try VectorGroup("callback").cases(elsewhere: [
            "RememberTests": ["flow-used", "flow-expired"]
        ]))
    func vectors(vector: VectorCase) throws {
        var flow = try #require(VectorGroup("callback").context["flow"]?.object)
        for member in vector["flow"]?.object?.members ?? [] {
            flow[member.name] = member.value.isNull ? nil : member.value
        }
        let parse = { try AuthorizationResponse(Self.callback(vector), for: Document(flow)) }
        guard vector["expect"]?.string == "ok" else {
            let error = vector.expectFailure(of: parse)
            if vector["error_sanitised"]?.bool == true {
                // E-02: what the server called the error is passed on as it is, and escaped where it is written.
                #expect(error?.code == "a\nb")
            }
            return
        }
        let response = try parse()
        if let code = vector["code"]?.string { #expect(response.code == code) }
        if let length = vector["code_length"]?.integer { #expect(response.code.utf8.count == length) }
        #expect((vector["code"] ?? vector["code_length"]) != nil)
        vector.expectWarnings(response.warnings)
    }

    private static func callback(_ vector: VectorCase) throws -> Callback {
        let text = try #require(vector["url"]?.string)
        guard vector["input"]?.string == "form" else { return try Callback(pasted: text) }
        return .form(body: text, contentType: vector["content_type"]?.string, url: nil)
    }

    /// The flow that the tests below answer.
    private static let flow: JSONObject = [
        "client_id": .string("c"), "n": .number("1.10"), "redirect_uri": .string("https://app.example/cb"),
        "state": .string("s"), "issuer": .string("https://as.example"), "code_verifier": .string("v"),
        "nonce": .string("n"), "authorization_url": .string("https://as.example/a"),
        "callback_url": .string("https://app.example/cb?code=x&state=s"), "callback_body": .string("b"),
        "token_endpoint": .string("https://as.example/token"),
    ]

    private func response(_ query: String, _ members: JSONObject = [:]) throws -> AuthorizationResponse {
        var flow = Self.flow
        for member in members.members { flow[member.name] = member.value.isNull ? nil : member.value }
        return try AuthorizationResponse(
            Callback(pasted: "https://app.example/cb?\(query)"), for: Document(flow))
    }

    private func failure(_ query: String, _ members: JSONObject = [:]) -> OAuthError? {
        #expect(throws: OAuthError.self) { try response(query, members) }
    }

    @Test("C-01, C-15 the document gets code and iss and loses what was used up; all else stays in its order")
    func document() throws {
        let response = try response("code=abc&state=s&iss=https%3A%2F%2Fas.example")
        #expect(
            JSON.object(response.document(from: Self.flow)).text
                == #"{"client_id":"c","n":1.10,"redirect_uri":"https://app.example/cb","issuer":"https://as.example","#
                + #""code_verifier":"v","nonce":"n","token_endpoint":"https://as.example/token","code":"abc","#
                + #""iss":"https://as.example"}"#)
    }

    @Test("C-15 code, iss and callback_params of an earlier attempt do not survive")
    func earlier() throws {
        var flow = Self.flow
        flow["code"] = .string("old")
        flow["iss"] = .string("https://other.example")
        flow["callback_params"] = .object(["x": .string("old")])
        let document = try response("code=abc&state=s").document(from: flow)
        #expect(document["code"] == .string("abc"))
        #expect(document["iss"] == nil)
        #expect(document["callback_params"] == nil)
    }

    @Test("C-06, C-11 unknown parameters are kept apart, in order, and steer nothing")
    func unknown() throws {
        let response = try response(
            "token_endpoint=https%3A%2F%2Fevil.example&code=abc&x=&authuser=0&state=s&client_id=evil&error_description=d"
        )
        let document = response.document(from: Self.flow)
        #expect(
            document["callback_params"].map(\.text)
                == #"{"token_endpoint":"https://evil.example","authuser":"0","client_id":"evil"}"#)
        #expect(document["token_endpoint"] == .string("https://as.example/token"))
        #expect(document["client_id"] == .string("c"))
    }

    @Test("C-06 names that are only canonically equivalent are different parameters; the same name twice is refused")
    func repeated() throws {
        #expect(try response("code=c&state=s&%C3%A9=1&e%CC%81=2").unknown.count == 2)
        #expect(failure("code=c&state=s&x=&x=")?.member == "x")
        #expect(failure("code=c&state=s&%78=1&x=2")?.kind == .duplicateParameter)
    }

    @Test("what a server says twice beside its error does not hide the error; what is checked stands once")
    func repeatedRefusal() {
        let error = failure(
            "error=access_denied&error_description=N&error_description=o&error_uri=u&error_uri=v&x=1&x=2&state=s")
        #expect(error?.kind == .authorization && error?.code == "access_denied")
        #expect(error?.codeDescription == "No" && error?.codeURI == "uv")
        #expect(
            failure("error=e&error_description=not+now&error_description=later&state=s")?.codeDescription
                == "not now later")
        #expect(failure("error=e&error_description=bl%F6d+100%&state=s")?.codeDescription == "bl\u{FFFD}d 100%")
        for name in ["error", "state", "iss", "code", "response"] {
            let query = "error=e&state=s&iss=https://as.example&code=c&response="
            #expect(failure("\(query)&\(name)=")?.kind == .duplicateParameter, "\(name)")
        }
    }

    @Test(
        "the checks of a callback come in their order",
        arguments: [
            // Each query breaks the check that it is listed for and every later one.
            ("response=a.b.c&x=1&x=2&state=t&iss=i&error=e&access_token=t", OAuthError.Kind.jarmUnexpected),
            ("x=1&x=2&state=t&iss=i&error=e&access_token=t", .duplicateParameter),
            ("state=t&iss=i&error=e&access_token=t", .stateMismatch), ("iss=i&error=e&access_token=t", .stateMissing),
            ("state=s&iss=i&error=e&access_token=t", .issuerMismatch),
            ("state=s&error=e&access_token=t", .authorization),
            ("state=s&access_token=t", .unexpectedParameter), ("state=s", .codeMissing),
        ])
    func order(query: String, kind: OAuthError.Kind) {
        #expect(failure(query)?.kind == kind)
        #expect(failure(query, ["redirect_uri": .string("https://app.example/other")])?.kind == .redirectMismatch)
        #expect(failure(query, ["response_mode": .string("fragment")])?.kind == .wrongChannel)
    }

    @Test(
        "C-05, C-07 a parameter without a value counts as absent",
        arguments: ["response", "error", "access_token", "id_token", "iss", "x"])
    func empty(name: String) throws {
        let response = try response("code=c&state=s&\(name)=")
        #expect(response.code == "c")
        #expect(response.unknown.isEmpty)
        #expect(response.issuer == nil)
    }

    @Test(
        "C-08 the state is compared octet by octet",
        arguments: ["S", "s+", "s%00", "ss", "%73%20", "s%CC%81", "", "%C5%BF"])
    func state(received: String) {
        let error = failure("code=c&state=\(received)")
        #expect(error != nil)
        #expect([.stateMismatch, .stateMissing, .unreadableResponse].contains(error?.kind))
    }

    @Test("C-08 canonically equivalent states differ, the same octets do not")
    func equivalentState() throws {
        #expect(failure("code=c&state=%C3%A9", ["state": .string("e\u{301}")])?.kind == .stateMismatch)
        #expect(try response("code=c&state=%C3%A9", ["state": .string("\u{E9}")]).code == "c")
        #expect(failure("code=c&state=K", ["state": .string("\u{212A}")])?.kind == .stateMismatch)
    }

    @Test("C-08 a flow without a state takes no callback at all")
    func noState() {
        #expect(failure("code=c", ["state": .null])?.kind == .stateMissing)
        #expect(failure("code=c&state=s", ["state": .null])?.kind == .stateMismatch)
    }

    @Test("C-09, C-12 an error is believed once state and iss are, and keeps its three parts")
    func refusal() {
        let error = failure("error=access_denied&error_description=No%21&error_uri=urn:x&state=s&code=c")
        #expect(error?.kind == .authorization)
        #expect(error?.code == "access_denied")
        #expect(error?.codeDescription == "No!")
        #expect(error?.codeURI == "urn:x")
        #expect(failure("error=invalid_scope&state=s", ["scope": .string("a,b")])?.hint?.contains("not commas") == true)
        #expect(failure("error=invalid_scope&state=s", ["scope": .string("a b")])?.hint == nil)
        #expect(failure("error=access_denied&state=s", ["scope": .string("a,b")])?.hint == nil)
        #expect(failure("error=access_denied&state=t")?.code == nil)
        #expect(failure("error=access_denied&state=s&iss=x")?.code == nil)
    }

    @Test(
        "C-10 the issuer is compared octet by octet",
        arguments: [
            "https%3A%2F%2Fas.example%2F", "https%3A%2F%2FAS.example", "HTTPS%3A%2F%2Fas.example",
            "https%3A%2F%2Fas.example%3A443", "x",
        ])
    func issuer(received: String) {
        #expect(failure("code=c&state=s&iss=\(received)")?.kind == .issuerMismatch)
    }

    @Test("an issuer that is only canonically equivalent is another one")
    func equivalentIssuer() throws {
        let flow: JSONObject = ["issuer": .string("https://as.example/caf\u{E9}")]
        #expect(failure("code=c&state=s&iss=https://as.example/cafe%CC%81", flow)?.kind == .issuerMismatch)
        _ = try response("code=c&state=s&iss=https://as.example/caf%C3%A9", flow)
    }

    @Test("C-10 an announced issuer has to be there, however the document says so; nothing to compare is a warning")
    func announced() throws {
        for announced in [JSON.bool(true), .string("true")] {
            let flow: JSONObject = ["authorization_response_iss_parameter_supported": announced]
            #expect(failure("code=c&state=s", flow)?.kind == .issuerMissing)
            #expect(try response("code=c&state=s&iss=https://as.example", flow).issuer == "https://as.example")
        }
        let unchecked = try response("code=c&state=s&iss=x", ["issuer": .null])
        #expect(unchecked.warnings == [.issuerUnchecked])
        #expect(try response("code=c&state=s").warnings.isEmpty)
    }

    @Test("C-13 other members of a token response are unknown parameters")
    func tokenMembers() throws {
        let response = try response("code=c&state=s&token_type=Bearer&expires_in=1&scope=a")
        #expect(response.unknown.members.map(\.name) == ["token_type", "expires_in", "scope"])
    }

    @Test(
        "C-14 the code is decoded once and otherwise left alone",
        arguments: [("a%252Fb", "a%2Fb"), ("+a+", " a "), ("%2B", "+")])
    func code(received: String, code: String) throws { #expect(try response("code=\(received)&state=s").code == code) }

    @Test(
        "C-16 a server's code is passed on as it is",
        arguments: ["server_error", "temporarily_unavailable", "login_required", "x"])
    func codes(code: String) { #expect(failure("error=\(code)&state=s")?.code == code) }

    @Test("a flow that cannot be read is the document's fault", arguments: ["redirect_uri", "response_mode", "issuer"])
    func badFlow(member: String) {
        let error = failure("code=c&state=s&iss=x", [member: .integer(1)])
        #expect(error?.kind == .usage)
        #expect(error?.member == member)
    }
}
