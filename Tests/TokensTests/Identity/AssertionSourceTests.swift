import Errands
import JOSE
import OAuth
import TestSupport
import Testing
import Wire

@testable import Commands
@testable import Sessions
@testable import Shell
@testable import Tokens

@Suite("Assertions that are fetched for one request")
struct AssertionSourceTests {
    private static let exchange = "urn:ietf:params:oauth:grant-type:token-exchange"
    private static let bearer = "urn:ietf:params:oauth:grant-type:jwt-bearer"
    private static let gitHub = [
        "GITHUB_ACTIONS": "true", "ACTIONS_ID_TOKEN_REQUEST_URL": "https://gh.example/token",
        "ACTIONS_ID_TOKEN_REQUEST_TOKEN": "request-token",
    ]
    private static let client: JSONObject = [
        "client_id": "c", "issuer": "https://as.example", "token_endpoint": "https://as.example/token",
    ]

    /// A job whose identities are numbered, and whose server answers so.
    private func scene(
        _ variables: [String: String] = gitHub, token answer: @escaping (Int) -> ServerRequest.Result
    ) throws -> IdentityScene {
        let scene = try IdentityScene(variables)
        scene.script.answer = { [script = scene.script] request in
            let asked = script.requests.count { $0.url.hasPrefix("https://gh.example/") }
            guard request.message.url.hasPrefix("https://gh.example/") else {
                return answer(script.requests.count - asked)
            }
            let jwt = IdentityScene.jwt("https://as.example", end: 1_800_000_300, ["jti": .integer(asked)])
            return Script.json(#"{"value":"\#(jwt)"}"#)
        }
        return scene
    }

    private static func token(_ number: Int) -> ServerRequest.Result {
        Script.json(#"{"access_token":"at-\#(number)","token_type":"Bearer","expires_in":60}"#)
    }

    /// Makes and sends a token request with a document.
    private func sent(_ grant: String, _ members: JSONObject, in scene: IdentityScene) throws -> TokenExchange.Outcome {
        let kind = Grant.Kind(named: grant)
        let document = Self.client.changed(by: members)
        let input = try scene.script.run(
            try scene.session.inputs.input([], members: document, profile: nil).withCredential(and: kind.secretMembers)
        ).get()
        let made = try input.grant(kind, extra: grant == Self.exchange ? [("subject_token_type", "urn:x")] : [])
        let exchange = try TokenExchange(made, input: input, over: scene.session.transport.patient)
        return scene.script.run(try exchange.attempt())
    }

    private func form(_ request: HTTPRequest) throws -> [String: String] {
        let pairs = try FormEncoding.parse(String(decoding: request.body ?? [], as: UTF8.self))
        return Dictionary(uniqueKeysWithValues: pairs.map { ($0.name, $0.value) })
    }

    private func targets(_ scene: IdentityScene) throws -> [HTTPRequest] {
        scene.script.requests.filter { $0.url == "https://as.example/token" }
    }

    @Test("each attempt has an identity of its own, asked for with the issuer as its audience")
    func attempts() throws {
        let scene = try scene { $0 < 3 ? Script.json("", status: 503) : Self.token($0) }
        guard case .token = try sent(Self.exchange, ["subject_token_from": "ci"], in: scene) else {
            Issue.record("there is no token")
            return
        }
        let sent = try targets(scene).map { try form($0)["subject_token"] ?? "" }
        #expect(sent.count == 3)
        #expect(Set(sent).count == 3)
        #expect(scene.script.requests.count == 6)
        #expect(scene.script.requests[0].url == "https://gh.example/token?audience=https%3A%2F%2Fas.example")
    }

    @Test("a refusal is not tried again")
    func refused() throws {
        let scene = try scene { _ in Script.json(#"{"error":"invalid_grant"}"#, status: 400) }
        guard case .refused = try sent(Self.bearer, ["assertion_from": "ci"], in: scene) else {
            Issue.record("it was not refused")
            return
        }
        #expect(scene.script.requests.count == 2)
    }

    @Test("an identity in a variable is sent once, and a refusal says that it may have been used")
    func fixed() throws {
        let jwt = IdentityScene.jwt()
        let failing = try scene(["ID": jwt]) { _ in Script.json("", status: 503) }
        _ = try sent(Self.bearer, ["assertion_from": "env:ID"], in: failing)
        #expect(try targets(failing).count == 1)
        let refusing = try scene(["ID": jwt]) { _ in Script.json(#"{"error":"invalid_grant"}"#, status: 400) }
        let kind = Grant.Kind(named: Self.bearer)
        let input = try refusing.script.run(
            try refusing.session.inputs.input(
                [], members: Self.client.setting("assertion_from", to: "env:ID"), profile: nil
            ).withCredential(and: kind.secretMembers)
        ).get()
        let exchange = try TokenExchange(
            try input.grant(kind, extra: []), input: input, over: refusing.session.transport)
        let failure = exchange.failure(OAuthError(.oauth, "refused", code: "invalid_grant", status: 400))
        #expect(failure.hint?.contains("used already") == true, "\(failure.hint ?? "")")
    }

    @Test("a client that a platform vouches for authenticates with a fresh JWT each time, and no key")
    func client() throws {
        let scene = try scene { $0 < 2 ? Script.json("", status: 503) : Self.token($0) }
        _ = try sent("client_credentials", ["client_assertion_from": "ci"], in: scene)
        let forms = try targets(scene).map(form)
        #expect(forms.count == 2)
        #expect(Set(forms.map { $0["client_assertion"] ?? "" }).count == 2)
        #expect(forms[0]["client_assertion_type"] == "urn:ietf:params:oauth:client-assertion-type:jwt-bearer")
        #expect(forms[0]["client_id"] == "c")
        #expect(forms[0]["client_secret"] == nil)
    }

    @Test("an identity is asked for once until a request has used it, and then anew")
    func once() throws {
        let scene = try scene(token: Self.token)
        func read(_ input: Input) throws -> Input {
            try scene.script.run(input.withCredential(and: ["assertion"])).get()
        }
        let members = Self.client.setting("assertion_from", to: "ci").setting("client_assertion_from", to: "ci")
        let first = try read(try scene.session.inputs.input([], members: members, profile: nil))
        let second = try read(first)
        #expect(scene.script.requests.count == 2)
        #expect(try second.secret("assertion") == first.secret("assertion"))
        var exchange = try TokenExchange(
            try second.grant(Grant.Kind(named: Self.bearer), extra: []), input: second, over: scene.session.transport)
        _ = try exchange.message()
        let third = try read(second)
        #expect(scene.script.requests.count == 4)
        #expect(try third.secret("assertion") != second.secret("assertion"))
        #expect(try third.secret("client_assertion") != second.secret("client_assertion"))
    }

    @Test("requests that differ in nothing but a fetched assertion are the same to processes that wait for each other")
    func same() throws {
        let scene = try scene(token: Self.token)
        func identity(_ members: JSONObject, _ grant: String) throws -> String {
            let kind = Grant.Kind(named: grant)
            let input = try scene.script.run(
                try scene.session.inputs.input([], members: Self.client.changed(by: members), profile: nil)
                    .withCredential(and: kind.secretMembers)
            ).get()
            return try TokenExchange(
                try input.grant(kind, extra: []), input: input, over: scene.session.transport
            ).identity()
        }
        for (members, grant) in [
            (["assertion_from": "ci"] as JSONObject, Self.bearer),
            (["client_assertion_from": "ci"], "client_credentials"),
        ] {
            #expect(try identity(members, grant) == identity(members, grant))
        }
        #expect(scene.script.requests.count == 4)
    }

    @Test("a JWT that somebody has signed for the client is sent to another endpoint once, though that fails")
    func endpoint() throws {
        let scene = try scene { _ in Script.json("", status: 503) }
        let members = Self.client.changed(by: [
            "client_assertion_from": "ci", "revocation_endpoint": "https://as.example/revoke", "access_token": "a",
        ])
        let input = try scene.script.run(
            try scene.session.inputs.input([], members: members, profile: nil).withCredential()
        ).get()
        let revocation = try TokenRevocation(of: input, type: .access, over: scene.session.transport.patient)
        _ = scene.script.run(revocation.run())
        #expect(scene.script.requests.count { $0.url == "https://as.example/revoke" } == 1)
    }

    @Test("a key signs the assertion about the client, with the claims of the document, and does not authenticate it")
    func key() throws {
        let scene = try scene(token: Self.token)
        let text = try DPoPBinding.newKey(for: ["ES256"])
        let members: JSONObject = [
            "client_key": .string(text), "assertion_from": "key", "assertion_audience": "token_endpoint",
            "assertion_scope": true, "scope": "a b", "assertion_claims": .object(["sub": "user", "jti": .null]),
        ]
        _ = try sent(Self.bearer, members, in: scene)
        let form = try form(try #require(targets(scene).first))
        #expect(form["client_assertion"] == nil)
        let claims = try JSONWebToken(parsing: form["assertion"] ?? "", as: .other).claims
        #expect(claims["iss"] == "c")
        #expect(claims["sub"] == "user")
        #expect(claims["aud"] == "https://as.example/token")
        #expect(claims["scope"] == "a b")
        #expect(claims["jti"] == nil)
        #expect(claims["exp"] == .integer(1_800_000_240))
    }

    @Test(
        "a source that is none, and one beside the assertion itself, is refused before anything is sent",
        arguments: [
            ["assertion_from": "x"], ["assertion_from": "ci:nowhere"], ["assertion_from": "env:1"],
            ["assertion_from": "key:a"],
            ["assertion_from": "profile:"], ["assertion_from": "ci", "assertion": "a.b.c"],
            ["assertion_from": "ci", "assertion_file": "/dev/null"],
        ] as [JSONObject])
    func wrong(members: JSONObject) throws {
        let scene = try scene(token: Self.token)
        let failure = try #require(#expect(throws: Failure.self) { try sent(Self.bearer, members, in: scene) })
        #expect(failure.exit == .badInput)
        #expect(scene.script.requests.isEmpty)
    }

    @Test("a file is no source: the member for it is named")
    func file() throws {
        let scene = try scene(token: Self.token)
        let source: JSONObject = ["assertion_from": "file:/run/token"]
        let failure = try #require(#expect(throws: Failure.self) { try sent(Self.bearer, source, in: scene) })
        #expect(failure.exit == .badInput)
        #expect(failure.hint == "a file has the member \"assertion_file\"")
    }

    @Test("a platform alone as the source is answered with its spelling")
    func platform() throws {
        let failure = try #require(
            #expect(throws: Failure.self) {
                try sent(Self.bearer, ["assertion_from": "github"], in: scene(token: Self.token))
            })
        #expect(failure.hint == "--assertion-from ci:github")
    }

    @Test("a document that comes by a pipe names no other login, whose token its endpoint would get")
    func foreign() throws {
        let scene = try scene(token: Self.token)
        for member in ["assertion_from", "client_assertion_from"] {
            let failure = try #require(
                #expect(throws: Failure.self) { try sent(Self.bearer, [member: "profile:work"], in: scene) })
            #expect(failure.exit == .badInput)
        }
        let tokens: JSONObject = ["subject_token_from": "ci", "actor_token_from": "profile:work"]
        let late = try #require(#expect(throws: Failure.self) { try sent(Self.exchange, tokens, in: scene) })
        #expect(late.message.hasPrefix("actor_token_from names another login"))
        #expect(scene.script.requests.isEmpty)
        let named = try scene.session.inputs.input(
            [], members: [:], profile: Self.client.setting("assertion_from", to: "profile:work"))
        let failure = try #require(
            #expect(throws: Failure.self) { try scene.script.run(named.with(secrets: ["assertion"])).get() })
        #expect(failure.exit == .loginNeeded)
    }

    @Test("without an issuer, whom the identity is for must be said")
    func audience() throws {
        let scene = try scene(token: Self.token)
        let failure = try #require(
            #expect(throws: Failure.self) {
                try sent(Self.bearer, ["assertion_from": "ci", "issuer": .null], in: scene)
            })
        #expect(failure.message.contains("identity_audience"))
        _ = try sent(Self.bearer, ["assertion_from": "ci", "identity_audience": "https://as.example"], in: scene)
        #expect(scene.script.requests.count == 2)
    }
}
