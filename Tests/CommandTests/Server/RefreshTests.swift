import Glibc
import TestSupport
import Testing
import Wire

@Suite("refresh")
struct RefreshTests {
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

    @Test("oap refresh without a refresh token is exit 8, and nothing is sent")
    func noRefreshToken() throws {
        let responder = try Responder(.token)
        let result = try Program.oap(["refresh"], input: responder.client.input).run().expect(status: 8)
        #expect(try result.object()["error"] == "reauth_required")
        #expect(responder.connectionCount == 0)
    }

    @Test("oap refresh gives a document that works alone: it refreshes and calls again")
    func chain() throws {
        let answer = Responder.Reply.json(#"{"access_token":"a","token_type":"Bearer","refresh_token":"r"}"#)
        let responder = try Responder(answer, .token, .text("hello"))
        let document = responder.flow.with(["api_base": .string(responder.url())])
        try Program.shell("oap exchange | oap refresh | oap call /x", input: document.input).run()
            .expect(status: 0).expect(output: "hello")
        #expect(responder.requests.last?.headers.first("Authorization") == "Bearer new-access")
    }
}
