import Foundation
import Synchronization
import TestSupport
import Testing
import Wire

/// Tokens that are bound to a DPoP key, with a server and an API that want what others have been caught by.
@Suite("A token that is bound to a key")
struct BoundTokenTests {
    private let managed: ManagedHome

    init() throws {
        managed = try ManagedHome(expiresIn: 3600)
        let key = try Program.oap(["jwk", "new", "-c"]).run().expect(status: 0).text
        try managed.put(
            managed.stored().with([
                "token_type": "DPoP", "dpop_key": .string(key.trimmingCharacters(in: .newlines)),
                "dpop_bound_access_tokens": true,
            ]))
    }

    /// What a proof says.
    private struct Proof {
        let header, claims: JSONObject

        init?(_ request: Responder.Request) {
            let parts = request.headers.values(of: "DPoP").first?.split(separator: ".").map(String.init) ?? []
            guard parts.count == 3, let header = Base64.decodeURL(parts[0]), let claims = Base64.decodeURL(parts[1]),
                let first = (try? JSON(parsing: header))?.object, let second = (try? JSON(parsing: claims))?.object
            else { return nil }
            (self.header, self.claims) = (first, second)
        }

        var nonce: String? { claims["nonce"]?.string }
        var id: String? { claims["jti"]?.string }
    }

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

    @Test("DP-08 a nonce that is wanted is sent at once, in whichever challenge, and kept for the next process")
    func nonce() throws {
        let vector = try VectorGroup("call_auth_decision").case(named: "d10")
        #expect(vector["action"] == "retry-with-nonce")
        for before in ["", "Bearer, "] {
            let api = try api(Self.refusal("n1", before))
            try call(api).expect(status: 0).expect(output: "fine").expectSilence()
            #expect(proofs(api).map(\.nonce) == [nil, "n1"] && Set(proofs(api).compactMap(\.id)).count == 2)
            try call(api).expect(status: 0)
            #expect(proofs(api).map(\.nonce) == [nil, "n1", "n1"])
            #expect(try nonces()["rs \(api.url())"] == "n1")
        }
    }

    @Test("DP-05 the nonce of an answer to the request that was sent again counts, and of a success")
    func newestNonce() throws {
        let api = try api(Self.refusal("n1"), .text("fine", headers: ["DPoP-Nonce: n2"]))
        for _ in 1...2 { try call(api).expect(status: 0) }
        #expect(proofs(api).map(\.nonce) == [nil, "n1", "n2"])
    }

    @Test("one more request and no loop: the nonce of the second refusal is kept, and one without a nonce is the end")
    func noLoop() throws {
        let api = try api(Self.refusal("n1"), Self.refusal("n2"))
        try call(api).expect(status: 7)
        #expect(proofs(api).map(\.nonce) == [nil, "n1"])
        try call(api).expect(status: 0)
        #expect(proofs(api).map(\.nonce) == [nil, "n1", "n2"])
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

    @Test("DP-04 a retry, a redirect and a page each have a proof of their own")
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

    @Test("no token, no proof and no nonce goes to another origin")
    func otherOrigin() throws {
        let other = try Responder(.text("there"))
        let api = try api(Self.refusal("n1"), .text("", status: 307, headers: ["Location: \(other.url("/"))"]))
        try call(api).expect(status: 0)
        #expect(other.requests.count == 1)
        for request in other.requests {
            #expect(request.headers.first("DPoP") == nil && request.headers.first("Authorization") == nil)
        }
    }

    @Test("a batch whose nonce changes under way loses no request, and counts no retry")
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

    @Test("DP-07 a refresh has a proof at once, with the nonce that was kept; a wanted one is sent once more")
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

    @Test("a server that wants another nonce each time is asked twice, and its error is the end (retry-as-twice)")
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

    @Test("a bearer token in the place of a bound one is exit 9, and so is a bound one that nobody asked for")
    func downgrade() throws {
        func exchange(_ type: String, _ more: JSONObject) throws -> ProgramResult {
            let server = try Responder { _ in .json(#"{"access_token":"at","token_type":"\#(type)"}"#) }
            return try Program.oap(["exchange"], input: server.client.with(["code": "c"]).with(more).input).run()
        }
        let asked: JSONObject = ["dpop_bound_access_tokens": true]
        let lower = try exchange("Bearer", asked).expect(status: 9).object()
        #expect(lower["error"] == "dpop_downgrade")
        #expect(try exchange("DPoP", [:]).expect(status: 9).object()["error"] == "token_type_unsupported")
        for type in ["DPoP", "dpop"] {
            let token = try exchange(type, asked).expect(status: 0).object()
            #expect(token["token_type"] == "DPoP" && token["dpop_key"]?.string?.isEmpty == false)
        }
    }

    @Test("a refused proof says by how much the clocks differ")
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

    @Test("the login announces the key that proves later, a new one for each token; a file gives the same key always")
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
