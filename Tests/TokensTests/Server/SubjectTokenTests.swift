import PlaySupport
import TestSupport
import Testing
import Wire

@Suite("The subject of a token exchange", .inProcessWithoutPauses)
struct SubjectTokenTests {
    private let server: Responder

    init() throws {
        server = try Responder { _ in .json(#"{"access_token":"new","token_type":"Bearer","expires_in":60}"#) }
    }

    private func exchange(_ more: JSONObject = [:], _ options: String...) throws -> ProgramResult {
        try Program.oap(
            ["exchange", "--grant", "token-exchange"] + options,
            input: server.token.with(["scope": "a b", "id_token": "the-id-token"]).with(more).input
        ).run()
    }

    private func sent() throws -> [String] {
        try #require(server.requests.last).bodyText.split(separator: "&").map(String.init)
    }

    private static func type(_ name: String) -> String {
        "subject_token_type=urn%3Aietf%3Aparams%3Aoauth%3Atoken-type%3A\(name)"
    }

    @Test("without one it is the access token of the document, and nothing of its login stays in the new document")
    func ofDocument() throws {
        let token = try exchange().expect(status: 0).object()
        let form = try sent()
        #expect(form.contains("subject_token=old-access") && form.contains(Self.type("access_token")))
        #expect(!form.contains { $0.hasPrefix("scope=") })
        #expect(token["access_token"] == "new")
        for name in ["refresh_token", "subject_token", "id_token"] { #expect(token[name] == nil, "\(name)") }
        _ = try exchange([:], "--scope", "a").expect(status: 0)
        #expect(try sent().contains("scope=a"))
    }

    @Test("its type may be named, by the name of RFC 8693 or as a URI, and id_token means the ID token")
    func types() throws {
        _ = try exchange([:], "--subject-token-type", "jwt").expect(status: 0)
        #expect(try sent().contains(Self.type("jwt")) && sent().contains("subject_token=old-access"))
        _ = try exchange([:], "--subject-token-type", "id_token").expect(status: 0)
        #expect(try sent().contains(Self.type("id_token")) && sent().contains("subject_token=the-id-token"))
        _ = try exchange([:], "--subject-token-type", "urn:x:y").expect(status: 0)
        #expect(try sent().contains("subject_token_type=urn%3Ax%3Ay"))
        try exchange([:], "--subject-token-type", "nonsense").expect(status: 2)
        _ = try exchange([:], "--param", "subject_token_type=urn:z").expect(status: 0)
        #expect(try sent().contains("subject_token_type=urn%3Az"))
        let others = try Program.oap(
            ["exchange", "--grant", "client_credentials", "--subject-token-type", "jwt"], input: server.token.input
        ).run().expect(status: 2)
        #expect(others.errorText.contains("--subject-token-type needs --grant token-exchange"), "\(others)")
    }

    @Test("one that is named is the subject")
    func named() throws {
        _ = try exchange(["subject_token": "mine"], "--subject-token-type", "jwt").expect(status: 0)
        #expect(try sent().contains("subject_token=mine") && sent().contains(Self.type("jwt")))
        _ = try exchange(["token_params": .object(["subject_token": "other", "subject_token_type": "urn:t"])])
            .expect(status: 0)
        #expect(try sent().contains("subject_token=other") && sent().contains("subject_token_type=urn%3At"))
    }

    @Test("the hint for a missing one names both ways")
    func missing() throws {
        let result = try Program.oap(
            ["exchange", "--grant", "token-exchange"], input: server.client.input
        ).run().expect(status: 3)
        #expect(result.errorText.contains("access_token; or use --subject-token-file"), "\(result)")
    }

    @Test("a token of a file is an access token unless a type is named, and an exchange takes audiences")
    func files() throws {
        let folder = try TemporaryDirectory()
        let (subject, actor) = (try folder.write("a\n", to: "subject"), try folder.write("b\n", to: "actor"))
        let files = ["--subject-token-file", subject, "--actor-token-file", actor]
        func sent(_ options: [String]) throws -> [String: [String]] {
            let words = ["exchange", "--grant", "token-exchange"] + files + options
            try Program.oap(words, input: server.client.input).run().expect(status: 0)
            let form = try FormEncoding.parse(server.requests.last?.bodyText ?? "")
            return Dictionary(grouping: form, by: \.name).mapValues { $0.map(\.value) }
        }
        let type = "urn:ietf:params:oauth:token-type:"
        let plain = try sent(["--audience", "x", "--audience", "y"])
        #expect(plain["subject_token_type"] == [type + "access_token"])
        #expect(plain["actor_token_type"] == [type + "access_token"])
        #expect(plain["actor_token"] == ["b"])
        #expect(plain["audience"] == ["x", "y"])
        let typed = try sent(["--actor-token-type", "jwt", "--param", "subject_token_type=urn:x"])
        #expect(typed["actor_token_type"] == [type + "jwt"])
        #expect(typed["subject_token_type"] == ["urn:x"])
        let alone = try exchange([:], "--actor-token-type", "jwt").expect(status: 2)
        alone.expect(errorLine: "oap: hint: use --actor-token-file PATH and --actor-token-type TYPE")
    }

    @Test("a login by a token exchange takes the type and the audience, and sends them at each renewal")
    func login() throws {
        let home = try TemporaryDirectory()
        let file = try home.write("the-jwt\n", to: "subject")
        func oap(_ words: String...) throws -> ProgramResult {
            try Program.oap(words, environment: ["HOME": home.path]).run()
        }
        try oap(
            "login", "te", "--grant", "token-exchange", "--subject-token-file", file, "--subject-token-type", "jwt",
            "--audience", "api", "--client-id", "c", "--token-endpoint", server.url("/token")
        ).expect(status: 0)
        try oap("token", "te", "--min-ttl", "100").expect(status: 0)
        #expect(server.requests.count == 2)
        for request in server.requests {
            let form = try FormEncoding.parse(request.bodyText)
            #expect(form.contains { $0 == ("subject_token_type", "urn:ietf:params:oauth:token-type:jwt") })
            #expect(form.contains { $0 == ("audience", "api") })
        }
        try oap("login", "x", "--subject-token-type", "jwt").expect(status: 2)
    }
}
