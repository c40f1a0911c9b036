import TestSupport
import Testing
import Wire

extension AgainstServers {
    /// `oap ciba` at glewlwyd, whose user decides over its API.
    @Suite("With a server that others wrote, a login without a page")
    struct BackchannelTests {
        private func begin(_ login: Login) throws -> JSONObject {
            let hint = #"login_hint={"username":"alice"}"#
            let client = try login.client("cli-rsa", scope: "openid")
            let flow = try login.oap(["ciba", "--param", hint, "--binding-message", "W4SCT"], client)
            return try flow.expect(status: 0).object().with("interval", 1)
        }

        @Test("the user allows it, and the token serves; the identifier serves once")
        func allowed() throws {
            let login = Login(peer: try Peer.shared(.glewlwyd, settings: ["CIBA": "allow"]))
            let flow = try begin(login)
            #expect(try login.peer.authorize("ciba:openid").contains("ciba_binding_message=W4SCT"))
            let result = try login.oap(["exchange", "--strict"], flow).expect(status: 0)
            let token = try result.object()
            #expect(token["id_token_claims"] != nil)
            let userinfo = try #require(token["userinfo_endpoint"]?.string)
            try login.oap(["call", userinfo], token).expect(status: 0)
            try login.oap(["refresh"], token).expect(status: 0)
            try login.oap(["exchange"], flow).expect(status: 4)
        }

        @Test("the user refuses it")
        func denied() throws {
            let login = Login(peer: try Peer.shared(.glewlwyd, settings: ["CIBA": "deny"]))
            let flow = try begin(login)
            _ = try login.peer.authorize("ciba:openid", denies: true)
            let refused = try login.oap(["exchange"], flow).expect(status: 4)
            #expect(refused.errorText.contains("access_denied"), "\(refused)")
        }
    }
}
