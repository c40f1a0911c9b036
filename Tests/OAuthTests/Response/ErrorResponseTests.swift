import Foundation
import TestSupport
import Testing
import Wire

@testable import OAuth

@Suite("Error responses")
struct ErrorResponseTests {
    @Test(
        "K-15, K-16 an error is read in every shape in which servers send one",
        arguments: [
            (#"{"error":"e","error_description":"d","error_uri":"u"}"#, "e", "d", "u"),
            (#"{"error":"e"}"#, "e", nil, nil),
            (#"{"error":"e","error_description":5,"error_uri":[]}"#, "e", nil, nil),
            (#"{"error":{"code":"e","type":"t","message":"m"}}"#, "e", "m", nil),
            (#"{"error":{"code":1,"type":"t"},"error_description":"d"}"#, "t", "d", nil),
            (#"{"errors":[{"errorType":"e","message":"m"},{"errorType":"f"}]}"#, "e", "m", nil),
            (#"{"error":null,"errors":[{"errorType":"e"}]}"#, "e", nil, nil),
        ] as [(String, String, String?, String?)])
    func shapes(body: String, code: String, description: String?, uri: String?) throws {
        let error = try #require(try read(body))
        #expect(error.kind == .oauth)
        #expect(error.code == code)
        #expect(error.codeDescription == description)
        #expect(error.codeURI == uri)
        #expect(error.status == 400)
    }

    @Test(
        "K-15, K-16 an answer that only looks like an error is none",
        arguments: [
            "{}", #"{"error":""}"#, #"{"error":null}"#, #"{"error":400}"#, #"{"error":{}}"#, #"{"error":{"code":""}}"#,
            #"{"error":{"code":1}}"#, #"{"error":["e"]}"#, #"{"error":true}"#, #"{"error_description":"d"}"#,
            #"{"errors":[]}"#,
            #"{"errors":["e"]}"#, #"{"errors":[{"message":"m"}]}"#, #"{"Error":"e"}"#,
        ])
    func none(body: String) throws { #expect(try read(body) == nil) }

    @Test(
        "E-05 with a status of 500 to 599 an answer is an error only with a registered code",
        arguments: [
            (500, "server_error", true), (503, "temporarily_unavailable", true), (500, "invalid_grant", true),
            (500, "internal_server_error", false), (500, "Internal Server Error", false), (599, "x", false),
            (400, "internal_server_error", true), (200, "incorrect_client_credentials", true), (600, "x", true),
            (429, "rate_limited", true), (408, "x", true), (499, "x", true),
        ])
    func registered(status: Int, code: String, isError: Bool) {
        let error = ErrorResponse.error(in: ["error": .string(code)], status: status, headers: [])
        #expect(error?.code == (isError ? code : nil))
    }

    @Test(
        "the words of the server are found in whatever member they stand, and in a plain text",
        arguments: [
            (#"{"message":"why"}"#, "why"), (#"{"errors":[{"message":"why"}]}"#, "why"),
            (#"{"errors":["why"]}"#, "why"),
            (#"{"type":"about:blank","title":"Bad","detail":"why","status":400}"#, "why"), (#"{"title":"why"}"#, "why"),
            (#"{"error":{"message":"why"}}"#, "why"), (#"{"error_message":"why"}"#, "why"),
            (#"{"fault":{"faultstring":"why","detail":{"errorcode":"x"}}}"#, "why"),
            (#"{"error":400,"msg":"why"}"#, "why"),
            (#"{"error_description":"why","message":"x"}"#, "why"), (#"[{"message":"why","errorCode":"x"}]"#, "why"),
            (#"{"detail":[{"loc":["body"],"msg":"why"}]}"#, "why"), (#"{"message":["why"]}"#, "why"),
            (#"{"ErrorMessage":"why"}"#, "why"), (#"{"error_msg":"why"}"#, "why"), (#"["why"]"#, "why"),
            (#"{"errorSummary":"why","errorCode":"E1"}"#, "why"), (#"{"Error":{"Message":"why"}}"#, "why"),
            ("why", "why"), (#""why""#, "why"), (#"{"errors":{"message":"why"}}"#, "why"), ("{}", nil), ("", nil),
            (#"{"errors":{"scope":["why","x"],"y":["x"]}}"#, "scope: why"),
            (#"{"errors":{"scope":"why"}}"#, "scope: why"),
            (#"{"errors":{"scope":5}}"#, nil), (#"{"response":{"error":{"message":"why"}}}"#, "why"),
            (#"{"err":{"msg":"why"}}"#, "why"), (#"{"error_description":{"en":"why"}}"#, "en: why"),
            (#"{error: 'why'}"#, "{error: 'why'}"), (#"{"msg":"why",}"#, "why"), ("{\"message\":\"w\th\ny\"}", "w h y"),
            ("<error>why</error>", "<error>why</error>"),
            ("[]", nil), (#"{"message":5}"#, nil), ("<html>why", nil), ("<html><title></title>", nil),
            ("<!DOCTYPE html><HEAD><TITLE class=x>\n why\n not </TITLE>", "why not"),
        ] as [(String, String?)])
    func said(body: String, why: String?) throws {
        let isXML = body.hasPrefix("<error")
        let type = ["{", "["].contains(body.prefix(1)) ? "application/problem+json" : isXML ? "text/xml" : "text/plain"
        for status in [400, 401, 404, 500, 503] {
            let head = HTTPResponseHead(status: status, headers: [HTTPField("Content-Type", type)])
            let response = EndpointResponse(head: head, body: Array(body.utf8))
            let error = #expect(throws: OAuthError.self) { try response.members(of: "it") }
            #expect(error?.kind == .httpStatus && error?.code == nil)
            #expect(error?.message.hasSuffix(why.map { " answered \(status): \($0)" } ?? " answered \(status)") == true)
            let document = #expect(throws: OAuthError.self) { try response.members(of: "it", for: .document) }
            #expect(document?.message.contains("why") == false, "a page that is looked for has nothing to say")
        }
    }

    @Test("an answer of status 200 without what was asked for says why, at each endpoint")
    func saidWithSuccess() throws {
        func check(_ read: (EndpointResponse) throws -> Void) {
            for (body, type) in [(#"{"code":7,"msg":"why not"}"#, "application/json"), ("why not", "text/plain")] {
                let head = HTTPResponseHead(status: 200, headers: [HTTPField("Content-Type", type)])
                let error = #expect(throws: OAuthError.self) {
                    try read(EndpointResponse(head: head, body: Array(body.utf8)))
                }
                #expect(error?.message.hasSuffix(": why not") == true, "\(error?.message ?? "")")
            }
        }
        let client = Document([
            "client_id": "c", "introspection_endpoint": "https://as.example.com/i",
            "userinfo_endpoint": "https://as.example.com/u", "registration_endpoint": "https://as.example.com/r",
        ])
        let grant = Grant.Kind(named: "authorization_code")
        check { _ = try TokenResponse($0, expecting: TokenResponse.Expectation(grant: grant, scope: Scope([]))) }
        check { _ = try DeviceAuthorizationResponse($0) }
        check { _ = try BackchannelAuthenticationResponse($0) }
        check { _ = try PushedAuthorizationResponse($0) }
        check { response in
            _ = try RegistrationResponse(response, to: RegistrationRequest(.register, of: client))
        }
        check { response in
            let introspection = try Introspection(of: client, isSigned: false)
            if case .plain(let members, _) = try introspection.answer(response) { try introspection.check(members) }
        }
        check { response in
            let userinfo = try Userinfo(of: client)
            if case .plain(let claims, _) = try userinfo.answer(response, scheme: "Bearer") {
                _ = try userinfo.checkSubject(of: claims)
            }
        }
    }

    @Test(
        "a text with the status 200 that may be a token is not shown",
        arguments: ["gho_16C7e42F292c6912E7710c838347Ae178B4a", #""gho_16C7e42F292c6912E7710c838347Ae178B4a""#])
    func token(body: String) {
        let head = HTTPResponseHead(status: 200, headers: [HTTPField("Content-Type", "text/plain")])
        let response = EndpointResponse(head: head, body: Array(body.utf8))
        let error = #expect(throws: OAuthError.self) { try response.members(of: "it") }
        #expect(error?.message.contains("gho_") == false)
    }

    @Test("a challenge says why where the content does not, or more")
    func challenge() {
        let field = HTTPField("WWW-Authenticate", #"Basic realm="a", Bearer error_description="why""#)
        func read(_ content: JSON?) -> String {
            ErrorResponse.unexplained(status: 401, headers: [field], content: content, of: "it").message
        }
        #expect(read(nil) == "it answered 401: why")
        #expect(read(.object([:])) == "it answered 401: why")
        #expect(read(.object(["message": "other"])) == "it answered 401: other (why)")
        #expect(read(.object(["message": "that is why"])) == "it answered 401: that is why")
    }

    @Test(
        "a page is called one, whatever its label is",
        arguments: ["application/json", "application/x-www-form-urlencoded", "text/plain", "text/html"])
    func page(type: String) {
        let head = HTTPResponseHead(status: 200, headers: [HTTPField("Content-Type", type)])
        let response = EndpointResponse(head: head, body: Array("<html><a href='/?a=b'>Log in</a></html>".utf8))
        let error = #expect(throws: OAuthError.self) { try response.members(of: "it") }
        #expect(error?.hint?.contains("a proxy or a login page answered") == true)
    }

    @Test("a refusal without a word says where to look, one with words needs no hint")
    func wordless() throws {
        let grant = try Grant.scoped(.clientCredentials, Document([:]))
        let none = ErrorResponse.unexplained(status: 400, headers: [], of: "it")
        #expect(grant.withHint(for: none).hint?.contains("-vv shows the request") == true)
        let some = ErrorResponse.unexplained(status: 400, headers: [], content: .string("why"), of: "it")
        #expect(grant.withHint(for: some).hint == nil)
    }

    @Test(
        "what Facebook says of a device code is a number beside the code",
        arguments: [
            (1_349_174, "authorization_pending"), (1_349_172, "slow_down"), (1_349_152, "expired_token"),
            (1, "OAuthException"),
        ])
    func subcodes(number: Int, code: String) throws {
        let body = #"{"error":{"message":"m","type":"OAuthException","code":31,"error_subcode":\#(number)}}"#
        #expect(try read(body)?.code == code)
    }

    @Test("E-01 an answer that cannot be read is called parse, every other kind by its own name")
    func names() {
        #expect(OAuthError.Kind.unreadableResponse.name == "parse")
        for kind in OAuthError.Kind.allCases where kind != .unreadableResponse { #expect(kind.name == kind.rawValue) }
    }

    @Test("E-06 every kind that the vectors name for these steps is one of its own")
    func kinds() throws {
        let known = Set(OAuthError.Kind.allCases.map(\.name))
        for group in [
            "authurl", "callback", "token_response", "rfc_responses", "refresh_merge", "transport", "pkce", "id_token",
        ] {
            for vector in try VectorGroup(group).cases(elsewhere: [:]) {
                guard var kind = vector["kind"]?.string else { continue }
                // oap(1) tells the reasons for a login apart.
                if kind == "reauth_required" { kind = "refresh_refused" }
                #expect(known.contains(kind), "\(vector.testDescription)")
            }
        }
    }

    @Test("E-02, E-03 a server's text is kept as it is in the error, and escaped in the document that shows it")
    func escaped() throws {
        let error = try #require(try read(#"{"error":"a\nb","error_description":"\u001b[31m\u007f\"\\é"}"#))
        #expect(error.code == "a\nb")
        let text = JSON.object([
            "error": .string(error.code ?? ""), "error_description": .string(error.codeDescription ?? ""),
        ]).text
        #expect(text == #"{"error":"a\nb","error_description":"\u001b[31m\u007f\"\\é"}"#)
    }

    @Test(
        "E-05 Retry-After is told: seconds as they are, a date as seconds from the answer's own Date",
        arguments: [
            ("7", nil, 7), (" 7 ", nil, 7), ("0", nil, 0), ("-1", nil, nil), ("+7", nil, nil), ("1.5", nil, nil),
            ("soon", nil, nil), ("", nil, nil),
            ("Fri, 31 Dec 1999 23:59:59 GMT", "Fri, 31 Dec 1999 23:58:59 GMT", 60),
            ("Fri, 31 Dec 1999 23:57:59 GMT", "Fri, 31 Dec 1999 23:58:59 GMT", 0),
            ("Fri, 31 Dec 1999 23:59:59 GMT", nil, nil),
            ("Fri, 31 Dec 1999 23:59:59 GMT", "today", nil), ("9", "Fri, 31 Dec 1999 23:58:59 GMT", 9),
            ("9", "today", 9),
        ] as [(String, String?, Int?)])
    func retryAfter(value: String, date: String?, seconds: Int?) {
        let headers = [HTTPField("Retry-After", value)] + (date.map { [HTTPField("Date", $0)] } ?? [])
        #expect(ErrorResponse.retryAfter(in: headers) == seconds)
        #expect(ErrorResponse.unexplained(status: 503, headers: headers, of: "it").retryAfter == seconds)
    }

    @Test("an error without Retry-After names no time to wait")
    func noRetryAfter() {
        #expect(ErrorResponse.retryAfter(in: [HTTPField("Date", "Fri, 31 Dec 1999 23:58:59 GMT")]) == nil)
    }

    @Test(
        "a status of a server that is busy or broken leaves open what was done, unless it asks for another attempt",
        arguments: [
            (503, "temporarily_unavailable", nil, true), (503, "temporarily_unavailable", 5, false),
            (503, nil, 5, true), (503, "server_error", 5, true), (500, nil, nil, true), (599, nil, nil, true),
            (408, nil, nil, true), (429, nil, nil, false), (400, "invalid_grant", nil, false), (600, nil, nil, false),
            (nil, nil, nil, false),
        ] as [(Int?, String?, Int?, Bool)])
    func openOutcome(status: Int?, code: String?, retryAfter: Int?, isOpen: Bool) {
        var error = OAuthError(code == nil ? .httpStatus : .oauth, "x", status: status)
        (error.code, error.retryAfter) = (code, retryAfter)
        #expect(error.leavesOutcomeOpen == isOpen)
    }

    @Test(
        "an error is about the client if its code says so, or if it is a refusal that has none",
        arguments: [
            (OAuthError.Kind.httpStatus, 401, nil, true), (.httpStatus, 403, nil, true), (.httpStatus, 400, nil, false),
            (.httpStatus, 404, nil, false), (.oauth, 403, "access_denied", false),
            (.oauth, 400, "invalid_client", true),
            (.oauth, 400, "unauthorized_client", true), (.oauth, 401, "invalid_grant", false),
        ] as [(OAuthError.Kind, Int, String?, Bool)])
    func client(kind: OAuthError.Kind, status: Int, code: String?, concernsClient: Bool) {
        var error = OAuthError(kind, "x", status: status)
        error.code = code
        #expect(error.concernsClient == concernsClient)
    }

    @Test(
        "what is wrong beside an error does not hide it: text in Latin-1, half an emoji, a stray %, a member twice",
        arguments: [
            (#"{"error":"invalid_grant","error_description":"a\ud83d"}"#, "application/json", "a\u{FFFD}"),
            (")]}'\n{\"error\":\"invalid_grant\",\"error_description\":\"a\"}", "application/json", "a"),
            (#"{"error":"invalid_grant","error_description":"abgelöst"}"#, "application/json", "abgel\u{FFFD}st"),
            ("error=invalid_grant&error_description=abgelöst", "application/x-www-form-urlencoded", "abgel\u{FFFD}st"),
            ("error=invalid_grant&error_description=100%", "application/x-www-form-urlencoded", "100%"),
            ("error=invalid_grant&error_description=a%F6&error_description=b", "text/plain", "a\u{FFFD}"),
        ])
    func damaged(body: String, type: String, description: String) throws {
        let bytes = try #require(body.data(using: .isoLatin1))
        for status in [400, 200] {
            let head = HTTPResponseHead(status: status, headers: [HTTPField("Content-Type", type)])
            let response = EndpointResponse(HTTPResponse(head: head, body: Array(bytes)))
            let error = #expect(throws: OAuthError.self) { try response.members(of: "it") }
            #expect(error?.code == "invalid_grant" && error?.codeDescription == description)
        }
    }

    @Test(
        "an error in what is almost JSON is read, with a status of 400 and more alone",
        arguments: [
            "{\"error\":\"invalid_grant\",\"error_description\":\"it's\nover\"}",
            "{\"error\":\"invalid_grant\",\"error_description\":\"it's\tover\"}",
            #"{"error":"invalid_grant","error":"x","error_description":"it's over"}"#,
            #"{"error" : "invalid_grant", "error_description" : "it's over",}"#,
            #"{"error":"invalid_grant","error_description":"it\'s over"}"#,
            #"{"error":"invalid_grant","error_description":"it's over"}{"x":1}"#,
            #"<br />Warning: Undefined key "error" in "x.php" {"error":"invalid_grant","error_description":"it's over"}"#,
            #"call({"error":"invalid_grant","error_description":"it's over"});"#,
            #"{"error":"invalid_grant","error_description":"it's over""#,
        ])
    func almost(body: String) throws {
        let utf16 = try #require(body.data(using: .utf16LittleEndian))
        for bytes in [Array(body.utf8), [0xFF, 0xFE] + Array(utf16)] {
            let head = HTTPResponseHead(status: 400, headers: [HTTPField("Content-Type", "application/json")])
            let response = EndpointResponse(HTTPResponse(head: head, body: bytes))
            let error = #expect(throws: OAuthError.self) { try response.members(of: "it") }
            #expect(error?.code == "invalid_grant")
            #expect(error?.codeDescription == "it's over")
            let success = EndpointResponse(HTTPResponse(head: HTTPResponseHead(status: 200), body: bytes))
            #expect(#expect(throws: OAuthError.self) { try success.members(of: "it") }?.code == nil)
        }
    }

    @Test("a page that has an error of JSON in it is no error")
    func pageWithError() {
        let body = Array(#"<html><script>var s = {"error":"invalid_grant",}</script>"#.utf8)
        let response = EndpointResponse(HTTPResponse(head: HTTPResponseHead(status: 403), body: body))
        #expect(#expect(throws: OAuthError.self) { try response.members(of: "it") }?.code == nil)
    }

    @Test(
        "a token in a damaged answer is not taken",
        arguments: [
            (#"{"access_token":"ö"}"#, "application/json"), ("access_token=ö", "application/x-www-form-urlencoded"),
            ("access_token=%", "text/plain"), ("access_token=a&access_token=b", "application/x-www-form-urlencoded"),
        ])
    func damagedToken(body: String, type: String) throws {
        let bytes = try #require(body.data(using: .isoLatin1))
        let head = HTTPResponseHead(status: 200, headers: [HTTPField("Content-Type", type)])
        let response = EndpointResponse(HTTPResponse(head: head, body: Array(bytes)))
        #expect(throws: OAuthError.self) { try response.members(of: "it") }
    }

    private func read(_ body: String) throws -> OAuthError? {
        ErrorResponse.error(in: try #require(JSON(parsing: body).object), status: 400, headers: [])
    }
}
