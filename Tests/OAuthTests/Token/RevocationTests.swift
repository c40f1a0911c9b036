import TestSupport
import Testing
import Wire

@testable import OAuth

@Suite("Revocation")
struct RevocationTests {
    private let document: JSONObject = [
        "client_id": .string("s6BhdRkqt3"), "revocation_endpoint": .string("https://server.example.com/revoke"),
    ]
    private let client: ClientAuthentication

    init() throws {
        client = try ClientAuthentication(method: .basic, clientID: "s6BhdRkqt3", secret: "gX1fBat3bV")
    }

    @Test("RV-01 a revocation is requested as RFC 7009 section 2.1 shows it")
    func request() throws {
        let vector = try VectorGroup("requests").case(named: "rfc7009-2.1")
        let request = try Revocation(of: Document(document)).request(
            for: "45ghiukldjahdnhzdauz", of: .refresh, by: client)
        #expect(request.method == "POST" && request.url == "https://server.example.com/revoke")
        #expect(request.headers.first("Authorization") == vector["authorization"]?.string)
        #expect(String(decoding: try #require(request.body), as: UTF8.self) == vector["encoded"]?.string)
    }

    @Test(
        "RV-02 endpoint_responses: the answer to a revocation means what the case says",
        arguments: try VectorGroup("endpoint_responses").cases(elsewhere: [
            "PushedAuthorizationResponseTests": [
                "par-201", "par-200", "par-string-expiry", "par-no-uri", "par-413", "par-429",
            ],
            "RegistrationResponseTests": [
                "register-201", "register-200", "register-secret-no-expiry", "register-half-management",
                "register-error", "register-no-id",
            ],
            "IntrospectionTests": [
                "introspect-active", "introspect-inactive", "introspect-string", "introspect-missing",
            ],
            "UserinfoTests": [
                "userinfo-ok", "userinfo-other-sub", "userinfo-no-sub", "userinfo-jwt-unexpected-alg",
                "userinfo-json-when-jwt-configured", "userinfo-401",
            ],
        ]))
    func vectors(vector: VectorCase) throws {
        let revocation = try Revocation(of: Document(document))
        let response = try vector.response()
        switch vector["expect"]?.string {
        case "ok": vector.expectWarnings(try revocation.check(response))
        case "error": vector.expectFailure { try revocation.check(response) }
        default: Issue.record("no test for \(vector)")
        }
    }

