import Foundation
import PlaySupport
import Synchronization
import TestSupport
import Testing
import Wire

@testable import CommandSupport

@Suite("The request for a token that is bound to a key", .inProcessWithoutPauses)
struct BoundGrantTests {
    private let managed: ManagedHome

    init() throws { managed = try ManagedHome.bound() }

    private func proofs(_ server: Responder) -> [Proof] { server.requests.compactMap(Proof.init) }

    @Test(
        "DP-07, R-11, DPoP case 6: a refresh has a proof at once, with the kept nonce; a wanted one is sent once more"
    )
    func refresh() throws {
        #expect(
            try VectorGroup("dpop_claims").case(named: "retry-as")["expect"]?.string?.hasPrefix("retry once") == true)
        #expect(try VectorGroup("rfc_responses").case(named: "rfc9449-fig20")["expect"] == "retry-once-with-nonce")
        let wanted = Mutex("n1")
        let server = try Responder { request in
            let nonce = wanted.withLock(\.self)
            guard Proof(request)?.nonce == nonce else {
                return .json(#"{"error":"use_dpop_nonce"}"#, status: 400, headers: ["DPoP-Nonce: \(nonce)"])
            }
            let tokens = #"{"access_token":"at-2","token_type":"DPoP","expires_in":3600,"refresh_token":"rt-2"}"#
            return .json(tokens, headers: ["DPoP-Nonce: \(nonce)"])
        }
        try managed.put(
            managed.stored().with([
                "token_endpoint": .string(server.url("/token")), "refresh_token": "rt",
                "token_endpoint_auth_method": "none",
            ]))
        try managed.oap("refresh", "-p", "work").run().expect(status: 0).expectSilence()
        #expect(proofs(server).map(\.nonce) == [nil, "n1"] && server.requests.count == 2)
        #expect(proofs(server).allSatisfy { $0.claims["ath"] == nil && $0.claims["htm"] == "POST" })
        try managed.oap("refresh", "-p", "work").run().expect(status: 0)
        #expect(proofs(server).map(\.nonce) == [nil, "n1", "n1"])
        let keys = Set(proofs(server).compactMap { $0.header["jwk"]?.object?["x"]?.string })
        #expect(keys.count == 1)
        wanted.withLock { $0 = "n2" }
        try managed.oap("refresh", "-p", "work").run().expect(status: 0)
        #expect(proofs(server).map(\.nonce) == [nil, "n1", "n1", "n1", "n2"])
    }

