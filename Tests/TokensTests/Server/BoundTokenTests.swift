import Foundation
import PlaySupport
import Synchronization
import TestSupport
import Testing
import Wire

@testable import CommandSupport

/// Tokens that are bound to a DPoP key, with a server and an API that want what others have been caught by.
@Suite("A token that is bound to a key", .inProcessWithoutPauses)
struct BoundTokenTests {
    private let managed: ManagedHome

    init() throws { managed = try ManagedHome.bound() }

    private static func refusal(_ nonce: String?, _ before: String = "") -> Responder.Reply {
        let challenge = #"WWW-Authenticate: \#(before)DPoP error="use_dpop_nonce", algs="ES256""#
        return .text("", status: 401, headers: [challenge] + (nonce.map { ["DPoP-Nonce: \($0)"] } ?? []))
    }

    /// An API that answers in turn, and then "fine".
    private func api(_ replies: Responder.Reply...) throws -> Responder {
        let queue = Mutex(replies[...])
        return try Responder { _ in queue.withLock { $0.popFirst() } ?? .text("fine") }
    }

    private func call(_ api: Responder, _ more: String...) throws -> ProgramResult {
        try managed.oap(["call", "work", "--allow-origin", api.url(), api.url("/x?y=1")] + more).run()
    }

    private func proofs(_ server: Responder) -> [Proof] { server.requests.compactMap(Proof.init) }

    private func nonces() throws -> JSONObject { try managed.stored()["dpop_nonces"]?.object ?? [:] }

    @Test("DP-02, DP-06 each request has the scheme DPoP and one proof for its method and URL")
    func proof() throws {
        let api = try api()
        try call(api, "-X", "DELETE").expect(status: 0).expect(output: "fine")
        let request = api.requests[0]
        let proof = try #require(Proof(request))
        #expect(request.headers.first("Authorization")?.hasPrefix("DPoP ") == true)
        #expect(request.headers.values(of: "DPoP").count == 1)
        #expect(proof.claims["htm"] == "DELETE" && proof.claims["htu"] == .string(api.url("/x")))
        #expect(proof.claims["ath"] != nil && proof.header["typ"] == "dpop+jwt")
        #expect(abs((proof.claims["iat"]?.integer ?? 0) - Int(Date().timeIntervalSince1970)) < 5)
    }

    @Test("DP-08, DPoP case 7: a nonce that is wanted is sent at once, in whichever challenge, and kept")
    func nonce() throws {
        let vector = try VectorGroup("call_auth_decision").case(named: "d10")
        #expect(vector["action"] == "retry-with-nonce")
        for before in [
            "", "Bearer, ", "Bearer realm=\"DPoP, error\", ", "Basic realm=a\r\nWWW-Authenticate: ",
            "DPoP error=invalid_token, ",
        ] {
            let api = try api(Self.refusal("n1", before))
            try call(api).expect(status: 0).expect(output: "fine").expectSilence()
            #expect(proofs(api).map(\.nonce) == [nil, "n1"] && Set(proofs(api).compactMap(\.id)).count == 2)
            try call(api).expect(status: 0)
            #expect(proofs(api).map(\.nonce) == [nil, "n1", "n1"])
            #expect(try nonces()["rs \(api.url())"] == "n1")
        }
    }

    @Test("DP-05, DPoP case 1: the nonce in the answer to the request that was sent again is kept, also of a success")
    func newestNonce() throws {
        let api = try api(Self.refusal("n1"), .text("fine", headers: ["DPoP-Nonce: n2"]))
        for _ in 1...2 { try call(api).expect(status: 0) }
        #expect(proofs(api).map(\.nonce) == [nil, "n1", "n2"])
    }

