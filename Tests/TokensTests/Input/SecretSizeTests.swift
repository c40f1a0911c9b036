import PlaySupport
import TestSupport
import Testing
import Wire

@Suite("The size of a secret", .inProcessWithoutPauses)
struct SecretSizeTests {
    @Test("a secret of more than 64 KiB is refused by the name of its file or variable, and nothing is sent")
    func large() throws {
        let responder = try Responder(.token)
        let folder = try TemporaryDirectory()
        let text = String(repeating: "a", count: 65_537)
        let file = try folder.write(text, to: "secret")
        let options = ["refresh", "--client-secret-file", file]
        let inFile = try Program.oap(options, input: responder.token.input).run().expect(status: 11)
        inFile.expect(errorLine: "oap: refresh: \(file) is larger than 65536 bytes")
        let inVariable = try Program.oap(
            ["refresh"], input: responder.token.input, environment: ["OAP_CLIENT_SECRET": text]
        ).run().expect(status: 3)
        inVariable.expect(errorLine: "oap: refresh: OAP_CLIENT_SECRET is larger than 65536 bytes")
        #expect(responder.connectionCount == 0)
        try folder.write(String(text.dropLast()), to: "secret")
        try Program.oap(options, input: responder.token.input).run().expect(status: 0)
    }
}
