import TestSupport
import Testing
import Wire

@testable import OAuth

@Suite("Pushed authorization responses")
struct PushedAuthorizationResponseTests {
    @Test(
        "P-03, P-05 endpoint_responses: a pushed request is answered as the case says",
        arguments: try VectorGroup("endpoint_responses").cases(only: [
            "par-201", "par-200", "par-string-expiry", "par-no-uri", "par-413", "par-429",
        ]))
    func vectors(vector: VectorCase) throws {
        let response = try vector.response()
        guard vector["expect"]?.string == "ok" else {
            vector.expectFailure { try PushedAuthorizationResponse(response) }
            return
        }
        let pushed = try PushedAuthorizationResponse(response)
        #expect(pushed.requestURI == vector["body"]?.object?["request_uri"]?.string)
        vector.expectWarnings(pushed.warnings)
    }

    @Test("P-03 an answer with a request_uri and a lifetime serves; any status of success but 201 is odd")
    func accepted() throws {
        let created = try read(201, #"{"request_uri":"urn:x","expires_in":60,"extra":1}"#)
        #expect(created.requestURI == "urn:x")
        #expect(created.warnings.isEmpty)
        #expect(try read(200, #"{"request_uri":"urn:x","expires_in":60}"#).warnings.map(\.name) == ["status"])
    }

    @Test(
        "P-03 an answer that lacks one of the two breaks the protocol",
        arguments: [
            (#"{"expires_in":60}"#, "request_uri"), (#"{"request_uri":"","expires_in":60}"#, "request_uri"),
            (#"{"request_uri":1,"expires_in":60}"#, "request_uri"), (#"{"request_uri":"urn:x"}"#, "expires_in"),
            (#"{"request_uri":"urn:x","expires_in":0}"#, "expires_in"),
            (#"{"request_uri":"urn:x","expires_in":-1}"#, "expires_in"),
            (#"{"request_uri":"urn:x","expires_in":"soon"}"#, "expires_in"),
        ])
    func incomplete(body: String, member: String) {
        let error = #expect(throws: OAuthError.self) { try read(201, body) }
        #expect(error?.kind == .invalidResponse)
        #expect(error?.member == member)
    }

    @Test(
        "P-05 errors of every shape are told apart",
        arguments: [
            (400, #"{"error":"invalid_request"}"#, OAuthError.Kind.oauth),
            (401, #"{"error":"invalid_client"}"#, .oauth),
            (405, "", .httpStatus), (413, "<html>", .httpStatus), (429, "{}", .httpStatus), (503, "", .httpStatus),
            (201, "", .unreadableResponse), (201, "[]", .invalidResponse), (307, "", .redirectRefused),
            (201, #"{"error":"invalid_request","request_uri":"urn:x","expires_in":60}"#, .oauth),
        ])
    func errors(status: Int, body: String, kind: OAuthError.Kind) {
        let error = #expect(throws: OAuthError.self) { try read(status, body) }
        #expect(error?.kind == kind)
        if kind == .httpStatus || kind == .oauth { #expect(error?.retryAfter == 7) }
    }

    private func read(_ status: Int, _ body: String) throws -> PushedAuthorizationResponse {
        let headers = [HTTPField("Content-Type", "application/json"), HTTPField("Retry-After", "7")]
        let head = HTTPResponseHead(status: status, headers: headers)
        return try PushedAuthorizationResponse(EndpointResponse(head: head, body: Array(body.utf8)))
    }
}
