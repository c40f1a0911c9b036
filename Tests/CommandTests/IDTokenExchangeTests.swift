import TestSupport
import Testing
import Wire

@Suite("ID tokens in exchange and refresh")
struct IDTokenExchangeTests {
    private func claims(_ more: JSONObject = [:]) -> JSONObject { SignedToken.claims.with(more) }

    private func answer(_ claims: JSONObject) throws -> Responder.Reply {
        .json(#"{"access_token":"new-access","token_type":"Bearer","id_token":"\#(try SignedToken.signed(claims))"}"#)
    }

    private static let client: JSONObject = [
        "scope": "openid", "issuer": "https://as.example", "nonce": "the-nonce",
        "id_token_signed_response_alg": "HS256",
        "client_secret": .string(SignedToken.secret),
    ]

    @Test("X-05 ID tokens that pass every check have their claims in the document")
    func accepted() throws {
        let responder = try Responder(try answer(claims()), try answer(claims()))
        let token = try Program.oap(["exchange"], input: responder.flow.with(Self.client).input).run()
            .expect(status: 0).expectSilence().object()
        #expect(token["id_token_claims"]?.object?["sub"] == "me" && token["nonce"] == nil)
        let renewed = try Program.oap(["refresh"], input: token.with(["refresh_token": "r"]).input).run()
        #expect(try renewed.expect(status: 0).object()["id_token_claims"]?.object?["sub"] == "me")
    }

    @Test(
        "X-05, V-05 ID tokens that fail a check are exit 9, and no token is shown",
        arguments: [["nonce": "other"], ["iss": "https://evil.example"], ["aud": "other"], ["exp": 1]] as [JSONObject])
    func refused(wrong: JSONObject) throws {
        let responder = try Responder(try answer(claims(wrong)))
        let result = try Program.oap(["exchange"], input: responder.flow.with(Self.client).input).run().expect(
            status: 9)
        result.expect(nowhere: "new-access")
        #expect(try result.object()["error"]?.string?.hasPrefix("id_token_") == true, "\(result)")
    }

    @Test("R-04 ID tokens of another person are refused at a refresh")
    func otherSubject() throws {
        let responder = try Responder(try answer(claims(["sub": "somebody else"])))
        let document = responder.token.with(Self.client).with(["id_token": "x", "id_token_claims": .object(claims())])
        try Program.oap(["refresh"], input: document.input).run().expect(status: 9).expect(nowhere: "new-access")
    }

    @Test("X-05 ID tokens whose keys cannot be fetched cost no code")
    func keysFirst() throws {
        for reply in [Responder.Reply.text("", status: 500), .json("{}"), .redirect(302, to: "/k"), .close] {
            let responder = try Responder { request in request.target == "/keys" ? reply : .token }
            let document = responder.flow.with([
                "scope": "openid", "issuer": "https://as.example", "jwks_uri": .string(responder.url("/keys")),
            ])
            let result = try Program.oap(["exchange"], input: document.input).run()
            #expect(result.ending != .status(0) && result.ending != .status(12), "\(result)")
            #expect(responder.requests.map(\.target) == ["/keys"])
        }
    }
}
