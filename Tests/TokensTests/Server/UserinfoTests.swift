import PlaySupport
import TestSupport
import Testing
import Wire

@testable import CommandSupport

@Suite("oap userinfo", .inProcessWithoutPauses)
struct UserinfoTests {
    private func document(_ server: Responder) -> JSONObject {
        server.token.with([
            "userinfo_endpoint": .string(server.url("/me")), "id_token_claims": .object(["sub": "me"]),
        ])
    }

    private func run(_ document: JSONObject, _ options: String...) throws -> ProgramResult {
        try Program.oap(["userinfo", "--error-document", "/dev/stdout"] + options, input: document.input).run()
    }

    @Test("oap userinfo sends the token in a header, and prints the claims as they came")
    func claims() throws {
        let server = try Responder(.json(#"{"sub":"me","n":1.10,"email":"a@example.com"}"#))
        try run(document(server)).expect(status: 0)
            .expect(output: #"{"sub":"me","n":1.10,"email":"a@example.com"}"# + "\n").expectSilence()
        let request = try #require(server.requests.first)
        #expect(request.method == "GET" && request.target == "/me")
        #expect(request.headers.first("Authorization") == "Bearer old-access")
    }

    @Test("UI-01 the claims of another user are exit 9 and not shown, those without a sub exit 10")
    func otherUser() throws {
        let server = try Responder(.json(#"{"sub":"eve","email":"e@example.com"}"#), .json(#"{"login":"octocat"}"#))
        let other = try run(document(server)).expect(status: 9).expect(nowhere: "e@example.com")
        #expect(try other.object()["error"] == "sub_mismatch")
        let none = try run(document(server)).expect(status: 10)
        #expect(none.errorText.contains("has no sub"), "\(none)")
    }

    @Test(
        "a token that lacks a scope is to be had by a login with openid, unless it belongs to a client or has openid",
        arguments: [
            ("authorization_code", "repo", "log in with openid in the scope"),
            ("client_credentials", "openid", "the token belongs to the client: no user has logged in"),
            ("authorization_code", "openid", nil),
        ])
    func scope(grant: String, scope: String, hint: String?) throws {
        let server = try Responder { _ in
            .json("{}", status: 403, headers: ["WWW-Authenticate: Bearer error=insufficient_scope"])
        }
        let document = document(server).with([
            "grant_type": .string(grant), "scope": .string(scope), "id_token_claims": .null,
        ])
        let result = try run(document).expect(status: 7)
        #expect(try result.object()["hint"]?.string == hint, "\(result)")
        let check = try Program.oap(["verify"], input: document.input).run().expect(status: 3)
        #expect(check.errorText.contains("belongs to the client") == (grant == "client_credentials"), "\(check)")
    }

    @Test("UI-01 without an ID token a warning says that nothing is compared, which --strict makes an error")
    func unchecked() throws {
        let server = try Responder { _ in .json(#"{"sub":"me"}"#) }
        let document = document(server).with(["id_token_claims": .null])
        try run(document).expect(status: 0).expect(
            errorLine: "oap: userinfo: warning: oap cannot compare the sub: the document has no claims of an ID token")
        try run(document, "--strict").expect(status: 10)
    }

    @Test("the endpoint and the keys are found by the issuer, and a signed answer is checked with them")
    func signed() throws {
        let key = try RSAKey()
        let server = try Responder { request in
            let address = "http://" + (request.headers.first("Host") ?? "")
            switch request.target {
            case "/keys": return .json(key.set)
            case "/userinfo":
                let claims: JSONObject = ["iss": .string(address), "aud": "client", "sub": "me"]
                guard let text = try? key.signed(claims) else { return .close }
                return .text(text, headers: ["Content-Type: application/jwt"])
            default:
                return .json(
                    #"{"issuer":"\#(address)","token_endpoint":"\#(address)/token","authorization_endpoint":"#
                        + #""\#(address)/a","userinfo_endpoint":"\#(address)/userinfo","jwks_uri":"\#(address)/keys"}"#)
            }
        }
        let document = server.token.with([
            "issuer": .string(server.url()), "id_token_claims": .object(["sub": "me"]),
            "userinfo_signed_response_alg": "RS512",
        ])
        let claims = try run(document).expect(status: 0).expectSilence().object()
        #expect(claims["sub"] == "me" && claims["iss"] == .string(server.url()))
        try run(document.with(["client_id": "other"])).expect(status: 9)
        try run(document.with(["userinfo_signed_response_alg": "ES256"])).expect(status: 9)
        // The keys get no token.
        #expect(server.requests.filter { $0.target == "/keys" }.allSatisfy { $0.headers.first("Authorization") == nil })
    }

    @Test(
        "an answer that is no object, too large, too deep, or redirected is refused, and shows no token",
        arguments: [
            (Responder.Reply.json("[1]"), 10), (.text("<html>", headers: ["Content-Type: text/html"]), 10),
            (.json(#"{"sub":1}"#), 10), (.json(String(repeating: "[", count: 100_000)), 10),
            (.json(#"{"sub":"\#(String(repeating: "x", count: 2_000_000))"}"#), 10),
            (.redirect(302, to: "https://evil.example/"), 9),
            (.text("a.b.c.d.e", headers: ["Content-Type: application/jwt"]), 9),
            (.text("", status: 503), 6), (.json(#"{"error":"server_error"}"#, status: 500), 6),
        ] as [(Responder.Reply, Int)])
    func lies(reply: Responder.Reply, status: Int) throws {
        let server = try Responder(reply)
        try run(document(server), "-v").expect(status: status).expect(nowhere: "old-access")
    }

    @Test("a stored token that is refused is renewed and sent once more; one of the caller's is not")
    func renewed() throws {
        let kept = try ManagedHome(expiresIn: 3000)
        let api = try Responder { request in
            request.headers.first("Authorization") == "Bearer at-1" ? .json(#"{"sub":"me"}"#) : .text("", status: 401)
        }
        try kept.put(try kept.stored().with(["userinfo_endpoint": .string(api.url("/me"))]))
        try kept.oap(["userinfo", "work", "--jq", ".sub"]).run().expect(status: 0).expect(output: "\"me\"\n")
        #expect(api.requests.count == 2 && kept.endpoint.requests.count == 1)
        let piped = try kept.stored().with(["access_token": "old-access"])
        let result = try run(piped).expect(status: 4)
        #expect(try result.object()["error"] == "invalid_token")
        result.expect(errorLine: "oap: hint: the token may have expired: oap refresh renews it")
    }

    @Test("a stored token that is refused, and that nothing can renew, is exit 8 with the command that logs in")
    func login() throws {
        let kept = try ManagedHome(expiresIn: 3000, refreshable: false)
        let api = try Responder { _ in .text("", status: 401) }
        try kept.put(try kept.stored().with(["userinfo_endpoint": .string(api.url("/me"))]))
        let result = try kept.oap(["userinfo", "work"]).run().expect(status: 8)
        #expect(result.errorText.contains("refuses the access token"), "\(result)")
        #expect(result.errorText.contains("oap login work\n"), "\(result)")
    }

    @Test("a refresh token that is rotated while the endpoint is asked is kept, also where the new token is refused")
    func rotated() throws {
        for (accepted, status) in [("at-1", 0), ("none", 4)] {
            let kept = try ManagedHome(expiresIn: 3000)
            let api = try Responder { request in
                request.headers.first("Authorization") == "Bearer \(accepted)"
                    ? .json(#"{"sub":"me"}"#) : .text("", status: 401)
            }
            try kept.put(try kept.stored().with(["userinfo_endpoint": .string(api.url("/me"))]))
            let result = try kept.oap("userinfo", "work").run().expect(status: status)
            #expect(try kept.stored()["refresh_token"] == "rt-1" && kept.stored()["access_token"] == "at-1")
            #expect(api.requests.map { $0.headers.first("Authorization") } == ["Bearer at-0", "Bearer at-1"])
            #expect(kept.endpoint.requests.count == 1)
            guard status != 0 else { continue }
            result.expect(errorLine: "oap: hint: the renewed token is refused too: oap login work")
        }
    }

    @Test("a renewal whose outcome is not known is the failure, and the stored token stays")
    func notRenewed() throws {
        let kept = try ManagedHome(expiresIn: 3000)
        let api = try Responder { _ in .text("", status: 401) }
        let busy = try Responder { _ in .text("", status: 503, headers: ["Retry-After: 60"]) }
        let stored = try kept.stored().with([
            "userinfo_endpoint": .string(api.url("/me")), "token_endpoint": .string(busy.url("/token")),
        ])
        try kept.put(stored)
        let result = try kept.oap("userinfo", "work").run().expect(status: 12)
        #expect(result.errorText.contains("answered 503"), "\(result)")
        #expect(try kept.stored()["refresh_token"] == "rt-0" && api.requests.count == 1)
    }
}
