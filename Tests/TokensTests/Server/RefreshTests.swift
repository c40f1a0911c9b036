import Glibc
import PlaySupport
import TestSupport
import Testing
import Wire

@testable import CommandSupport

@Suite("refresh", .inProcessWithoutPauses)
struct RefreshTests {
    @Test("a refresh token that is refused without a word is no lost login, and the hint says what may be wrong")
    func wordless() throws {
        let server = try Responder { _ in .text("", status: 400) }
        let result = try Program.oap(["refresh"], input: server.token.input).run().expect(status: 10)
        result.expect(errorLine: "oap: hint: the server may not know the refresh token any more: log in again")
    }

    @Test(
        "oap refresh keeps refresh token and scope when the server sends none",
        arguments: [["refresh"], ["exchange", "--grant", "refresh_token"]])
    func keeps(command: [String]) throws {
        let responder = try Responder(.token)
        let document = responder.token.with(["scope": "a b", "expires_in": 1, "expires_at": 2, "own": 1])
        let result = try Program.oap(command, input: document.input).run().expect(status: 0).object()
        #expect(result["refresh_token"] == "old-refresh" && result["scope"] == "a b" && result["own"] == 1)
        #expect(result["access_token"] == "new-access")
        #expect(result["expires_in"] == nil && result["expires_at"] == nil)
    }