    @Test("DP-05 the nonce in the answer of the userinfo endpoint is kept for the next process")
    func nonceOfUserinfo() throws {
        let server = try api(
            .json(#"{"sub":"me"}"#, headers: ["DPoP-Nonce: n1"]), .json(#"{"sub":"me"}"#, headers: ["DPoP-Nonce: n2"]))
        try managed.put(managed.stored().with(["userinfo_endpoint": .string(server.url("/me"))]))
        for _ in 1...2 { try managed.oap(["userinfo", "-p", "work"]).run().expect(status: 0) }
        #expect(proofs(server).map(\.nonce) == [nil, "n1"])
        #expect(try nonces()["rs \(server.url())"] == "n2")
    }

    @Test("DPoP case 2: the nonce of a second refusal is kept for the next process")
    func secondRefusal() throws {
        let api = try api(Self.refusal("n1"), Self.refusal("n2"))
        let refused = try call(api).expect(status: 7)
        refused.expect(
            errorLine: "oap: hint: the server gives no nonce that can be used, or wants another one each time")
        #expect(proofs(api).map(\.nonce) == [nil, "n1"])
        try call(api).expect(status: 0)
        #expect(proofs(api).map(\.nonce) == [nil, "n1", "n2"])
    }

    @Test("DPoP case 3: each server has one nonce, the newest, whichever process has got it")
    func onePlace() throws {
        let gate = Responder.Gate()
        let arrived = Responder.Gate()
        let slow = try Responder { _ in
            arrived.open()
            return .text("fine", headers: ["DPoP-Nonce: s1"]).after(gate)
        }
        let api = try api(.text("fine", headers: ["DPoP-Nonce: n1"]), .text("fine", headers: ["DPoP-Nonce: n2"]))
        try call(api).expect(status: 0)
        // This process has read n1, and ends after another one has got n2.
        let running = try managed.oap("call", "work", "--allow-origin", slow.url(), slow.url("/")).start()
        #expect(arrived.wait())
        try call(api).expect(status: 0)
        gate.open()
        try running.finish().expect(status: 0)
        try call(api).expect(status: 0)
        #expect(proofs(api).map(\.nonce) == [nil, "n1", "n2"])
        #expect(try nonces().members.count == 2 && nonces()["rs \(slow.url())"] == "s1")
    }

    @Test("DPoP case 4: a nonce that was just used, or none at all, is no reason to send the request again")
    func noLoop() throws {
        let same = try self.api(Self.refusal("n1"), Self.refusal("n1"))
        try call(same).expect(status: 7)
        #expect(proofs(same).count == 2)
        let bare = try self.api(Self.refusal(nil))
        try call(bare).expect(status: 7)
        #expect(proofs(bare).count == 1)
    }

    @Test("DP-10 a refused proof is neither repeated nor a reason to renew")
    func invalidProof() throws {
        let challenge = #"WWW-Authenticate: DPoP error="invalid_dpop_proof""#
        let api = try Responder { _ in .text("", status: 401, headers: [challenge]) }
        let server = try Responder { _ in .json("{}") }
        try managed.put(
            managed.stored().with(["token_endpoint": .string(server.url("/token")), "refresh_token": "rt"]))
        try call(api).expect(status: 7)
        #expect(api.requests.count == 1 && server.requests.isEmpty)
    }

    @Test("DP-04, DPoP case 10: a retry, a redirect and a page each have a proof of their own")
    func attempts() throws {
        let api = try Responder { request in
            switch request.target {
            case "/x?y=1": .text("", status: 302, headers: ["Location: /1"])
            case "/1": .json("[1]", headers: ["Link: </2>; rel=\"next\""])
            default: .json("[2]")
            }
        }
        try call(api, "--paginate").expect(status: 0)
        let all = proofs(api)
        #expect(all.map { $0.claims["htu"] } == ["/x", "/1", "/2"].map { .string(api.url($0)) })
        #expect(Set(all.compactMap(\.id)).count == 3)
        let busy = try self.api(.text("", status: 503, headers: ["Retry-After: 0"]))
        try call(busy).expect(status: 0)
        #expect(Set(proofs(busy).compactMap(\.id)).count == 2)
    }

    @Test("DPoP case 13: no token, no proof and no nonce goes to another origin")
    func otherOrigin() throws {
        let other = try Responder(.text("there"))
        let api = try api(Self.refusal("n1"), .text("", status: 307, headers: ["Location: \(other.url("/"))"]))
        try call(api).expect(status: 0)
        #expect(other.requests.count == 1)
        for request in other.requests {
            #expect(request.headers.first("DPoP") == nil && request.headers.first("Authorization") == nil)
        }
    }

    @Test("DPoP case 12: a batch whose nonce changes under way loses no request, and counts no retry")
    func batch() throws {
        let served = Mutex(0)
        let api = try Responder { request in
            let number = served.withLock { count in
                count += 1
                return count
            }
            // The nonce before the newest is still good.
            let newest = number / 20
            return ["n\(newest)", "n\(newest - 1)"].contains(Proof(request)?.nonce)
                ? .text("fine") : Self.refusal("n\(newest)")
        }
        let lines = (1...60).map { #"{"url":"\#(api.url("/\($0)"))"}"# }.joined(separator: "\n") + "\n"
        let result = try managed.oap(
            "call", "work", "--batch", "--parallel", "4", "--allow-origin", api.url(), "--retry", "0", input: lines
        ).run().expect(status: 0)
        #expect(result.text.split(separator: "\n").count == 60, "\(result)")
        #expect(Set(proofs(api).compactMap(\.id)).count == proofs(api).count)
    }

    @Test("oap token prints the header fields for one request, and says what a bound token is")
    func handedOut() throws {
        let refused = try managed.oap("token", "work", "--header").run().expect(status: 2)
        #expect(refused.errorText.contains("--method METHOD --url URL"), "\(refused)")
        let api = try api()
        let url = api.url("/x?y")
        let shown = try managed.oap("token", "work", "--header", "--method", "PUT", "--url", url).run()
            .expect(status: 0)
        let fields = shown.text.split(separator: "\n").map(String.init)
        #expect(fields.count == 2 && fields[0].hasPrefix("Authorization: DPoP ") && fields[1].hasPrefix("DPoP: "))
        let curl = Program(
            path: "/usr/bin/curl", arguments: ["-sS", "-X", "PUT", "-H", fields[0], "-H", fields[1], url])
        try curl.run().expect(status: 0)
        let proof = try #require(proofs(api).first)
        #expect(proof.claims["htm"] == "PUT" && proof.claims["htu"] == .string(api.url("/x")))
        let plain = try managed.oap("token", "work").run().expect(status: 0)
        #expect(plain.errorText.contains("bound to a key (DPoP)"), "\(plain)")
        let document = try managed.oap("token", "work", "--document", "--access-only").run().expect(status: 0).object()
        #expect(document["dpop_key"] != nil && document["refresh_token"] == nil)
    }

    @Test(
        "a login that is made if needed is needed for a bound token where a bearer token is stored; a renewal says so")
    func wished() throws {
        let server = try Responder { request in
            let type = Proof(request) == nil ? "Bearer" : "DPoP"
            return .json(#"{"access_token":"at","token_type":"\#(type)","expires_in":3600}"#)
        }
        let home = try TemporaryDirectory()
        func oap(_ words: String...) throws -> ProgramResult {
            try Program.oap(words, environment: ["HOME": home.path]).run()
        }
        let login = [
            "login", "ci", "--grant", "client_credentials", "--token-endpoint", server.url("/t"), "--client-id", "c",
            "--token-endpoint-auth-method", "none", "--save-profile",
        ]
        func run(_ more: String...) throws -> ProgramResult {
            try Program.oap(login + more, environment: ["HOME": home.path]).run()
        }
        try run().expect(status: 0)
        try run("--if-needed", "--dpop").expect(status: 0)
        try run("--if-needed", "--dpop").expect(status: 0).expectSilence()
        #expect(server.requests.count == 2)
        let document = try oap("store", "get", "ci").expect(status: 0).object()
        #expect(document["token_type"] == "DPoP")
        let bare = document.with(["dpop_key": .null, "token_type": "Bearer", "expires_at": 5])
        let put = Program.oap(["store", "put", "ci"], input: bare.input, environment: ["HOME": home.path])
        try put.run().expect(status: 0)
        let renewal = try oap("token", "ci").expect(status: 8)
        #expect(renewal.errorText.contains("the token has no key"), "\(renewal)")
        #expect(server.requests.count == 2)
    }

    @Test("no trace shows a proof or the key")
    func hidden() throws {
        let api = try api()
        let secret = try #require(
            JSON(parsing: managed.stored()["dpop_key"]?.string ?? "").object?["d"]?.string)
        let result = try call(api, "-v", "--har", managed.home.path("har"))
        let text = try "\(result)" + managed.home.read("har")
        let sent = try #require(api.requests[0].headers.first("DPoP"))
        #expect(!text.contains(secret) && !text.contains(sent))
    }
}
