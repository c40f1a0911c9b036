import TestSupport
import Testing
import Wire

@testable import CommandSupport

@Suite("exchange with a device code")
struct DeviceExchangeTests {
    @Test("the document says which grant it is for, unless it holds two codes or --grant says it")
    func grant() throws {
        let both: JSONObject = ["code": "the-code", "redirect_uri": "http://127.0.0.1:1/cb"]
        let server = try PolledServer(.token, .token, .token)
        let unclear = try server.run(both).expect(status: 3)
        #expect(unclear.errorText.contains("both code and device_code"))
        #expect(server.gaps.isEmpty)
        for name in ["device_code", "urn:ietf:params:oauth:grant-type:device_code", "authorization_code"] {
            try server.run(both, ["--grant", name]).expect(status: 0)
        }
        #expect(
            server.responder.requests.map { $0.bodyText.contains("device_code=the-device-code") } == [
                true, true, false,
            ])
        try server.run(["device_code": .null], ["--grant", "device_code"]).expect(status: 3)
            .expect(errorLine: "oap: hint: pass the flow document that oap device printed")
        try server.run([:], ["--param", "device_code=x"]).expect(status: 2)
        try server.run(["expires_at": .null]).expect(status: 3)
        #expect(server.gaps.count == 3)
    }

    @Test("K-13 an ID token that comes is checked, and one that does not is a warning")
    func idToken() throws {
        let client: JSONObject = [
            "scope": "openid", "issuer": "https://as.example", "client_secret": .string(SignedToken.secret),
            "id_token_signed_response_alg": "HS256", "token_endpoint_auth_method": "client_secret_post",
        ]
        func answer(_ claims: JSONObject) throws -> Responder.Reply {
            .json(
                #"{"access_token":"new-access","token_type":"Bearer","id_token":"\#(try SignedToken.signed(claims))"}"#)
        }
        let claims = SignedToken.claims.with(["nonce": .null]).members.filter { !$0.value.isNull }
        let good = claims.reduce(into: JSONObject()) { $0[$1.name] = $1.value }
        let accepted = try PolledServer(answer(good)).run(client).expect(status: 0).expectSilence().object()
        #expect(accepted["id_token_claims"]?.object?["sub"] == "me")
        try PolledServer(answer(good.with(["aud": "other"]))).run(client).expect(status: 9).expect(
            nowhere: "new-access")
        let missing = try PolledServer(.token).run(client).expect(status: 0)
        missing.expect(errorLine: "oap: exchange: warning: the server sent no id_token, though openid was asked for")
        try PolledServer(.token).run(client, ["--strict"]).expect(status: 10)
    }

    @Test("X-05 what an ID token is checked with is fetched before anybody waits")
    func keysFirst() throws {
        let server = try PolledServer(.text("", status: 500))
        try server.run([
            "scope": "openid", "issuer": "https://as.example", "jwks_uri": .string(server.responder.url("/keys")),
        ]).expect(status: 6)
        #expect(Set(server.responder.requests.map(\.target)) == ["/keys"])
        try server.run(["scope": "openid"]).expect(status: 3)
    }

    @Test("a person logs in, in one pipe, and the code is told before the waiting begins")
    func pipe() throws {
        let gate = Responder.Gate()
        let responder = try Responder { request in
            guard request.target == "/device" else { return .token.after(gate) }
            return .json(
                #"{"device_code":"d","user_code":"WDJB","verification_uri":"https://as.example/d","expires_in":60,"interval":1}"#
            )
        }
        let folder = try TemporaryDirectory()
        let file = try folder.write(JSON.object(responder.device).text, to: "client.json")
        let running = try Program.shell(
            "set -o pipefail; oap device | oap exchange --jq .access_token -r", input: .file(file)
        ).start()
        #expect(try running.errorLine { $0 == "WDJB" } == "WDJB")
        gate.open()
        try running.finish().expect(status: 0).expect(output: "new-access\n")
    }
}
