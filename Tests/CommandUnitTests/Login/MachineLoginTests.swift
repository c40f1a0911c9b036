import Foundation
import JOSE
import PlaySupport
import TestSupport
import Testing
import Wire

@testable import CommandSupport

@Suite("Logins of machines that need no secret, or a key alone", .inProcess)
struct MachineLoginTests {
    private let person: LoginHome
    private static let platform = [
        "GITHUB_ACTIONS": "true", "ACTIONS_ID_TOKEN_REQUEST_TOKEN": "request-token",
    ]

    init() throws { person = try LoginHome() }

    private static func jwt(_ audience: String, _ number: Int = 0) -> String {
        let claims: JSONObject = [
            "aud": .string(audience), "exp": .integer(Int(Date().timeIntervalSince1970) + 300), "jti": .integer(number),
        ]
        let parts = [["alg": "RS256"] as JSONObject, claims].map { Base64.encodeURL(JSON.object($0).bytes) }
        return parts.joined(separator: ".") + ".c2ln"
    }

    /// A server that plays the platform and every target.
    private func server() throws -> Responder {
        try Responder { request in
            let path = request.target.prefix { $0 != "?" }
            switch path {
            case "/identity":
                let audience = request.target.components(separatedBy: "audience=").last?.removingPercentEncoding ?? ""
                return .json(#"{"value":"\#(Self.jwt(audience, Int.random(in: 0...1_000_000)))"}"#)
            case "/v1/auth/jwt/login":
                return .json(
                    #"{"auth":{"client_token":"hvs.1","lease_duration":3600,"renewable":true,"token_type":"service"},"data":null}"#
                )
            case "/_/oidc/mint-token": return .json(#"{"success":true,"token":"pypi-1"}"#)
            case "/app/installations/7/access_tokens":
                return .json(#"{"token":"ghs_1","expires_at":"2099-01-01T00:00:00Z"}"#, status: 201)
            case "/id": return .json(#"{"id_token":"\#(Self.jwt("https://run.example"))"}"#)
            default: return .json(#"{"access_token":"at-1","token_type":"Bearer","expires_in":3600}"#)
            }
        }
    }

    private func key() throws -> String {
        try person.home.write(RSAKey().pem, to: "key.pem")
    }

    private func variables(_ server: Responder) -> [String: String] {
        Self.platform.merging(["ACTIONS_ID_TOKEN_REQUEST_URL": server.url("/identity?v=2")]) { $1 }
    }

    private func body(_ request: Responder.Request) throws -> JSONObject {
        try #require(try JSON(parsing: Array(request.bodyText.utf8)).object)
    }

    @Test("Vault gets the identity for its address, with the role, and its lease is the end of the token")
    func vault() throws {
        let server = try server()
        let words = ["login", "v", "--provider", "vault", "host=\(server.url(""))", "role=ci"]
        try person.oap(words, variables(server)).run().expect(status: 0)
        let asked = try #require(server.requests.last)
        let sent = try body(asked)
        #expect(sent["role"] == "ci")
        #expect(sent.members.map(\.name).sorted() == ["jwt", "role"])
        #expect(server.requests.count == 2)
        let header = try person.oap(["token", "v", "--header"]).run().expect(status: 0)
        #expect(header.text == "X-Vault-Token: hvs.1\n")
        let stored = try person.oap(["token", "v", "--document"]).run().expect(status: 0).object()
        #expect(stored["expires_in"] == 3600)
        try person.oap(["logout", "v"], variables(server)).run().expect(status: 0)
        let last = try #require(server.requests.last)
        #expect(last.method == "POST")
        #expect(last.target == "/v1/auth/token/revoke-self")
        #expect(last.headers.contains { $0.name == "X-Vault-Token" && $0.value == "hvs.1" })
    }

    @Test("a job of GitLab that names its variable otherwise is told the option for it, and the audience as it is")
    func namedVariable() throws {
        let job = ["GITLAB_CI": "true", "VAULT_ID_TOKEN": Self.jwt("https://vault.internal.example.com")]
        let words = ["login", "v", "--provider", "vault", "host=vault.internal.example.com", "role=ci"]
        try person.oap(words, job).run().expect(status: 8).expect(
            errorLine: """
                oap: hint: in .gitlab-ci.yml: id_tokens: {HTTPS___VAULT_INTERNAL_EXAMPLE_COM_ID_TOKEN: {aud: \
                "https://vault.internal.example.com"}}; for a variable of another name: --assertion-from env:NAME in oap \
                login or exchange
                """)
        try person.oap(words + ["--subject-token-from", "env:VAULT_ID_TOKEN"], job).run().expect(status: 2).expect(
            errorLine: """
                oap: login: --subject-token-from has no effect: the grant is urn:ietf:params:oauth:grant-type:jwt-bearer
                """)
    }

    @Test("an answer with an ID token alone names the login that keeps it")
    func idTokenAlone() throws {
        let server = try server()
        let words = ["exchange", "-n", "--grant", "jwt-bearer", "--client-id", "c", "--token-endpoint"]
        let assertion = try person.home.write(Self.jwt("a"), to: "assertion")
        try person.oap(words + [server.url("/id"), "--assertion-file", assertion]).run().expect(status: 10).expect(
            errorLine: """
                oap: hint: the answer has an ID token: oap login NAME --client-key-file FILE --audience URL keeps it
                """)
    }

    @Test("PyPI gets the identity in a member of its own, and nothing else")
    func pypi() throws {
        let server = try server()
        try person.oap(["login", "p", "--provider", "pypi", "host=\(server.url(""))"], variables(server)).run()
            .expect(status: 0)
        let sent = try body(try #require(server.requests.last))
        #expect(sent.members.map(\.name) == ["token"])
        #expect(server.requests[0].target.hasSuffix("audience=pypi"))
        #expect(try person.oap(["token", "p"]).run().expect(status: 0).text == "pypi-1\n")
    }

    @Test("a GitHub App signs a JWT, sends it as a bearer token, and keeps the end that GitHub names")
    func gitHubApp() throws {
        let server = try server()
        let words = [
            "login", "bot", "--provider", "github-app", "host=\(server.url(""))", "installation=7", "--client-id",
            "Iv1",
            "--client-key-file", try key(), "--param", #"permissions={"contents":"read"}"#, "--param",
            #"repositories=["a"]"#,
        ]
        let result = try person.oap(words).run().expect(status: 0)
        #expect(!result.errorText.contains("warning"), "\(result)")
        let asked = try #require(server.requests.last)
        let sent = try body(asked)
        #expect(sent == ["permissions": .object(["contents": "read"]), "repositories": .strings(["a"])])
        let field = asked.headers.first { $0.name == "Authorization" }?.value ?? ""
        let claims = try #require(
            field.split(separator: ".").dropFirst().first.flatMap { Base64.decodeURL(String($0)) })
        let members = try #require(try JSON(parsing: claims).object)
        #expect(members["iss"] == "Iv1")
        #expect(members["aud"] == nil)
        let stored = try person.oap(["token", "bot", "--document"]).run().expect(status: 0).object()
        #expect(stored["expires_at"] == 4_070_908_800)
        #expect(stored["access_token"] == "ghs_1")
        try person.oap(["logout", "bot"]).run().expect(status: 0)
        let last = try #require(server.requests.last)
        #expect(last.method == "DELETE")
        #expect(last.target == "/installation/token")
        #expect(last.headers.contains { $0.name == "Authorization" && $0.value == "Bearer ghs_1" })
    }

    @Test("a token that revokes itself and is refused stays")
    func refusedLogout() throws {
        let server = try Responder { request in
            request.method == "DELETE"
                ? .json(#"{"message":"no"}"#, status: 500)
                : .json(#"{"token":"ghs_1","expires_at":"2099-01-01T00:00:00Z"}"#, status: 201)
        }
        try person.oap([
            "login", "bot", "--provider", "github-app", "host=\(server.url(""))", "installation=7", "--client-id",
            "Iv1",
            "--client-key-file", try key(),
        ]).run().expect(status: 0)
        try person.oap(["logout", "bot", "--retry", "0"]).run().expect(status: 6)
        #expect(try person.oap(["token", "bot"]).run().expect(status: 0).text == "ghs_1\n")
    }

    @Test("the key of a Google service account is all that a login needs, and stays in its file")
    func serviceAccount() throws {
        let server = try server()
        let file = try account(server.url("/token"))
        try person.oap(["login", "sa", "--client-key-file", file, "--scope", "s"]).run().expect(status: 0)
        let form = try FormEncoding.parse(try #require(server.requests.last).bodyText)
        #expect(form.map(\.name) == ["grant_type", "assertion"])
        let stored = try person.oap(["token", "sa", "--document"]).run().expect(status: 0).text
        #expect(!stored.contains("PRIVATE KEY"))
        try person.oap(["refresh", "-p", "sa"]).run().expect(status: 0)
        #expect(server.requests.count == 2)
        var put = person.oap(["profile", "set", "x"])
        put.input = .text(try person.home.read("sa.json"))
        try put.run().expect(status: 3)
            .expect(errorLine: "oap: profile: the document is the key of a Google service account")
    }

    @Test("with an audience it gets an ID token, which is the token too, with its own end")
    func idToken() throws {
        let server = try server()
        let file = try account(server.url("/id"))
        let words = ["login", "run", "--client-key-file", file, "--audience", "https://run.example"]
        let result = try person.oap(words).run().expect(status: 0)
        #expect(!result.errorText.contains("warning"), "\(result)")
        let token = try person.oap(["token", "run"]).run().expect(status: 0).text
        #expect(try person.oap(["token", "run", "--id-token"]).run().expect(status: 0).text == token)
        let stored = try person.oap(["token", "run", "--document"]).run().expect(status: 0).object()
        #expect(stored["expires_at"]?.integer ?? 0 > Int(Date().timeIntervalSince1970))
        #expect(stored["token_params"] == nil)
    }

    /// A file of Google for a workload.
    private func workload(_ server: Responder, _ source: JSONObject, _ others: JSONObject = [:]) throws -> String {
        let file: JSONObject = [
            "type": "external_account", "audience": "//iam.googleapis.com/x",
            "token_url": .string(server.url("/token")),
            "subject_token_type": "urn:ietf:params:oauth:token-type:jwt", "credential_source": .object(source),
        ]
        return try person.home.write(JSON.object(file.changed(by: others)).text, to: "workload.json")
    }

    @Test("a file of Google for a workload says who gives its identity, and which account it may act as")
    func externalAccount() throws {
        let server = try server()
        let address = "deployer-of-everything@project-with-a-long-name.iam.gserviceaccount.com"
        let account =
            "https://iamcredentials.googleapis.com/v1/projects/-/serviceAccounts/\(address):generateAccessToken"
        let url = "https://x.actions.githubusercontent.com/?audience=https%3A%2F%2Fpool"
        let file = try workload(
            server, ["url": .string(url)], ["service_account_impersonation_url": .string(account)])
        let result = try person.oap(["login", "ci", "--cred-file", file], variables(server)).run().expect(status: 0)
        #expect(result.errorText.contains("account=\(address) --assertion-from profile:ci"), "\(result)")
        #expect(server.requests[0].target.hasSuffix("audience=https%3A%2F%2Fpool"))
        let form = try FormEncoding.parse(try #require(server.requests.last).bodyText)
        #expect(form.first { $0.name == "audience" }?.value == "//iam.googleapis.com/x")
        #expect(!form.contains { $0.name == "client_id" })
        let token = try person.home.write("a.b.c\n", to: "pod-token")
        let other = try workload(server, ["file": .string(token)])
        try person.oap(["login", "pod", "--cred-file", other]).run().expect(status: 0)
        let sent = try FormEncoding.parse(try #require(server.requests.last).bodyText)
        #expect(sent.first { $0.name == "subject_token" }?.value == "a.b.c")
    }

    @Test("a source that oap does not know, another endpoint, and a file of another kind are refused")
    func wrongWorkload() throws {
        let server = try server()
        for (source, others) in [
            (["environment_id": "aws1"], [:]), (["executable": .object(["command": "id"])], [:]),
            (["file": "/x", "format": .object(["type": "json"])], [:]),
            (["file": "/x"], ["token_url": "https://evil.example/"]), (["file": "/x"], ["type": "authorized_user"]),
            (["file": "/x"], ["audience": .null]),
        ] as [(JSONObject, JSONObject)] {
            let file = try workload(server, source, others)
            let result = try person.oap(["login", "ci", "--cred-file", file]).run()
            #expect([.status(3), .status(9)].contains(result.ending), "\(result)")
        }
        #expect(server.requests.isEmpty)
        var put = person.oap(["profile", "set", "x"])
        put.input = .text(try person.home.read("workload.json"))
        try put.run().expect(status: 3)
    }

    @Test("a file whose endpoint is not Google's is refused")
    func otherEndpoint() throws {
        let file = try account("https://evil.example/token")
        try person.oap(["login", "sa", "--client-key-file", file, "--scope", "s"]).run().expect(status: 3)
            .expect(errorLine: "oap: login: token_uri is not an endpoint of Google")
    }

    private func account(_ endpoint: String) throws -> String {
        let file: JSONObject = [
            "type": "service_account", "private_key_id": "kid1", "private_key": .string(try RSAKey().pem),
            "client_email": "sa@p.iam.gserviceaccount.com", "token_uri": .string(endpoint),
        ]
        return try person.home.write(JSON.object(file).text, to: "sa.json")
    }

    @Test("logins that take their assertions from each other are told so, and do not wait for themselves")
    func circle() throws {
        let server = try server()
        let words = ["--grant", "jwt-bearer", "--token-endpoint", server.url("/token"), "--client-id", "c"]
        let own = ["--assertion-from", "ci", "--identity-audience", "a"]
        for name in ["one", "two"] {
            try person.oap(["login", name] + words + own, variables(server)).run().expect(status: 0)
        }
        let asked = "logins take their assertions from each other:"
        try person.oap(["login", "one"] + words + ["--assertion-from", "profile:one"], variables(server)).run()
            .expect(status: 3).expect(errorLine: "oap: login: \(asked) one, one")
        try person.oap(["login", "one"] + words + ["--assertion-from", "profile:two"], variables(server)).run()
            .expect(status: 0)
        try person.oap(["login", "two"] + words + ["--assertion-from", "profile:one"], variables(server)).run()
            .expect(status: 3).expect(errorLine: "oap: login: \(asked) two, one, two")
        // A renewal reads the profile before the stored token.
        for (name, chain) in [("one", "one, two, one"), ("two", "two, two")] {
            let client: JSONObject = ["assertion_from": .string("profile:\(name)")]
            try person.home.write(JSON.object(client).text, to: ".config/oap/profiles/two.json")
            try person.oap(["refresh", "two"], variables(server)).run().expect(status: 3)
                .expect(errorLine: "oap: refresh: \(asked) \(chain)")
            let token = try person.oap(["token", "two", "--min-ttl", "7200"], variables(server)).run()
                .expect(status: 0)
            #expect(token.errorText.contains("\(asked) \(chain)"), "\(token)")
        }
    }

    @Test("a token file names no other login, whose token its endpoint would get")
    func foreignFile() throws {
        let server = try server()
        let file: JSONObject = [
            "access_token": "a", "grant_type": "urn:ietf:params:oauth:grant-type:token-exchange", "client_id": "c",
            "token_endpoint": .string(server.url("/token")), "subject_token_from": "profile:npm",
        ]
        let path = try person.home.write(JSON.object(file).text, to: "token.json")
        try person.oap(["login", "npm", "--provider", "pypi", "host=\(server.url(""))"], variables(server)).run()
            .expect(status: 0)
        let asked = server.requests.count
        try person.oap(["refresh", "--token-file", path]).run().expect(status: 3)
        #expect(server.requests.count == asked)
    }

    @Test("a scope that no request brings is refused, that of a variable with a warning, and no token has it")
    func idleScope() throws {
        let (server, refused) = (try server(), "--scope has no effect: the server takes no scope")
        let app = [
            "login", "bot", "--provider", "github-app", "host=\(server.url(""))", "installation=7", "--client-id",
            "Iv1",
            "--client-key-file", try key(),
        ]
        try person.oap(app + ["--scope", "contents:read"]).run().expect(status: 2).expect(
            errorLine: "oap: login: \(refused)")
        let file = try account(server.url("/id"))
        try person.oap(["login", "run", "--client-key-file", file, "--audience", "https://a.example", "--scope", "s"])
            .run().expect(status: 2).expect(errorLine: "oap: login: \(refused)")
        #expect(server.requests.isEmpty)
        try person.oap(app, ["OAP_SCOPE": "contents:read"]).run().expect(status: 0)
            .expect(errorLine: "oap: login: warning: OAP_SCOPE has no effect: the server takes no scope")
        try person.oap(["refresh", "-p", "bot", "--scope", "x"]).run().expect(status: 2)
            .expect(errorLine: "oap: refresh: \(refused)")
        // A profile may have one.
        let profile = ".config/oap/profiles/bot.json"
        let client = try #require(try JSON(parsing: Array(person.home.read(profile).utf8)).object)
        try person.home.write(JSON.object(client.setting("scope", to: "s")).text, to: profile)
        try person.oap(["login", "bot"]).run().expect(status: 0)
        let stored = try person.oap(["token", "bot", "--document"]).run().expect(status: 0).object()
        #expect(stored["scope"] == nil)
        #expect(stored["requested_scope"] == nil)
        #expect(server.requests.count == 2)
        #expect(try server.requests.allSatisfy { try body($0) == [:] })
    }

    @Test("the scope of a service account is a parameter of its own")
    func impersonation() throws {
        let server = try Responder { request in
            request.target.hasSuffix(":generateAccessToken")
                ? .json(#"{"accessToken":"sa-1","expireTime":"2099-01-01T00:00:00Z"}"#)
                : .json(#"{"access_token":"at-1","token_type":"Bearer","expires_in":3600}"#)
        }
        let own = ["--grant", "client_credentials", "--token-endpoint", server.url("/token"), "--client-id", "c"]
        try person.oap(["login", "ci"] + own + ["--client-secret-file", try person.home.write("s", to: "secret")]).run()
            .expect(status: 0)
        let words = [
            "login", "sa", "--provider", "google-impersonation", "account=a@p.example", "--assertion-from",
            "profile:ci", "--token-endpoint", server.url("/a:generateAccessToken"),
        ]
        try person.oap(words + ["--scope", "https://s.example"]).run().expect(status: 2)
        try person.oap(words + ["--param", #"scopes=["https://s.example"]"#]).run().expect(status: 0)
        #expect(try body(try #require(server.requests.last)) == ["scope": .strings(["https://s.example"])])
    }

    @Test("what a server with ways of its own refuses is a refusal, with its reason")
    func refusals() throws {
        let invalid = #"{"message":"failed","errors":[{"code":"invalid-publisher","description":"no publisher"}]}"#
        let router = #"{"error":{"code":403,"message":"no policy"},"user_id":null}"#
        for (provider, words, status, answer, reason) in [
            ("pypi", [], 422, invalid, "invalid-publisher (no publisher)"),
            (
                "github-app", ["installation=7", "--client-id", "c", "--client-key-file", try key()], 422,
                #"{"message":"bad JWT","status":"401"}"#, "401 (bad JWT)"
            ),
            ("vault", ["role=r"], 403, #"{"errors":["permission denied"]}"#, "said permission denied"),
            ("openrouter", [], 403, router, "403 (no policy)"),
        ] {
            let server = try Responder { request in
                guard request.target.hasPrefix("/identity") else { return .json(answer, status: status) }
                let audience = request.target.components(separatedBy: "audience=").last?.removingPercentEncoding
                return .json(#"{"value":"\#(Self.jwt(audience ?? ""))"}"#)
            }
            let place =
                provider == "openrouter" ? ["--token-endpoint", server.url("/token")] : ["host=\(server.url(""))"]
            let result = try person.oap(["login", "x", "--provider", provider] + place + words, variables(server)).run()
                .expect(status: 4)
            #expect(result.errorText.contains(reason), "\(result)")
            #expect(!result.errorText.contains("client_secret"), "\(result)")
        }
    }

    @Test("an ID token of one server is the assertion at another, got anew for each request")
    func chain() throws {
        let server = try server()
        let endpoint = ["--token-endpoint", server.url("/token"), "--client-id", "c"]
        let first = [
            "login", "idp", "--grant", "token-exchange", "--subject-token-from", "ci", "--identity-audience", "a",
        ]
        try person.oap(first + endpoint, variables(server)).run().expect(status: 0)
        let second = ["login", "app", "--grant", "jwt-bearer", "--assertion-from", "profile:idp"]
        try person.oap(second + endpoint, variables(server)).run().expect(status: 0)
        #expect(server.requests.count == 5)
        let form = try FormEncoding.parse(try #require(server.requests.last).bodyText)
        #expect(form.first { $0.name == "assertion" }?.value == "at-1")
        let stored = try person.oap(["token", "app", "--document"]).run().expect(status: 0).object()
        #expect(stored["assertion_from"] == "profile:idp")
        #expect(stored["assertion"] == nil)
    }
}
