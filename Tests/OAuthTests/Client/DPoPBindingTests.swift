import JOSE
import TestSupport
import Testing
import Wire

@testable import OAuth

@Suite("Proofs of the key that a token is bound to")
struct DPoPBindingTests {
    private func binding(nonces: JSONObject = [:]) throws -> DPoPBinding {
        try DPoPBinding(key: DPoPBinding.newKey(), nonces: nonces)
    }

    private func proof(
        _ binding: DPoPBinding, _ url: String, method: String = "GET", token: String? = nil, now: Int = 1
    ) throws -> (header: JSONObject, claims: JSONObject) {
        var message = HTTPRequest(method: method, url: url)
        try binding.proof(of: message, token: token, now: now).sign(&message)
        let proofs = message.headers.filter { $0.name == "DPoP" }
        #expect(proofs.count == 1)
        let jws = try JSONWebSignature(parsing: proofs[0].value)
        let key = try JSONWebKey(#require(jws.header["jwk"]?.object))
        try jws.verify(with: key, allowing: [.es256])
        #expect(try key.thumbprint() == binding.thumbprint)
        return (jws.header, try #require(JSON(parsing: jws.payload).object))
    }

    /// The proof of a request: to an API with a token, to an authorization server without.
    private func unsigned(
        _ binding: DPoPBinding, _ url: String, token: String? = "at"
    ) throws -> DPoPBinding.UnsignedProof {
        try binding.proof(of: HTTPRequest(method: "GET", url: url), token: token, now: 1)
    }

    private func answer(_ status: Int, _ nonce: String?, _ challenge: String? = nil) -> HTTPResponseHead {
        let fields = [
            nonce.map { HTTPField("DPoP-Nonce", $0) }, challenge.map { HTTPField("WWW-Authenticate", $0) },
        ]
        return HTTPResponseHead(status: status, headers: fields.compactMap(\.self))
    }

    @Test("DP-01 the header has the public key, and nothing else besides typ and alg (header-exact-members)")
    func header() throws {
        let vector = try VectorGroup("dpop_claims").case(named: "header-exact-members")
        let header = try proof(binding(), "https://rs.example.com/").header
        #expect(Set(header.members.map(\.name)) == Set(vector["header_keys"]?.strings ?? []))
        #expect(header["typ"] == vector["typ"])
        for name in vector["jwk_must_not_have"]?.strings ?? [] { #expect(header["jwk"]?.object?[name] == nil) }
    }

    @Test(
        "DP-03, DPoP case 8: htu is the URL as it is sent, without query and fragment",
        arguments: try VectorGroup("dpop_claims").cases(only: [
            "htu-0", "htu-1", "htu-2", "htu-3", "htu-4", "htu-5", "htu-6", "htu-7", "htu-8", "htu-9", "htu-10",
        ]))
    func target(vector: VectorCase) throws {
        let url = try #require(vector["url"]?.string)
        #expect(try proof(binding(), url).claims["htu"] == vector["htu"])
    }

    @Test("DP-02 the claims of the RFC: htm as it is sent, iat, the nonce; ath for an API alone")
    func claims() throws {
        let vector = try VectorGroup("dpop_claims").case(named: "fig21-with-nonce")
        let request = try #require(vector["request"]?.object)
        let (url, nonce) = (request["url"]?.string ?? "", vector["nonce"]?.string ?? "")
        let own = try binding()
        own.learn(from: answer(400, nonce), to: try unsigned(own, url, token: nil))
        let claims = try proof(own, url, method: request["method"]?.string ?? "", now: 1_562_262_616).claims
        for member in vector["claims_shape"]?.object?.members ?? [] where member.name != "jti" {
            #expect(claims[member.name] == member.value)
        }
        #expect(claims.members.count == 5)
        let identifiers = try (1...20).map { _ in try proof(own, url).claims["jti"]?.string ?? "" }
        #expect(Set(identifiers).count == 20 && identifiers.allSatisfy { $0.utf8.count == 22 })
        let ath = try VectorGroup("dpop_claims").case(named: "ath")
        let atAPI = try proof(own, url, token: ath["access_token"]?.string).claims
        #expect(atAPI["ath"] == ath["ath"] && atAPI["nonce"] == nil)
        let verbatim = try VectorGroup("dpop_claims").case(named: "htm-case")
        #expect(
            try proof(own, url, method: verbatim["method"]?.string ?? "").claims["htm"] == verbatim["htm"])
    }

    @Test("DP-05 the newest nonce of an origin counts, the server and an API apart (nonce-scope, nonce-syntax)")
    func nonces() throws {
        let scope = try VectorGroup("dpop_claims").case(named: "nonce-scope")
        let own = try binding()
        for step in scope["steps"]?.array ?? [] {
            let url = step.object?["from"]?.string ?? ""
            own.learn(
                from: answer(200, step.object?["DPoP-Nonce"]?.string),
                to: try unsigned(own, url, token: Self.token(for: url)))
        }
        for member in scope["expect"]?.object?.members ?? [] {
            let next = try unsigned(own, member.name, token: Self.token(for: member.name))
            #expect(next.nonce == member.value.string)
        }
        let url = "https://as.example.com/token"
        #expect(try unsigned(own, url).nonce == nil)
        for member in try VectorGroup("dpop_claims").case(named: "nonce-syntax")["values"]?.object?.members ?? [] {
            let other = try binding()
            other.learn(from: answer(200, member.name), to: try unsigned(other, url))
            #expect(try (unsigned(other, url).nonce == member.name) == (member.value == .bool(true)))
        }
    }

    private static func token(for url: String) -> String? { url.hasPrefix("https://as.") ? nil : "at" }

    @Test(
        "a nonce of up to 4096 bytes is kept, and no longer one",
        arguments: [(4096, true), (4097, false), (65_536, false)])
    func length(count: Int, isKept: Bool) throws {
        let own = try binding()
        let url = "https://rs.example.com/x"
        own.learn(from: answer(200, String(repeating: "n", count: count)), to: try unsigned(own, url))
        #expect(try unsigned(own, url).nonce?.utf8.count == (isKept ? count : nil))
        #expect(own.hasNewNonces == isKept)
    }

    @Test("the nonces of sixteen origins are kept, the newest, by the key and by its document")
    func bound() throws {
        let own = try binding()
        for number in 0..<17 {
            own.learn(from: answer(200, "n"), to: try unsigned(own, "https://\(number).example/"))
        }
        #expect(try unsigned(own, "https://0.example/").nonce == nil)
        #expect(try unsigned(own, "https://1.example/").nonce == "n")
        #expect(try unsigned(own, "https://16.example/").nonce == "n")

        let one = try binding()
        one.learn(from: answer(200, "new"), to: try unsigned(one, "https://5.example/"))
        one.learn(from: answer(200, "new"), to: try unsigned(one, "https://99.example/"))
        var known: JSONObject = [:]
        for number in 0..<16 { known["rs https://\(number).example"] = "old" }
        let kept = one.addingNonces(to: ["dpop_nonces": .object(known)])["dpop_nonces"]?.object
        let left = [1, 2, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 5, 99].map { "rs https://\($0).example" }
        #expect(kept?.members.map(\.name) == left)
        #expect(kept?["rs https://5.example"] == "new")
    }

    @Test(
        "DP-07, DP-08 a nonce that is new is a reason to send again, in whichever challenge; the same one is none",
        arguments: try VectorGroup("dpop_claims").cases(only: [
            "retry-as", "retry-as-no-nonce", "retry-rs", "retry-rs-second-challenge", "same-nonce-again",
        ]))
    func repetition(vector: VectorCase) throws {
        let response = try #require(vector["response"]?.object)
        let headers = try #require(response["headers"]?.object)
        let head = answer(
            response["status"]?.integer ?? 0, headers["DPoP-Nonce"]?.string, headers["WWW-Authenticate"]?.string)
        let body = response["body"].map { $0.bytes } ?? []
        let own = try binding(nonces: vector["cached"].map { ["rs https://rs.example.com": $0] } ?? [:])
        let used = try unsigned(own, "https://rs.example.com/x", token: body.isEmpty ? "at" : nil)
        let isReason = own.learn(from: head, body: body, to: used)
        #expect(isReason == (vector["expect"]?.string?.hasPrefix("retry") == true))
    }

    @Test(
        "a new nonce is no reason to send again where the server asks for none, or not as its kind of server does",
        arguments: [
            ("at", 401, #"Bearer error="use_dpop_nonce""#, ""), ("at", 400, #"DPoP error="use_dpop_nonce""#, ""),
            ("at", 401, "DPoP", #"{"error":"use_dpop_nonce"}"#), (nil, 401, #"DPoP error="use_dpop_nonce""#, ""),
            (nil, 403, nil, #"{"error":"use_dpop_nonce"}"#), (nil, 400, nil, #"{"error":"invalid_grant"}"#),
        ] as [(String?, Int, String?, String)])
    func noReason(token: String?, status: Int, challenge: String?, body: String) throws {
        let own = try binding()
        let url = "https://rs.example.com/x"
        let used = try unsigned(own, url, token: token)
        #expect(!own.learn(from: answer(status, "n9", challenge), body: Array(body.utf8), to: used))
        #expect(try unsigned(own, url, token: token).nonce == "n9")
    }

    @Test("a nonce that takes the place of an earlier one is a reason to send again, at the server and at an API")
    func replaced() throws {
        let own = try binding()
        let challenge = #"DPoP error="use_dpop_nonce""#
        for (token, body) in [("at", ""), (nil, #"{"error":"use_dpop_nonce"}"#)] as [(String?, String)] {
            for nonce in ["n1", "n2"] {
                let used = try unsigned(own, "https://rs.example.com/x", token: token)
                #expect(own.learn(from: answer(401, nonce, challenge), body: Array(body.utf8), to: used), "\(nonce)")
            }
        }
    }

    @Test("the newer nonces that another process has kept of other servers stay")
    func keptMeanwhile() throws {
        let (one, other) = ("rs https://1.example", "rs https://2.example")
        let own = try binding(nonces: [one: "old-1", other: "old-2"])
        own.learn(from: answer(200, "new-2"), to: try unsigned(own, "https://2.example/"))
        let kept = own.addingNonces(to: ["dpop_nonces": .object([one: "new-1", other: "old-2"])])
        #expect(kept["dpop_nonces"] == .object([one: "new-1", other: "new-2"]))
    }

    @Test("each proof has the hash of the token that it goes with, though one key signs for several")
    func hashes() throws {
        let own = try binding()
        let hashes = try ["a", "b", "a"].map { try proof(own, "https://rs.example.com/", token: $0).claims["ath"] }
        #expect(hashes[0] != hashes[1])
        #expect(hashes[0] == hashes[2])
    }

    @Test("RFC 9449 figure 6: a bound token goes with its scheme and a proof (rfc_responses/rfc9449-fig6)")
    func token() throws {
        let vector = try VectorGroup("rfc_responses").case(named: "rfc9449-fig6")
        let body = try #require(vector["body"]?.object)
        let text = try #require(body["access_token"]?.string)
        let token = try AccessToken(text, of: Document(body), binding: binding())
        var message = HTTPRequest(method: "GET", url: "https://rs.example.com/x")
        token.authorize(&message, now: 5)
        #expect(message.headers.map(\.name) == ["Authorization", "DPoP"])
        #expect(message.headers[0].value == vector["authorization"]?.string)
        let missing = #expect(throws: OAuthError.self) { try AccessToken(text, of: Document(body)) }
        #expect(missing?.kind == .metadataMissing && missing?.member == "dpop_key")
        let bearer = try AccessToken(text, of: Document(["token_type": "Bearer"]), binding: binding())
        #expect(bearer.binding == nil && bearer.scheme == "Bearer")
    }

    @Test("DP-09 a key whose algorithm the server does not take is refused")
    func algorithms() throws {
        let key = try DPoPBinding.newKey()
        _ = try DPoPBinding(key: key, algorithms: ["ES256", "RS256"])
        let error = #expect(throws: OAuthError.self) { try DPoPBinding(key: key, algorithms: ["RS256"]) }
        #expect(error?.member == "dpop_key")
    }

    @Test("DP-09 a new key is one that the server takes, for ES256 if it may be, and bears no name")
    func newKey() throws {
        for (listed, curve) in [
            ([], "P-256"), (["ES384", "ES256"], "P-256"), (["HS256", "ES384"], "P-384"), (["ES512"], "P-521"),
            (["ES512", "EdDSA"], "Ed25519"),
        ] {
            let key = try JSON(parsing: DPoPBinding.newKey(for: listed)).object
            #expect(key?["crv"]?.string == curve)
            #expect(key?["kid"] == nil)
            #expect(key?["use"] == nil)
        }
        let error = #expect(throws: OAuthError.self) { try DPoPBinding.newKey(for: ["HS256"]) }
        #expect(error?.kind == .unsupported)
    }

    @Test("tokens are bound to a key if the document says so, else if it has one, in whatever form")
    func isBound() throws {
        let member = "dpop_bound_access_tokens"
        for (members, hasKey, isBound) in [
            ([:], false, false), ([:], true, true), (["dpop_key": "k"], false, true),
            (["dpop_key": "k", member: false], true, false), ([member: true], false, true),
        ] as [(JSONObject, Bool, Bool)] {
            var document = Document(members)
            document.hasDPoPKey = hasKey
            #expect(try document.isDPoPBound == isBound, "\(members)")
        }
    }

    @Test("DP-09 the profile of the client limits the algorithms of proofs as well")
    func profile() throws {
        let fapi = Document(["profile": "fapi2", "dpop_signing_alg_values_supported": .strings(["RS256", "PS256"])])
        #expect(try DPoPBinding.algorithms(for: fapi) == ["PS256"])
        let open = Document(["profile": "fapi2"])
        #expect(try DPoPBinding.algorithms(for: open) == ["PS256", "ES256", "EdDSA", "Ed25519"])
        let other = Document(["dpop_signing_alg_values_supported": .strings(["RS256", "PS256"])])
        #expect(try DPoPBinding.algorithms(for: other) == ["RS256", "PS256"])
    }
}