    @Test("RV-02 a server that calls the token invalid has nothing left to revoke, and a redirect revokes nothing")
    func oddAnswers() throws {
        let revocation = try Revocation(of: Document(document))
        let invalid = EndpointResponse(
            head: HTTPResponseHead(status: 400, headers: [HTTPField("Content-Type", "application/json")]),
            body: Array(#"{"error":"invalid_token"}"#.utf8))
        #expect(try revocation.check(invalid) == [.revokedBefore])
        // With 401 it is the client that was refused.
        let client = EndpointResponse(
            head: HTTPResponseHead(status: 401, headers: [HTTPField("Content-Type", "application/json")]),
            body: Array(#"{"error":"invalid_token"}"#.utf8))
        #expect(#expect(throws: OAuthError.self) { try revocation.check(client) }?.code == "invalid_token")
        let redirect = EndpointResponse(head: HTTPResponseHead(status: 302, headers: []), body: [])
        let error = #expect(throws: OAuthError.self) { try revocation.check(redirect) }
        #expect(error?.kind == .redirectRefused)
    }

    @Test(
        "a success whose content says that nothing was revoked is none",
        arguments: [
            (#"{"error":"invalid_request"}"#, OAuthError.Kind.oauth), (#"{"error":"invalid_token"}"#, .oauth),
            (#"{"ok":false}"#, .invalidResponse), (#"{"ok":false,"error":"not_authed"}"#, .oauth),
            (#"{"success":false}"#, .invalidResponse), (#"{"success":"false"}"#, .invalidResponse),
            (#"{"revoked":false}"#, .invalidResponse), (#"{"revoked":0}"#, .invalidResponse),
            (#"{"errors":[{"message":"no"}]}"#, .invalidResponse), (#"{"errors":["no"]}"#, .invalidResponse),
            (#"{"error":true}"#, .invalidResponse), (#"{"error":{"message":"no"}}"#, .invalidResponse),
            (#"{"status":"error"}"#, .invalidResponse), (#"{"status":400}"#, .invalidResponse),
            (#"{"result":"failed"}"#, .invalidResponse), (#"{"errcode":40001,"errmsg":"no"}"#, .invalidResponse),
            (#"{"code":401,"message":"no"}"#, .invalidResponse), (#"{"statusCode":403}"#, .invalidResponse),
            (#"{"status_code":403}"#, .invalidResponse), (#"{"Error":"denied"}"#, .invalidResponse),
            (#"{"errorCode":"E1"}"#, .invalidResponse), (#"{"is_error":true}"#, .invalidResponse),
            ("false", .invalidResponse), (#""error""#, .invalidResponse), ("[false]", .invalidResponse),
            (#"{"data":{"error":"denied"}}"#, .invalidResponse), (#"{"error_description":"denied"}"#, .invalidResponse),
            (#"[{"ok":false}]"#, .invalidResponse), ("error=invalid_request&x=1", .oauth),
            ("Error: invalid token", .invalidResponse), ("<!DOCTYPE html><p>Log in", .notJSON),
            ("<html><head><title>Log in</title>", .notJSON), ("\n <HTML>", .notJSON),
            (#"{"fault":{"faultstring":"x"}}"#, .invalidResponse), (#"{"message":"Unauthorized"}"#, .invalidResponse),
            (#"{"err":"x"}"#, .invalidResponse), (#"{"response":{"msg":"token invalid"}}"#, .invalidResponse),
            (#"{"error":"x""#, .unreadableResponse), (#" ["revoked":true]"#, .unreadableResponse),
        ])
    func denials(body: String, kind: OAuthError.Kind) throws {
        for type in ["application/json", "text/html", "text/plain", nil] {
            guard !body.hasPrefix("error=") || type == "text/plain" else { continue }
            guard body != "Error: invalid token" || type == "text/plain" || type == nil else { continue }
            let response = answer(body, type)
            let error = #expect(throws: OAuthError.self) { try Revocation(of: Document(document)).check(response) }
            #expect(error?.kind == kind && error?.status == 200, "\(type ?? "-")")
        }
    }

    @Test(
        "a success that says so, or nothing, is one",
        arguments: [
            "", "{}", " ", "null", "true", "[]", #"{"ok":true}"#, #"{"success":true,"error":null}"#,
            #"{"revoked":true}"#,
            #"{"ok":true,"revoked":true}"#, #"{"errors":[],"error":""}"#, #"{"status":"ok"}"#, #"{"status":200}"#,
            #"{"data":{"error":null}}"#,
            #"{"errcode":0,"errmsg":"ok"}"#, #"{"message":"Token revoked"}"#, "OK", "Token revoked",
            #"{"note":"see <html>"}"#, #""OK""#, "<p>ok",
            #"{"result":"success","error":false}"#, "Token invalidated", #"{"status":"invalidated"}"#,
            #"{"result":"The token has been invalidated"}"#, #"{"message":"no errors"}"#, #"{"detail":"by default"}"#,
            #"{"code":0,"error_code":0}"#, #"{"code":20000}"#,
        ])
    func confirmations(body: String) throws {
        for type in ["application/json", "text/html", "text/plain", nil] {
            #expect(try Revocation(of: Document(document)).check(answer(body, type)).isEmpty, "\(type ?? "-")")
        }
    }

    @Test(
        "what is accepted, but not done yet, a part of an answer, and an error in XML confirm nothing",
        arguments: [
            (202, #"{"status":"pending"}"#), (202, ""), (206, ""), (206, #"{"warning":"x"}"#),
            (200, "<error>x</error>"),
        ])
    func unconfirmed(status: Int, body: String) throws {
        let type = body.hasPrefix("<") ? "application/xml" : "application/json"
        let error = #expect(throws: OAuthError.self) {
            try Revocation(of: Document(document)).check(answer(body, type, status: status))
        }
        #expect(error?.kind == .invalidResponse)
        #expect(error?.status == status)
    }

    private func answer(_ body: String, _ type: String?, status: Int = 200) -> EndpointResponse {
        let headers = type.map { [HTTPField("Content-Type", $0)] } ?? []
        return EndpointResponse(head: HTTPResponseHead(status: status, headers: headers), body: Array(body.utf8))
    }

    @Test("GitHub's way deletes the access token with HTTP Basic, whatever the client does elsewhere")
    func github() throws {
        let revocation = try Revocation(
            of: Document([
                "client_id": .string("Iv1.8a61f9b3a7aba766"), "revocation_style": .string("github"),
                "api_base": .string("https://api.github.com"),
                "api_headers": .object(["Accept": .string("application/vnd.github+json")]),
            ]))
        #expect(revocation.types == [.access])
        let post = try ClientAuthentication(method: .post, clientID: "Iv1.8a61f9b3a7aba766", secret: "s")
        let request = try revocation.request(for: "gho_x", of: .access, by: post)
        #expect(request.method == "DELETE")
        #expect(request.url == "https://api.github.com/applications/Iv1.8a61f9b3a7aba766/token")
        #expect(request.headers.first("Authorization") == "Basic SXYxLjhhNjFmOWIzYTdhYmE3NjY6cw==")
        #expect(request.headers.values(of: "Accept") == ["application/vnd.github+json"])
        #expect(request.headers.first("Content-Type") == "application/json")
        #expect(String(decoding: try #require(request.body), as: UTF8.self) == #"{"access_token":"gho_x"}"#)
        let gone = EndpointResponse(head: HTTPResponseHead(status: 204, headers: []), body: [])
        #expect(try revocation.check(gone).isEmpty)
        let invalid = EndpointResponse(
            head: HTTPResponseHead(status: 422, headers: []), body: Array(#"{"message":"Validation Failed"}"#.utf8))
        #expect(#expect(throws: OAuthError.self) { try revocation.check(invalid) }?.kind == .httpStatus)
        let open = try ClientAuthentication(method: .none, clientID: "c", secret: nil)
        let error = #expect(throws: OAuthError.self) { try revocation.request(for: "gho_x", of: .access, by: open) }
        #expect(error?.kind == .metadataMissing && error?.member == "client_secret")
    }

    @Test("a document that names no way, or one that nobody knows, is refused")
    func noWay() {
        let missing = #expect(throws: OAuthError.self) { try Revocation(of: Document(["client_id": .string("c")])) }
        #expect(missing?.kind == .metadataMissing && missing?.member == "revocation_endpoint")
        for style in ["myspace", "git", "github2", "GitHub", ""] {
            let unknown = #expect(throws: OAuthError.self) {
                try Revocation(of: Document(["revocation_style": .string(style)]))
            }
            #expect(unknown?.member == "revocation_style")
        }
    }
}
