import Foundation
import TestSupport
import Testing
import Wire

@Suite("A secret that comes through a descriptor or a pipe")
struct LateSecretTests {
    @Test("a secret comes from a link to a descriptor too, and its pipe is not read where the document gives it twice")
    func pipes() throws {
        let server = try Responder { _ in .token }
        let home = try TemporaryDirectory()
        let link = home.path("link")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "/dev/stdin")
        let words = [
            "exchange", "--grant", "client_credentials", "--client-id", "c", "--token-endpoint", server.url("/token"),
        ]
        var program = Program.oap(words + ["-n", "--client-secret-file", link], input: .text("s3cret\n"))
        program.deadline = .seconds(15)
        try program.run().expect(status: 0)
        #expect(server.requests.map { $0.headers.first("Authorization") } == ["Basic YzpzM2NyZXQ="])
        try #require(mkfifo(home.path("pipe"), 0o600) == 0)
        let document: JSONObject = ["client_secret": "s", "client_secret_file": .string(home.path("pipe"))]
        program = Program.oap(words, input: document.input)
        program.deadline = .seconds(15)
        let result = try program.run().expect(status: 3)
        #expect(result.errorText.contains("the document has both client_secret and client_secret_file"), "\(result)")
    }
}