    @Test("DPoP case 4: a server that wants another nonce each time is asked twice (retry-as-twice)")
    func restless() throws {
        for vector in try VectorGroup("dpop_claims").cases(only: ["retry-as-twice", "retry-as-no-nonce"]) {
            #expect(
                vector["expect"]?.string?.hasSuffix("oauth error use_dpop_nonce") == true
                    || vector["expect"]?.string?.hasSuffix("oauth error") == true)
        }
        let count = Mutex(0)
        let server = try Responder { _ in
            let number = count.withLock { count in
                count += 1
                return count
            }
            return .json(#"{"error":"use_dpop_nonce"}"#, status: 400, headers: ["DPoP-Nonce: n\(number)"])
        }
        let document = server.client.with(["code": "c", "dpop_bound_access_tokens": true, "issuer": .null])
        let result = try Program.oap(["exchange"], input: document.input).run()
        #expect(result.errorText.contains("use_dpop_nonce") && server.requests.count == 2, "\(result)")
        #expect(result.errorText.contains("wants another one each time"), "\(result)")
        let without = try Responder { _ in .json(#"{"error":"use_dpop_nonce"}"#, status: 400) }
        _ = try Program.oap(
            ["exchange"], input: document.with(["token_endpoint": .string(without.url("/t"))]).input
        ).run()
        #expect(without.requests.count == 1)
    }

    @Test("DPoP case 14: a bearer token in the place of a bound one is exit 9, and so is one that nobody asked for")
    func downgrade() throws {
        func exchange(_ type: String, _ more: JSONObject) throws -> ProgramResult {
            let server = try Responder { _ in .json(#"{"access_token":"at","token_type":"\#(type)"}"#) }
            return try Program.oap(["exchange"], input: server.client.with(["code": "c"]).with(more).input).run()
        }
        let asked: JSONObject = ["dpop_bound_access_tokens": true]
        let lower = try exchange("Bearer", asked).expect(status: 9).object()
        #expect(lower["error"] == "dpop_downgrade")
        #expect(try exchange("DPoP", [:]).expect(status: 9).object()["error"] == "token_type_unsupported")
        for type in ["DPoP", "dpop", "DPOP"] {
            let token = try exchange(type, asked).expect(status: 0).object()
            #expect(token["token_type"] == "DPoP" && token["dpop_key"]?.string?.isEmpty == false)
        }
    }

    @Test(
        "live tokens of a refused answer are revoked, and that is said; the refresh token of a renewal is kept",
        arguments: [
            (#""token_type":"Bearer""#, true, "if a bearer token will do"), (#""token_type":"mac""#, false, ""),
            (#""token_type":"BearerToken""#, false, #""bearer_token_types": "BearerToken""#),
            (#""token_type":5"#, false, ""),
        ])
    func revoked(type: String, isBound: Bool, hint: String) throws {
        let server = try Responder { request in
            request.target == "/revoke" ? .text("") : .json(#"{"access_token":"at-1","refresh_token":"rt-1",\#(type)}"#)
        }
        func sent() -> [String] {
            server.requests.filter { $0.target == "/revoke" }.map { String($0.bodyText.prefix { $0 != "&" }) }
        }
        let client = server.client.with([
            "revocation_endpoint": .string(server.url("/revoke")), "dpop_bound_access_tokens": .bool(isBound),
            "token_endpoint_auth_method": "none",
        ])
        let status = type.hasSuffix("5") ? 10 : 9
        for words in [["exchange"], ["exchange", "--grant", "client_credentials"]] {
            let result = try Program.oap(words, input: client.with(["code": "c"]).input).run().expect(status: status)
            result.expect(errorLine: "oap: exchange: the new tokens were revoked at the server")
            #expect(result.errorText.contains(hint), "\(result)")
        }
        #expect(sent() == ["token=rt-1", "token=at-1", "token=rt-1", "token=at-1"])
        var kept = try managed.stored().with(client.members.reduce(into: [:]) { $0[$1.name] = $1.value })
        kept["refresh_token"] = "rt-0"
        if !isBound {
            kept.remove(["dpop_bound_access_tokens", "dpop_key", "dpop_key_file", "dpop_jkt", "token_type"])
        }
        try managed.put(kept)
        let result = try managed.oap("refresh", "-p", "work").run().expect(status: status)
        result.expect(errorLine: "oap: refresh: the new access token was revoked at the server")
        #expect(sent().dropFirst(4) == ["token=at-1"])
        #expect(try managed.stored()["refresh_token"] == "rt-1")
    }

    @Test("DPoP case 15: a refused proof says by how much the clocks differ, and is not sent again")
    func clock() throws {
        let server = try Responder { _ in
            .json(
                #"{"error":"invalid_dpop_proof"}"#, status: 400, headers: ["Date: Fri, 27 Nov 2020 10:00:00 GMT"])
        }
        let document = server.client.with(["code": "c", "dpop_bound_access_tokens": true])
        let result = try Program.oap(["exchange"], input: document.input).run().expect(status: 4)
        #expect(result.errorText.contains("s ahead of the server's"), "\(result)")
        #expect(server.requests.count == 1)
    }

    @Test("a poll that is sent again for a nonce does not count as one (device_poll/dpop-nonce-in-poll)")
    func device() throws {
        let vector = try VectorGroup("device_poll").case(named: "dpop-nonce-in-poll")
        let names = vector["responses"]?.strings ?? []
        let replies = Mutex(names[...])
        let server = try Responder { _ in
            switch replies.withLock({ $0.popFirst() }) {
            case "use_dpop_nonce":
                return .json(#"{"error":"use_dpop_nonce"}"#, status: 400, headers: ["DPoP-Nonce: n1"])
            case "ok": return .json(#"{"access_token":"at","token_type":"DPoP"}"#)
            case let name: return .json(#"{"error":"\#(name ?? "")"}"#, status: 400)
            }
        }
        let flow = server.client.with([
            "device_code": "d", "interval": 1, "expires_at": .integer(Int(Date().timeIntervalSince1970) + 900),
            "dpop_bound_access_tokens": true,
        ])
        let result = try Program.oap(["exchange"], input: flow.input).run().expect(status: 0)
        #expect(try result.object()["token_type"] == "DPoP" && server.requests.count == names.count)
        #expect(proofs(server).map(\.nonce) == [nil, "n1", "n1"])
    }

    @Test(
        "A-17, DPoP case 11: the login announces the key that proves later, a new one for each token, or that of a file"
    )
    func announced() throws {
        let client: JSONObject = [
            "client_id": "c", "authorization_endpoint": "https://as.example/a", "dpop_bound_access_tokens": true,
            "token_endpoint": "https://as.example/t",
        ]
        func thumbprint(_ more: [String] = []) throws -> (announced: String?, own: String) {
            let flow = try Program.oap(["authurl"] + more, input: client.input).run().expect(status: 0).object()
            let url = try #require(URLComponents(string: flow["authorization_url"]?.string ?? ""))
            let key =
                try flow["dpop_key"]?.string
                ?? String(decoding: Data(contentsOf: URL(filePath: more[1])), as: UTF8.self)
            let own = try Program.oap(["jwk", "thumbprint"], input: .text(key)).run().expect(status: 0).text
            return (url.queryItems?.first { $0.name == "dpop_jkt" }?.value, own.trimmingCharacters(in: .newlines))
        }
        let made = try [thumbprint(), thumbprint()]
        #expect(made.allSatisfy { $0.announced == $0.own } && made[0].own != made[1].own)
        let folder = try TemporaryDirectory()
        let file = folder.path("key")
        try Program.oap(["jwk", "new", "-o", file]).run().expect(status: 0)
        let given = try [thumbprint(["--dpop-key-file", file]), thumbprint(["--dpop-key-file", file])]
        #expect(given.allSatisfy { $0.announced == $0.own } && given[0].own == given[1].own)
    }

    @Test("DPoP case 9: a retry has the nonce of the answer before it, and iat is taken after the wait (section 8.2)")
    func busy() throws {
        let replies = Mutex(
            [
                Responder.Reply.json(#"{"error":"use_dpop_nonce"}"#, status: 400, headers: ["DPoP-Nonce: n1"]),
                .text("", status: 503, headers: ["Retry-After: 2", "DPoP-Nonce: n2"]),
            ][...])
        let answered = Mutex(0)
        let server = try Responder { _ in
            answered.withLock { if replies.withLock(\.count) == 1 { $0 = Int(Date().timeIntervalSince1970) } }
            return replies.withLock { $0.popFirst() } ?? .json(#"{"access_token":"at","token_type":"DPoP"}"#)
        }
        let document = server.client.with(["dpop_bound_access_tokens": true, "client_secret": "s"])
        try Program.oap(["exchange", "--grant", "client_credentials"], input: document.input).run().expect(status: 0)
        #expect(proofs(server).map(\.nonce) == [nil, "n1", "n2"])
        #expect(proofs(server).last?.claims["iat"]?.integer ?? 0 >= answered.withLock(\.self) + 2)
    }

    @Test("a nonce that ends during the wait before a retry is no failure, and the attempts are counted")
    func endedMeanwhile() throws {
        func grant(_ replies: [Int]) throws -> (Responder, ProgramResult) {
            let replies = Mutex(replies[...])
            let count = Mutex(0)
            let server = try Responder { _ in
                let nonce = "n\(count.withLock { $0 += 1; return $0 })"
                switch replies.withLock({ $0.popFirst() }) {
                case 503: return .text("", status: 503, headers: ["Retry-After: 0"])
                case 400:
                    return .json(#"{"error":"use_dpop_nonce"}"#, status: 400, headers: ["DPoP-Nonce: \(nonce)"])
                default: return .json(#"{"access_token":"at","token_type":"DPoP"}"#)
                }
            }
            let document = server.client.with(["dpop_bound_access_tokens": true, "client_secret": "s"])
            let grant = ["exchange", "--grant", "client_credentials"]
            return (server, try Program.oap(grant, input: document.input).run())
        }
        let (server, result) = try grant([400, 503, 400])
        result.expect(status: 0)
        #expect(proofs(server).map(\.nonce) == [nil, "n1", "n1", "n3"])
        let (restless, refused) = try grant(Array(repeating: [400, 503], count: 20).flatMap(\.self))
        refused.expect(status: 4)
        #expect(restless.requests.count == 5)
    }

    @Test(
        "DPoP case 2: the nonce of a refresh that is refused twice is kept, and so is that of another token's request")
    func keptAfterRefusal() throws {
        let replies = Mutex(["400 n1", "400 n2", "200 n3", "200 n4"][...])
        let server = try Responder { _ in
            let reply = replies.withLock { $0.popFirst() } ?? "200 n9"
            return .json(
                reply.hasPrefix("400")
                    ? #"{"error":"use_dpop_nonce"}"#
                    : #"{"access_token":"at","token_type":"DPoP","expires_in":3600,"scope":"b"}"#,
                status: Int(reply.prefix(3)) ?? 0, headers: ["DPoP-Nonce: \(reply.suffix(2))"])
        }
        try managed.put(
            managed.stored().with([
                "token_endpoint": .string(server.url("/token")), "refresh_token": "rt", "scope": "a b",
                "token_endpoint_auth_method": "none",
            ]))
        try managed.oap("refresh", "-p", "work").run().expect(status: 4)
        try managed.oap("token", "work", "--scope", "b").run().expect(status: 0)
        try managed.oap("token", "work", "--exchange").run().expect(status: 0)
        try managed.oap("refresh", "-p", "work").run().expect(status: 0)
        #expect(proofs(server).map(\.nonce) == [nil, "n1", "n2", "n3", "n4"])
        #expect(server.requests.allSatisfy { $0.headers.values(of: "DPoP").count == 1 })
    }
}