    /// A token endpoint that conforms to RFC 6749 section 6: it grants the scope that is named, or all of it.
    private func server(saysScope: Bool = true) throws -> Responder {
        try Responder { request in
            let form = (try? FormEncoding.parse(request.bodyText)) ?? []
            let scope = form.first { $0.name == "scope" }?.value ?? "openid profile email"
            let said = saysScope ? #","scope":"\#(scope)""# : ""
            return .json(#"{"access_token":"new-access","token_type":"Bearer"\#(said)}"#)
        }
    }

    @Test(
        "R-01 oap refresh --scope narrows a token that can be widened again within the grant, in a document and in the store",
        arguments: [true, false])
    func widened(saysScope: Bool) throws {
        let server = try server(saysScope: saysScope)
        let home = try TemporaryDirectory()
        let token = server.token.with(["scope": "openid profile email"])
        let steps: [(options: [String], scope: String, granted: JSON?)] = [
            (["--scope", "openid"], "openid", "openid profile email"),
            (["--scope", "profile"], "profile", "openid profile email"),
            (["--strict"], "openid profile email", nil),
            (["--scope", "email"], "email", "openid profile email"),
            (["--scope", "email profile openid"], "email profile openid", nil),
        ]
        var document = token
        try Program.oap(["store", "put", "work"], input: token.input, environment: ["HOME": home.path]).run()
            .expect(status: 0)
        for step in steps {
            document = try Program.oap(["refresh"] + step.options, input: document.input).run().expect(status: 0)
                .expectSilence().object()
            #expect(document["scope"] == .string(step.scope) && document["granted_scope"] == step.granted, "\(step)")
            try Program.oap(["refresh", "-p", "work"] + step.options, environment: ["HOME": home.path]).run()
                .expect(status: 0).expectSilence()
            let stored = try Program.oap(["store", "get", "work"], environment: ["HOME": home.path]).run().object()
            #expect(stored["scope"] == .string(step.scope) && stored["granted_scope"] == step.granted, "\(step)")
        }
    }

    @Test("R-01 a scope that the user did not grant is refused after a narrower one as before it")
    func beyond() throws {
        let server = try server()
        let token = server.token.with(["scope": "openid", "granted_scope": "openid profile"])
        let result = try Program.oap(["refresh", "--scope", "admin"], input: token.input).run().expect(status: 2)
        #expect(result.errorText.contains("scope admin was not granted"))
        #expect(server.connectionCount == 0)
    }

    @Test("R-01 a server that keeps a token narrow is no deviation, one that grants less than before is")
    func narrowForGood() throws {
        let answer = Responder.Reply.json(#"{"access_token":"a","token_type":"Bearer","scope":"a"}"#)
        let server = try Responder(answer, answer, answer)
        let narrowed = server.token.with(["scope": "a", "granted_scope": "a b c"])
        let kept = try Program.oap(["refresh", "--strict"], input: narrowed.input).run().expect(status: 0).object()
        #expect(kept["scope"] == "a" && kept["granted_scope"] == "a b c")
        let less = server.token.with(["scope": "a b", "granted_scope": "a b c"])
        try Program.oap(["refresh"], input: less.input).run().expect(status: 0)
            .expect(errorLine: "oap: refresh: warning: the server did not grant the scope b")
        let plain = try Program.oap(["refresh"], input: server.token.with(["scope": "a b"]).input).run()
        #expect(try plain.expect(status: 0).object()["granted_scope"] == nil)
    }

    @Test("R-01 a token whose scope nobody named takes any scope, time and again")
    func unknownGrant() throws {
        let server = try server()
        var document = server.token
        for scope in ["profile", "email"] {
            document = try Program.oap(["refresh", "--scope", scope], input: document.input).run().expect(status: 0)
                .expectSilence().object()
            #expect(document["scope"] == .string(scope) && document["granted_scope"] == "")
        }
        document = try Program.oap(["refresh"], input: document.input).run().expect(status: 0).expectSilence().object()
        #expect(document["scope"] == "openid profile email" && document["granted_scope"] == nil)
    }

    @Test("oap exchange drops the scope that was granted to an earlier token")
    func newGrant() throws {
        let server = try Responder(.token)
        let flow = server.flow.with(["scope": "a", "granted_scope": "a b"])
        #expect(
            try Program.oap(["exchange"], input: flow.input).run().expect(status: 0).object()["granted_scope"] == nil)
    }

    @Test("oap refresh takes the new refresh token, in the place of one in a file too")
    func rotates() throws {
        let folder = try TemporaryDirectory()
        let file = try folder.write("old-refresh", to: "token")
        let answer = Responder.Reply.json(#"{"access_token":"a","token_type":"Bearer","refresh_token":"new-refresh"}"#)
        let responder = try Responder(answer, answer, answer)
        var document = responder.token
        #expect(try Program.oap(["refresh"], input: document.input).run().object()["refresh_token"] == "new-refresh")
        document["refresh_token"] = nil
        document["refresh_token_file"] = .string(file)
        for command in ["refresh", "exchange"] {
            let input = document.with(["code": "c"]).input
            let result = try Program.oap([command], input: input).run().expect(status: 0).object()
            #expect(result["refresh_token"] == "new-refresh" && result["refresh_token_file"] == nil)
        }
    }

    @Test(
        "oap refresh --if-expired passes a token on while more than --min-ttl seconds are left",
        arguments: [
            (1000, nil, nil, false), (30, nil, nil, true), (30, 3600, nil, true), (50, 300, nil, false),
            (20, 300, nil, true), (1000, 3600, "2000", true), (30, 300, "10", false), (-5, 3600, "0", true),
            (nil, nil, nil, false),
        ] as [(Int?, Int?, String?, Bool)])
    func ifExpired(left: Int?, lifetime: Int?, minimum: String?, isDue: Bool) throws {
        let responder = try Responder(.token)
        var document = responder.token
        document["expires_at"] = left.map { .integer(Int(time(nil)) + $0) }
        document["expires_in"] = lifetime.map { .integer($0) }
        let options = minimum.map { ["--min-ttl", $0] } ?? []
        let result = try Program.oap(["refresh", "--if-expired"] + options, input: document.input).run()
        result.expect(status: 0).expectSilence()
        #expect(responder.requests.count == (isDue ? 1 : 0), "\(result)")
        if !isDue { #expect(try result.object() == document) }
    }

    @Test(
        "oap refresh does not take an ID token that nobody signed for one that was checked, whatever scope it asks for",
        arguments: [["--scope", "email"], ["--scope", "openid"], []])
    func uncheckedIDToken(options: [String]) throws {
        let claims = SignedToken.claims
        let unsigned = [#"{"alg":"none"}"#, JSON.object(claims.with(["sub": "somebody-else"])).text]
            .map { Base64.encodeURL(Array($0.utf8)) }.joined(separator: ".")
        let forged = #"{"access_token":"new-access","token_type":"Bearer","id_token":"\#(unsigned)."}"#
        let good =
            #"{"access_token":"new-access","token_type":"Bearer","id_token":"\#(try SignedToken.signed(claims))"}"#
        let responder = try Responder(.json(forged), .json(forged), .json(good), .token)
        let document = responder.token.with([
            "scope": "openid email", "issuer": "https://as.example", "id_token_signed_response_alg": "HS256",
            "client_secret": .string(SignedToken.secret), "id_token": "the-first",
            "id_token_claims": .object(claims.with(["iat": 1])),
        ])
        let command = ["refresh"] + options
        for document in [document, document.with(["id_token": .null])] {
            try Program.oap(command, input: document.input).run().expect(status: 9).expect(nowhere: "new-access")
        }
        let renewed = try Program.oap(command, input: document.input).run().expect(status: 0).object()
        #expect(renewed["id_token_claims"]?.object?["iat"] == claims["iat"] && renewed["id_token"] != "the-first")
        let kept = try Program.oap(command, input: document.input).run().expect(status: 0).object()
        #expect(kept["id_token"] == "the-first" && kept["id_token_claims"]?.object?["iat"] == 1)
    }

    @Test("oap refresh without a refresh token is exit 8, without any token exit 3, and nothing is sent")
    func noRefreshToken() throws {
        let responder = try Responder(.token)
        let token = responder.client.with(["access_token": "at"])
        let result = try Program.oap(["refresh"], input: token.input).run().expect(status: 8)
        #expect(try result.object()["error"] == "nothing_to_renew_with")
        let client = try Program.oap(["refresh"], input: responder.client.input).run().expect(status: 3)
        client.expect(errorLine: "oap: hint: pass the token document that oap exchange printed")
        let alone = try Program.oap(["refresh", "-n"] + ["--client-id", "c", "--token-endpoint", responder.url("/t")])
            .run().expect(status: 8)
        alone.expect(errorLine: "oap: hint: without a document, OAP_REFRESH_TOKEN has the token")
        #expect(responder.connectionCount == 0)
    }
}
