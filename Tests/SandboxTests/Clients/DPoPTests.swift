import JOSE
import Sandbox
import Testing
import Wire

@Suite("Proofs of possession") struct DPoPTests {
    private let form: Form = ["grant_type": "client_credentials", "scope": "repo"]

    private func proof(
        _ key: borrowing SigningKey, _ scene: Scene, method: String = "POST", path: String = "/token",
        change: [String: JSON?] = [:], header: JSONObject = [:]
    ) throws -> HTTPField {
        var claims: JSONObject = [
            "htm": .string(method), "htu": .string(Scene.issuer + path), "iat": .integer(scene.now),
            "jti": .string("\(Int.random(in: 0..<Int.max))"),
        ]
        for (name, value) in change { claims[name] = value }
        let publicKey = key.publicKey
        var members: JSONObject = ["typ": .string("dpop+jwt"), "jwk": .object(try #require(publicKey))]
        for member in header.members { members[member.name] = member.value }
        return HTTPField("DPoP", try key.sign(JSON.object(claims).bytes, header: members))
    }

    private func hash(_ token: String) -> JSON { .string(Base64.encodeURL(Digest.sha256(Array(token.utf8)))) }

    @Test("proofs of possession bind a token to a key, without which it is worth nothing")
    func bound() throws {
        let scene = try Scene()
        let key = try SigningKey(generatedFor: .es256)
        let other = try SigningKey(generatedFor: .edDSA)
        let answer = try scene.token(form, headers: [Scene.basic(), proof(key, scene)]).object()
        let token = try answer.text("access_token")
        #expect(answer["token_type"] == .string("DPoP"))
        let description = try scene.post("/introspect", ["token": token], headers: [Scene.basic()]).object()
        let thumbprint = key.keyID
        #expect(description["cnf"] == .object(["jkt": .string(try #require(thumbprint))]))

        let authorization = HTTPField("Authorization", "DPoP \(token)")
        let get = { (fields: [HTTPField]) in scene.send("GET", "/user", headers: fields) }
        let good = try proof(key, scene, method: "GET", path: "/user", change: ["ath": hash(token)])
        #expect(get([authorization, good]).status == 200)
        for fields in [
            [authorization, good], [authorization],
            [
                HTTPField("Authorization", "Bearer \(token)"),
                try proof(key, scene, method: "GET", path: "/user", change: ["ath": hash(token)]),
            ], [HTTPField("Authorization", "DPoP \(try scene.accessToken())")],
            [authorization, try proof(other, scene, method: "GET", path: "/user", change: ["ath": hash(token)])],
            [authorization, try proof(key, scene, method: "GET", path: "/user")],
            [authorization, try proof(key, scene, method: "GET", path: "/user", change: ["ath": hash("x")])],
            [authorization, try proof(key, scene, method: "GET", path: "/echo", change: ["ath": hash(token)])],
        ] {
            let response = get(fields)
            #expect(response.status == 401, "\(fields)")
            #expect(["invalid_token", "invalid_dpop_proof"].contains(try response.challenge()["error"] ?? ""))
        }
    }

    @Test("proofs of possession may name the address where client certificates are asked for, where there is one")
    func alias() throws {
        let key = try SigningKey(generatedFor: .es256)
        for takesCertificates in [true, false] {
            let scene = try Scene { $0.takesCertificates = takesCertificates }
            let alias: [String: JSON?] = ["htu": .string("https://127.0.0.1:4001/token")]
            let response = scene.token(form, headers: [Scene.basic(), try proof(key, scene, change: alias)])
            #expect(response.status == (takesCertificates ? 200 : 400))
        }
    }

    @Test("proofs of possession are asked for again where a token is not enough", arguments: ["repo", "openid"])
    func insufficientScope(scope: String) throws {
        let scene = try Scene()
        let key = try SigningKey(generatedFor: .es256)
        let token = try scene.token(form.with(["scope": scope]), headers: [Scene.basic(), proof(key, scene)])
            .object().text("access_token")
        let bound = try proof(key, scene, method: "GET", path: "/userinfo", change: ["ath": hash(token)])
        let response = scene.get("/userinfo", headers: [HTTPField("Authorization", "DPoP \(token)"), bound])
        let challenge = try response.challenge()
        #expect(response.status == 403 && challenge["error"] == "insufficient_scope")
        #expect(challenge.scheme == "dpop" && challenge["algs"]?.isEmpty == false)
        #expect(try scene.call("/userinfo", scene.accessToken(scope: scope)).challenge().scheme == "bearer")
    }

    @Test(
        "proofs of possession are refused when they are not fresh proofs of this request",
        arguments: [
            ["htm": .string("GET")], ["htm": nil], ["htu": .string("http://127.0.0.1:4000/par")], ["htu": nil],
            ["htu": .string("http://127.0.0.1:4001/token")], ["iat": .integer(1_799_999_939)],
            ["iat": .integer(1_800_000_061)], ["iat": nil], ["jti": nil], ["jti": .string("")],
        ] as [[String: JSON?]])
    func claims(change: [String: JSON?]) throws {
        let scene = try Scene()
        let key = try SigningKey(generatedFor: .es256)
        let response = scene.token(form, headers: [Scene.basic(), try proof(key, scene, change: change)])
        #expect(response.status == 400 && response.error == "invalid_dpop_proof", "\(response.text)")
    }

    @Test("proofs of possession are refused twice, under another type, with a private or foreign key, and two at once")
    func forged() throws {
        let scene = try Scene()
        let key = try SigningKey(generatedFor: .es256)
        let other = try SigningKey(generatedFor: .es256)
        let foreign = other.publicKey
        var secretKey = try #require(foreign)
        secretKey["d"] = .string("AA")
        let good = try proof(key, scene)
        #expect(scene.token(form, headers: [Scene.basic(), good]).status == 200)
        let query = try proof(key, scene, change: ["htu": .string(Scene.issuer + "/token?x=1#y")])
        #expect(scene.token(form, headers: [Scene.basic(), query]).status == 200, "query and fragment do not count")
        for fields in [
            [good], [try proof(key, scene, header: ["typ": .string("JWT")])],
            [try proof(key, scene, header: ["jwk": .object(try #require(foreign))])],
            [try proof(key, scene, header: ["jwk": .object(secretKey)])], [HTTPField("DPoP", "x")],
            [try proof(key, scene), try proof(key, scene)],
        ] {
            #expect(scene.token(form, headers: [Scene.basic()] + fields).error == "invalid_dpop_proof", "\(fields)")
        }
    }

    @Test("proofs of possession need the nonce that the server asks for, and the code is not spent before")
    func nonce() throws {
        let scene = try Scene { $0.requiresDPoPNonce = true }
        let key = try SigningKey(generatedFor: .es256)
        let exchange = Scene.exchange(try scene.code())
        let first = scene.token(exchange, headers: [Scene.basic(), try proof(key, scene)])
        #expect(first.status == 400 && first.error == "use_dpop_nonce")
        let nonce = try #require(first.header("DPoP-Nonce"))
        let wrong = try proof(key, scene, change: ["nonce": .string("x")])
        #expect(scene.token(exchange, headers: [Scene.basic(), wrong]).error == "use_dpop_nonce")
        let right = try proof(key, scene, change: ["nonce": .string(nonce)])
        let token = try scene.token(exchange, headers: [Scene.basic(), right]).object().text("access_token")

        let authorization = HTTPField("Authorization", "DPoP \(token)")
        let bare = try proof(key, scene, method: "GET", path: "/user", change: ["ath": hash(token)])
        let refused = scene.send("GET", "/user", headers: [authorization, bare])
        #expect(refused.status == 401 && refused.header("DPoP-Nonce") != nil)
        #expect(try refused.challenge()["error"] == "use_dpop_nonce")
        scene.now += 600
        let old = try proof(key, scene, change: ["nonce": .string(nonce)])
        #expect(scene.token(form, headers: [Scene.basic(), old]).error == "use_dpop_nonce", "nonces pass away")
    }

    @Test("proofs of possession are asked of a client registered so, and of refresh tokens of public clients")
    func required() throws {
        let scene = try Scene()
        let key = try SigningKey(generatedFor: .es256)
        let other = try SigningKey(generatedFor: .es256)
        let client = try scene.register([
            "redirect_uris": .array([.string(Scene.redirectURI)]), "token_endpoint_auth_method": .string("none"),
            "dpop_bound_access_tokens": .bool(true), "id_token_signed_response_alg": .string("ES256"),
        ])
        let id: Form = ["client_id": try client.text("client_id")]
        let exchange = Scene.exchange(try scene.code(id)).with(id)
        #expect(scene.token(exchange, headers: []).error == "invalid_dpop_proof")
        let answer = try scene.token(exchange, headers: [proof(key, scene)]).object()
        let refresh: Form = ["grant_type": "refresh_token", "refresh_token": try answer.text("refresh_token")]
        #expect(scene.token(refresh.with(id), headers: [try proof(other, scene)]).error == "invalid_dpop_proof")
        #expect(scene.token(refresh.with(id), headers: [try proof(key, scene)]).status == 200)
    }

    @Test("proofs of possession are asked of whoever exchanges a token that is bound")
    func exchange() throws {
        let scene = try Scene()
        let key = try SigningKey(generatedFor: .es256)
        let other = try SigningKey(generatedFor: .es256)
        let id: Form = ["client_id": "sandbox-public"]
        let login = try scene.token(
            Scene.exchange(scene.code(id)).with(id), headers: [proof(key, scene)]
        ).object()
        for kind in ["access_token", "refresh_token"] {
            let form: Form = [
                "grant_type": "urn:ietf:params:oauth:grant-type:token-exchange", "subject_token": try login.text(kind),
                "subject_token_type": "urn:ietf:params:oauth:token-type:\(kind)", "scope": "repo",
            ]
            for fields in [[], [try proof(other, scene)]] {
                let refused = scene.token(form, headers: [Scene.basic()] + fields)
                #expect(refused.status == 400 && refused.error == "invalid_dpop_proof", "\(kind): \(refused.text)")
            }
            let answer = try scene.token(form, headers: [Scene.basic(), proof(key, scene)]).object()
            #expect(answer["token_type"] == .string("DPoP"))
        }
    }

    @Test(
        "proofs of possession bind a code by dpop_jkt or by a proof with the pushed request", arguments: [true, false])
    func boundCode(isPushed: Bool) throws {
        let scene = try Scene()
        let key = try SigningKey(generatedFor: .es256)
        let other = try SigningKey(generatedFor: .es256)
        let thumbprint = key.keyID
        func code() throws -> String {
            guard isPushed else { return try scene.code(["dpop_jkt": thumbprint]) }
            let pushed = try scene.post(
                "/par", Scene.authorization, headers: [Scene.basic(), proof(key, scene, path: "/par")]
            ).object()
            let redirect = try scene.get(
                "/authorize", ["client_id": "sandbox", "request_uri": pushed.text("request_uri")]
            ).redirect()
            return try #require(redirect["code"])
        }
        for fields in [[], [try proof(other, scene)]] {
            let response = scene.token(Scene.exchange(try code()), headers: [Scene.basic()] + fields)
            #expect(response.error == "invalid_dpop_proof", "\(response.text)")
        }
        #expect(scene.token(Scene.exchange(try code()), headers: [Scene.basic(), try proof(key, scene)]).status == 200)
    }
}
