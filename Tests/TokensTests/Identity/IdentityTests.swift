import Errands
import OAuth
import TestSupport
import Testing
import Wire

@testable import Shell
@testable import Tokens

@Suite("The identity of a CI job or a workload")
struct IdentityTests {
    private typealias Scene = IdentityScene
    private static let jwt = Scene.jwt()
    private static let github = [
        "GITHUB_ACTIONS": "true", "ACTIONS_ID_TOKEN_REQUEST_URL": "https://gh.example/token?api-version=2.0",
        "ACTIONS_ID_TOKEN_REQUEST_TOKEN": "request-token",
    ]

    private func answer(_ member: String, _ value: String = jwt) -> ServerRequest.Result {
        Script.json(JSON.object(JSONObject(unique: [.init(name: member, value: .string(value))])).text)
    }

    private func failure(_ result: Result<Identity, Failure>) throws -> Failure {
        try #require(#expect(throws: Failure.self) { try result.get() })
    }

    private func fields(_ scene: Scene, _ number: Int = 0) -> [String] {
        scene.sent[number].message.headers.map { "\($0.name): \($0.value)" }
    }

    @Test("a job of GitHub gets its identity by one request, for the audience")
    func github() throws {
        let scene = try Scene(Self.github, [("https://gh.example/", answer("value"))])
        let identity = try scene.identity().get()
        #expect(identity.jwt.token == Self.jwt)
        #expect(identity.type == "urn:ietf:params:oauth:token-type:id_token")
        #expect(
            scene.sent.map(\.message.url) == [
                "https://gh.example/token?api-version=2.0&audience=https%3A%2F%2Fas.example"
            ])
        #expect(fields(scene).contains("Authorization: bearer request-token"))
        #expect(!scene.sent[0].withCertificate)
        let document = identity.document(for: "https://as.example")
        #expect(document["expires_at"] == .integer(1_800_000_300))
        #expect(document["from"] == "github")
    }

    @Test("a job that GitHub calls pending is asked for again, and a refusal ends with its reason")
    func pending() throws {
        let pending = Script.json(#"{"message":"The job is pending"}"#, status: 403)
        let scene = try Scene(Self.github)
        scene.script.answer = { [script = scene.script] _ in
            script.requests.count < 3 ? pending : answer("value")
        }
        #expect(try scene.identity().get().jwt.token == Self.jwt)
        #expect(scene.script.requests.count == 3)
        for (number, pause) in [(1, 1), (2, 2)] {
            #expect(
                scene.said.contains(
                    "fetching the identity of GitHub Actions: the job is pending there; "
                        + "trying again in \(pause).0 s (\(number) of 4)"), "\(scene.said)")
        }
        for (options, count) in [(["--retry", "0"], 1), (["--retry", "2"], 3), (["--retry-max-time", "4"], 3)] {
            let asked = try Scene(Self.github, [("https://", pending)], options)
            #expect(try failure(asked.identity()).exit == .loginNeeded)
            #expect(asked.sent.count == count, "\(options)")
        }
        let endless = try Scene(Self.github, [("https://", pending)])
        #expect(try failure(endless.identity()).exit == .loginNeeded)
        #expect(endless.sent.count == 5)
        let refused = try Scene(
            Self.github, [("https://", Script.json(#"{"message":"no such permission"}"#, status: 403))])
        let failure = try failure(refused.identity())
        #expect(failure.exit == .loginNeeded)
        #expect(failure.message.contains("no such permission"))
        #expect(refused.sent.count == 1)
    }

    @Test(
        "a variable that is missing is named, with the other and with what would set it",
        arguments: [
            (
                ["GITHUB_ACTIONS": "true"], "neither ACTIONS_ID_TOKEN_REQUEST_URL nor ACTIONS_ID_TOKEN_REQUEST_TOKEN",
                "id-token: write"
            ),
            (["GITHUB_ACTIONS": "true", "ACTIONS_ID_TOKEN_REQUEST_URL": "https://x.example"], "only one of", "fork"),
            (["GITLAB_CI": "true"], "HTTPS___AS_EXAMPLE_ID_TOKEN is not set", "id_tokens"),
            (
                ["TF_BUILD": "True", "SYSTEM_OIDCREQUESTURI": "https://x.example"],
                "only one of SYSTEM_OIDCREQUESTURI and SYSTEM_ACCESSTOKEN", "$(System.AccessToken)"
            ),
            (
                ["IDENTITY_ENDPOINT": "http://127.0.0.1:1/"], "only one of IDENTITY_ENDPOINT and IDENTITY_HEADER",
                "managed identity"
            ),
            (["AWS_CONTAINER_CREDENTIALS_RELATIVE_URI": "/x"], "neither AWS_REGION nor AWS_DEFAULT_REGION", "region"),
            (["KUBERNETES_SERVICE_HOST": "10.0.0.1"], "is missing", ""),
            ([:], "no variable names one", "the identity: --from PLATFORM, or --env NAME"),
            (
                ["GITHUB_ACTIONS": "false", "GITLAB_CI": "", "BUILDKITE": "0", "CIRCLECI": "False", "TF_BUILD": "no"],
                "no variable names one", "the identity: --from PLATFORM, or --env NAME"
            ),
        ] as [([String: String], String, String)])
    func missing(variables: [String: String], message: String, hint: String) throws {
        let scene = try Scene(variables)
        let failure = try failure(scene.identity())
        #expect(failure.exit == .loginNeeded)
        #expect(failure.kind == .identityMissing)
        #expect(failure.message.contains(message), "\(failure.message)")
        #expect((failure.hint ?? "").contains(hint), "\(failure.hint ?? "")")
        #expect(scene.sent.isEmpty)
    }

    @Test("what is no JWT, for another audience or over is refused, whoever gave it")
    func unusable() throws {
        for (text, exit) in [
            ("eyJ", .badAnswer), (Scene.jwt("https://other.example"), .insecure),
            (Scene.jwt(end: 1_700_000_000), .loginNeeded), (Scene.jwt(end: 1, ["exp": "1"]), .badAnswer),
            (Scene.jwt(end: 1, ["exp": .number("1e30")]), .badAnswer), (Scene.jwt(.strings(["a", "b"])), .insecure),
        ] as [(String, Exit)] {
            let scene = try Scene(Self.github, [("https://", answer("value", text))])
            #expect(try failure(scene.identity()).exit == exit, "\(text)")
            let variable = try Scene(["GITLAB_CI": "true", "HTTPS___AS_EXAMPLE_ID_TOKEN": text])
            #expect(try failure(variable.identity()).exit == exit, "\(text)")
        }
        let other = try Scene(Self.github, [("https://", answer("value", Scene.jwt("https://other.example")))])
        let message = try failure(other.identity()).message
        #expect(message.contains("https://other.example"))
        #expect(message.contains("https://as.example"))
        let several = try Scene(
            Self.github, [("https://", answer("value", Scene.jwt(.strings(["a", "https://as.example"]))))])
        #expect(try several.identity().get().origin == "github")
    }

    @Test("an answer that is a page, a redirect, empty or without the member is no identity")
    func answers() throws {
        let page = HTTPResponse(
            head: HTTPResponseHead(status: 203, headers: [HTTPField("Content-Type", "text/html")]),
            body: Array("<html><title>Sign in</title>".utf8))
        let redirect = HTTPResponse(
            head: HTTPResponseHead(status: 302, headers: [HTTPField("Location", "https://login.example/")]), body: [])
        for result in [.success(page), .success(redirect), Script.json(""), Script.json("{}"), Script.json("[]")]
            as [ServerRequest.Result]
        {
            let scene = try Scene(Self.github, [("https://", result)])
            #expect([.badAnswer, .insecure].contains(try failure(scene.identity()).exit), "\(result)")
        }
        let late = try Scene(Self.github, [("https://", Script.json("{}", status: 408))])
        #expect(try failure(late.identity()).exit == .unavailable)
        let down = try Scene(Self.github, [("https://", Script.json("", status: 503))])
        #expect(try failure(down.identity()).exit == .unavailable)
        #expect(down.sent.count > 2)
    }

    @Test("GitLab's variable is the audience in capitals, and another one is named by --env")
    func gitlab() throws {
        let scene = try Scene(["GITLAB_CI": "true", "SIGSTORE_ID_TOKEN": Scene.jwt("sigstore")])
        let identity = try scene.identity(for: "sigstore").get()
        #expect(identity.origin == "gitlab")
        #expect(identity.isStatic)
        let terraform = try Scene(["TFC_WORKLOAD_IDENTITY_TOKEN": Self.jwt])
        #expect(try terraform.identity().get().isStatic)
        let fresh = try Scene(Self.github, [("https://", answer("value"))])
        #expect(try !fresh.identity().get().isStatic)
        for (name, audience) in [
            ("NPM_ID_TOKEN", "npm:registry.npmjs.org"), ("PYPI_ID_TOKEN", "testpypi"), ("SIGSTORE_ID_TOKEN", "x"),
        ] {
            let named = try Scene(["GITLAB_CI": "true", name: Scene.jwt(.string(audience)), "OTHER_ID_TOKEN": "x"])
            #expect(try named.identity(for: audience).get().origin == "gitlab", "\(name)")
            let other = try failure(named.identity(for: "other.example"))
            #expect(other.message.contains("OTHER_EXAMPLE_ID_TOKEN is not set"))
        }
        let digit = try Scene(["GITLAB_CI": "true", "_1PASSWORD_COM_ID_TOKEN": Scene.jwt("1password.com")])
        #expect(try digit.identity(for: "1password.com").get().origin == "gitlab")
    }

    @Test("Buildkite's program is asked, and where it is missing its API")
    func buildkite() throws {
        let variables = [
            "BUILDKITE": "true", "BUILDKITE_JOB_ID": "job 1", "BUILDKITE_AGENT_ACCESS_TOKEN": "agent-token",
        ]
        let scene = try Scene(variables, [("https://agent.buildkite.com/v3/jobs/", answer("token"))])
        scene.script.end = { _ in .ended(status: 0, output: Array((Self.jwt + "\n").utf8)) }
        #expect(try scene.identity().get().jwt.token == Self.jwt)
        #expect(
            scene.script.programs == [["buildkite-agent", "oidc", "request-token", "--audience", "https://as.example"]])
        #expect(scene.sent.isEmpty)
        scene.script.end = { _ in .notStarted(.noSuchFile) }
        #expect(try scene.identity().get().jwt.token == Self.jwt)
        #expect(scene.sent[0].message.url.hasSuffix("/jobs/job+1/oidc/tokens"))
        #expect(fields(scene).contains("Authorization: Token agent-token"))
        #expect(scene.sent[0].message.body == Array(#"{"audience":"https://as.example"}"#.utf8))
        scene.script.end = { _ in .ended(status: 1, output: []) }
        #expect(try failure(scene.identity()).exit == .loginNeeded)
        scene.script.end = { _ in .late }
        let late = try failure(scene.identity())
        #expect(late.exit == .unavailable)
        #expect(late.message.contains("buildkite-agent took longer than 30 seconds"))
    }

    @Test("CircleCI's program is asked for the audience; its variables have another one")
    func circleci() throws {
        let scene = try Scene(["CIRCLECI": "true", "CIRCLE_OIDC_TOKEN_V2": Scene.jwt("org-id")])
        scene.script.end = { _ in .ended(status: 0, output: Array(Self.jwt.utf8)) }
        #expect(try scene.identity().get().jwt.token == Self.jwt)
        #expect(scene.script.programs[0].last == #"{"aud":"https://as.example"}"#)
        scene.script.end = { _ in .notStarted(.noSuchFile) }
        #expect(try failure(scene.identity()).kind == .identityAudience)
        #expect(try scene.identity(for: "org-id").get().origin == "circleci")
    }

    @Test("Azure Pipelines is asked for a service connection, without the redirect to its login page")
    func azurePipelines() throws {
        var variables = [
            "TF_BUILD": "True", "SYSTEM_OIDCREQUESTURI": "https://vsts.example/oidc",
            "SYSTEM_ACCESSTOKEN": "system-token",
        ]
        let scene = try Scene(variables, [("https://vsts.example/", answer("oidcToken"))])
        #expect(try failure(scene.identity()).message.contains("AZURESUBSCRIPTION_SERVICE_CONNECTION_ID"))
        #expect(try scene.identity(as: "c 1").get().origin == "azure-pipelines")
        #expect(scene.sent[0].message.url == "https://vsts.example/oidc?api-version=7.1&serviceConnectionId=c+1")
        #expect(fields(scene).contains("X-TFS-FedAuthRedirect: Suppress"))
        variables["AZURESUBSCRIPTION_SERVICE_CONNECTION_ID"] = "c2"
        let named = try Scene(variables, [("https://vsts.example/", answer("oidcToken"))])
        _ = try named.identity().get()
        #expect(named.sent[0].message.url.hasSuffix("=c2"))
    }

    @Test("Google's metadata service must say who it is, and gives the identity as text")
    func google() throws {
        func plain(_ text: String, _ flavor: String?) -> ServerRequest.Result {
            let headers = flavor.map { [HTTPField("Metadata-Flavor", $0)] } ?? []
            return .success(HTTPResponse(head: HTTPResponseHead(status: 200, headers: headers), body: Array(text.utf8)))
        }
        let place = "http://metadata.google.internal/computeMetadata/v1/instance/service-accounts/default/"
        let scene = try Scene([:], [(place, plain(Self.jwt, "Google"))])
        #expect(try scene.identity(from: .google).get().jwt.token == Self.jwt)
        #expect(scene.sent[0].isForMetadata)
        #expect(scene.sent[0].route == nil)
        #expect(scene.sent[0].message.url == place + "identity?audience=https%3A%2F%2Fas.example&format=full")
        for flavor in [nil, "Other"] {
            let other = try Scene(
                ["GCE_METADATA_HOST": "127.0.0.1:1"], [("http://127.0.0.1:1/", plain(Self.jwt, flavor))])
            #expect(try failure(other.identity()).exit == .badAnswer)
        }
        let account = try Scene(
            [:],
            [
                (place + "token", plain(#"{"access_token":"own"}"#, "Google")),
                (
                    "https://iamcredentials.googleapis.com/v1/projects/-/serviceAccounts/a%40x:generateIdToken",
                    answer("token")
                ),
            ])
        #expect(try account.identity(from: .google, as: "a@x").get().jwt.token == Self.jwt)
        #expect(fields(account, 1).contains("Authorization: Bearer own"))
        #expect(!account.sent[1].isForMetadata)
    }

    @Test("Azure: the file of workload identity, else App Service, else the virtual machine")
    func azure() throws {
        let scene = try Scene([:])
        let path = try scene.file(Self.jwt + "\n")
        let file = try Scene(["AZURE_FEDERATED_TOKEN_FILE": path])
        #expect(try file.identity().get().jwt.token == Self.jwt)
        let app = try Scene(
            ["IDENTITY_ENDPOINT": "http://127.0.0.1:1/msi", "IDENTITY_HEADER": "secret"],
            [("http://127.0.0.1:1/msi?api-version=2019-08-01&resource=", answer("access_token"))])
        #expect(try app.identity().get().type == "urn:ietf:params:oauth:token-type:jwt")
        #expect(fields(app).contains("X-IDENTITY-HEADER: secret"))
        let machine = try Scene(
            [:], [("http://169.254.169.254/metadata/identity/oauth2/token?", answer("access_token"))])
        #expect(try machine.identity(from: .azure, as: "id").get().origin == "azure")
        #expect(machine.sent[0].message.url.hasSuffix("client_id=id"))
        #expect(fields(machine).contains("Metadata: true"))
    }

    @Test("Azure's machine is asked again while it is being updated, and one that does not answer only briefly")
    func azureBusy() throws {
        let failures = [404, 410, 429, 500].map { Script.json("{}", status: $0) }
        let scene = try Scene([:])
        scene.script.answer = { [script = scene.script] _ in
            script.requests.count <= 4 ? failures[script.requests.count - 1] : answer("access_token")
        }
        #expect(try scene.identity(from: .azure).get().jwt.token == Self.jwt)
        #expect(scene.said.contains("answered 410; trying again in"))
        for (options, count) in [(["--retry", "0"], 1), (["--retry", "3"], 4)] {
            let asked = try Scene([:], [("http://", failures[1])], options)
            #expect(try failure(asked.identity(from: .azure)).exit == .unavailable)
            #expect(asked.sent.count == count, "\(options)")
        }
        let none = try Scene([:], [("http://", Script.json(#"{"error":"invalid_request"}"#, status: 400))])
        #expect(try failure(none.identity(from: .azure)).exit == .loginNeeded)
        #expect(none.sent.count == 1)
        let silent = try Scene([:])
        silent.script.latency = 5000
        #expect(try failure(silent.identity(from: .azure)).exit == .unavailable)
        #expect(silent.script.requests.count == 1)
        #expect(silent.script.passed == 5000)
        let absent = try Scene([:])
        absent.script.latency = 1000
        #expect(try failure(absent.identity(from: .azure)).exit == .unavailable)
        #expect(absent.script.passed <= 6000)
    }

    @Test("Kubernetes: the pod's token for its audience, else one of the API server for the same account")
    func kubernetes() throws {
        let others: JSONObject = ["sub": "system:serviceaccount:ns:robot"]
        let own = Scene.jwt("https://kubernetes.default.svc", others)
        let scene = try Scene(
            ["KUBERNETES_SERVICE_HOST": "10.0.0.1", "KUBERNETES_SERVICE_PORT": "443"],
            [("https://10.0.0.1:443/", Script.json(#"{"status":{"token":"\#(Self.jwt)"}}"#, status: 201))])
        _ = try scene.file(own)
        _ = try scene.file("", "ca.crt")
        #expect(try scene.identity(for: nil).get().jwt.token == own)
        #expect(scene.sent.isEmpty)
        #expect(try scene.identity().get().jwt.token == Self.jwt)
        #expect(scene.sent[0].message.url == "https://10.0.0.1:443/api/v1/namespaces/ns/serviceaccounts/robot/token")
        #expect(scene.sent[0].route?.caCertificateFile == scene.folderPath + "/ca.crt")
        #expect(fields(scene).contains("Authorization: Bearer \(own)"))
        let body = try JSON(parsing: scene.sent[0].message.body ?? []).object?["spec"]
        #expect(body == .object(["audiences": .strings(["https://as.example"]), "expirationSeconds": 600]))
    }
}
