import TestSupport
import Testing
import Wire

/// What the README promises.
@Suite("Examples")
struct ContractExampleTests {
    @Test("a CI job fetches a token")
    func continuousIntegration() throws {
        let responder = try Responder(.token)
        try Program.shell(
            "oap exchange -n --grant client_credentials --token-endpoint $URL --client-id ci --jq .access_token -r",
            environment: ["URL": responder.url("/token"), "OAP_CLIENT_SECRET": "hunter2"]
        ).run().expect(status: 0).expect(output: "new-access\n").expectSilence()
    }

    @Test("a person logs in, in one pipe, with a script for the browser")
    func login() throws {
        let responder = try Responder(
            .json(#"{"access_token":"tok","token_type":"bearer","refresh_token":"r","expires_in":3600}"#),
            .json(#"[{"full_name":"a/b"},{"full_name":"c/d"}]"#))
        let script = """
            set -o pipefail
            oap authurl --redirect-uri http://127.0.0.1:9/cb --scope repo |
                jq -c '.callback_url = .redirect_uri + "?code=x&state=" + .state' |
                oap callback-parse | oap exchange -o token.json &&
            oap call /user/repos --jq '.[].full_name' -r < token.json
            """
        let folder = try TemporaryDirectory()
        var program = Program.shell(
            script,
            input: responder.client.with([
                "authorization_endpoint": "https://as.example/a", "api_base": .string(responder.url("/api")),
            ]).input)
        program.directory = folder.path
        try program.run().expect(status: 0).expect(output: "a/b\nc/d\n").expectSilence()
        #expect(try folder.permissions("token.json") == 0o600)
        #expect(responder.requests.last?.lines.first == "GET /api/user/repos HTTP/1.1")
    }

    @Test("curl gets the header of oap token without the token in an argument")
    func header() throws {
        let responder = try Responder(.text("ok"))
        try Program.shell(
            #"oap refresh --if-expired -rq '"Authorization: Bearer " + .access_token' | curl -fsS -H @- "$URL""#,
            input: responder.token.input, environment: ["URL": responder.url("/me")]
        ).run().expect(status: 0).expect(output: "ok")
        #expect(responder.requests.first?.headers.first("Authorization") == "Bearer old-access")
    }
}
