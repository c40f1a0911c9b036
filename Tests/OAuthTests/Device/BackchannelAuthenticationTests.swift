import TestSupport
import Testing
import Wire

@testable import OAuth

@Suite("Backchannel authentication")
struct BackchannelAuthenticationTests {
    private static let client: JSONObject = [
        "backchannel_authentication_endpoint": "https://as.example/ciba", "client_id": "c", "scope": "openid a",
    ]

    private func parameters(_ more: JSONObject, extra: [(name: String, value: String)] = []) throws -> [[String]] {
        try BackchannelAuthenticationRequest(of: Document(Self.client.with(more)), extra: extra).parameters.pairs.map {
            [$0.name, $0.value]
        }
    }

    @Test("CIBA Core 7.1: the request has the scope, the hint and what both sides show")
    func request() throws {
        let members: JSONObject = [
            "login_hint": "alice", "binding_message": "W4SCT", "requested_expiry": 60, "acr_values": "high",
            "authorization_details": .array([.object(["type": "payment"])]), "id_token": "not a hint beside another",
            "backchannel_authentication_params": .object(["user_code": "4711"]),
        ]
        #expect(
            try parameters(members) == [
                ["scope", "openid a"], ["authorization_details", #"[{"type":"payment"}]"#], ["acr_values", "high"],
                ["binding_message", "W4SCT"], ["login_hint", "alice"], ["requested_expiry", "60"],
                ["user_code", "4711"],
            ])
        let request = try BackchannelAuthenticationRequest(
            of: Document(Self.client.with(["login_hint": "alice", "scope": "a"])))
        #expect(request.warnings == [.other("CIBA wants the scope openid")])
    }

    @Test("exactly one hint says who is asked: that of the caller, that of the document, or its ID token")
    func hints() throws {
        let one = { (rows: [[String]]) in rows.filter { $0[0].contains("hint") } }
        #expect(one(try parameters(["id_token": "ID"])) == [["id_token_hint", "ID"]])
        let given = try parameters(["login_hint": "alice"], extra: [("login_hint_token", "JWT")])
        #expect(one(given) == [["login_hint_token", "JWT"]])
        let none = #expect(throws: OAuthError.self) { try parameters([:]) }
        #expect(none?.kind == .metadataMissing && none?.member == "login_hint")
        let two = #expect(throws: OAuthError.self) {
            try parameters([:], extra: [("login_hint", "a"), ("id_token_hint", "b")])
        }
        #expect(two?.kind == .usage)
    }

    private func read(_ body: String) throws -> BackchannelAuthenticationResponse {
        let head = HTTPResponseHead(status: 200, headers: [HTTPField("Content-Type", "application/json")])
        return try BackchannelAuthenticationResponse(EndpointResponse(head: head, body: Array(body.utf8)))
    }

    @Test("the answer makes a flow, which keeps nothing of an earlier token")
    func response() throws {
        let document = Self.client.with(["access_token": "old", "code": "old", "device_code": "old"])
        let flow = try read(#"{"auth_req_id":"R","expires_in":120,"hint_shown":true,"access_token":"x"}"#)
            .flow(of: document, start: 1000)
        #expect(
            JSON.object(flow)
                == .object(
                    Self.client.with(["hint_shown": true, "auth_req_id": "R", "interval": 5, "expires_at": 1120])))
        for body in [#"{"expires_in":120}"#, #"{"auth_req_id":"","expires_in":120}"#, #"{"auth_req_id":"R"}"#, "[]"] {
            #expect(throws: OAuthError.self) { try read(body) }
        }
    }
}
