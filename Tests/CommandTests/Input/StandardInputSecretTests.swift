import TestSupport
import Testing

@Suite("A secret on standard input")
struct StandardInputSecretTests {
    private static let grant = ["exchange", "--grant", "client_credentials", "--client-id", "c"]

    @Test("- is standard input where no document is read from it")
    func standardInput() throws {
        let server = try Responder(.token)
        let options = ["--token-endpoint", server.url(), "--token-endpoint-auth-method", "client_secret_post"]
        let words = Self.grant + options + ["--client-secret-file", "-"]
        try Program.oap(words + ["-n"], input: .text("s3cret\n")).run().expect(status: 0)
        #expect(server.requests.first?.bodyText.contains("client_secret=s3cret") == true)
        let refused = try Program.oap(words, input: .text("s3cret\n")).run().expect(status: 2)
        refused.expect(
            errorLine:
                "oap: exchange: --client-secret-file - is standard input, which the command reads for something else")
    }
}
