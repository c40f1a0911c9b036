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

    @Test("the hint of a document gives way to another one; that of an option does not, and two are refused")
    func twoHints() throws {
        let other = [(name: "login_hint_token", value: "JWT")]
        let own: JSONObject = ["backchannel_authentication_params": .object(["login_hint_token": "JWT"])]
        for (origin, members, extra, isTaken) in [
            (.document, [:], other, true), (.document, own, [], true), (.option, [:], other, false),
            (.option, own, [], false), (.environment, [:], other, false), (.option, [:], [], true),
        ] as [(Document.Origin, JSONObject, [(name: String, value: String)], Bool)] {
            var document = Document(Self.client.with(members))
            document.set("login_hint", to: "alice", from: origin)
            guard isTaken else {
                let error = #expect(throws: OAuthError.self, "\(origin) \(members)") {
                    try BackchannelAuthenticationRequest(of: document, extra: extra)
                }
                #expect(error?.kind == .usage)
                #expect(error?.member == "login_hint")
                continue
            }
            let request = try BackchannelAuthenticationRequest(of: document, extra: extra)
            #expect(request.parameters.pairs.count { $0.name.contains("hint") } == 1)
        }
    }

    @Test("nobody is asked for what cannot be had: a token without its certificate, an ID token that is not read")
    func obstacles() throws {
        let hint: JSONObject = ["login_hint": "alice"]
        var document = Document(Self.client.with(hint).with(["tls_client_certificate_bound_access_tokens": true]))
        let unbound = #expect(throws: OAuthError.self) { try BackchannelAuthenticationRequest(of: document) }
        #expect(unbound?.member == "tls_client_certificate_file")
        document.hasCertificate = true
        _ = try BackchannelAuthenticationRequest(of: document)
        let member = "id_token_encrypted_response_alg"
        let unread = #expect(throws: OAuthError.self) { try parameters(hint.with([member: "RSA1_5"])) }
        #expect(unread?.member == member)
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
        let slow = try read(#"{"auth_req_id":"R","expires_in":120,"interval":7}"#).flow(of: Self.client, start: 1000)
        #expect(slow["interval"] == 7)
        for body in [#"{"expires_in":120}"#, #"{"auth_req_id":"","expires_in":120}"#, #"{"auth_req_id":"R"}"#, "[]"] {
            #expect(throws: OAuthError.self) { try read(body) }
        }
    }
}
