import PlaySupport
import TestSupport
import Testing

@Suite("The path of a secret", .inProcess)
struct SecretPathTests {
    private static let grant = ["exchange", "--grant", "client_credentials", "--client-id", "c"]

    @Test(
        "an option whose path is empty needs one, as one whose variable is not set",
        arguments: ["--client-secret-file", "--client-key-file", "--cacert", "--output", "--error-document"])
    func empty(option: String) throws {
        let result = try Program.oap(Self.grant + ["-n", "--token-endpoint", "http://127.0.0.1:1/", option, ""]).run()
        result.expect(status: 2).expect(errorLine: "oap: exchange: \(option) needs a path")
    }

    @Test(
        "an empty variable for the path of the secret is an error, as one for the secret, unless the client has none",
        arguments: [
            ([], "OAP_CLIENT_SECRET_FILE is set but empty"),
            (["client_secret_basic"], "OAP_CLIENT_SECRET_FILE is set but empty"),
            (["none"], "the token endpoint http://127.0.0.1:1/: connection to 127.0.0.1 port 1 refused"),
        ])
    func emptyVariable(method: [String], message: String) throws {
        let options = ["--token-endpoint", "http://127.0.0.1:1/", "--client-id", "c", "--retry", "0"]
        let result = try Program.oap(
            ["refresh", "-n"] + options + method.flatMap { ["--token-endpoint-auth-method", $0] },
            environment: ["OAP_CLIENT_SECRET_FILE": "", "OAP_REFRESH_TOKEN": "r"]
        ).run()
        result.expect(status: method == ["none"] ? 6 : 3).expect(errorLine: "oap: refresh: \(message)")
    }

    @Test("a profile names no standard input")
    func profile() throws {
        let result = try Program.oap(["profile", "set", "p", "-n", "--client-id", "c", "--client-secret-file", "-"])
            .run().expect(status: 2)
        result.expect(
            errorLine: """
                oap: profile: --client-secret-file: a profile cannot name a descriptor, which exists in one process only
                """)
    }
}
