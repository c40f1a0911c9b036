import PlaySupport
import TestSupport
import Testing
import Wire

@Suite("The claims of oap jwt", .inProcess)
struct JWTClaimTests {
    private let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
        try Program.oap(["jwk", "new", "-o", folder.path("key")]).run().expect(status: 0)
    }

    private func sign(_ words: [String]) throws -> ProgramResult {
        try Program.oap(["jwt", "-n", "--client-key-file", folder.path("key")] + words).run()
    }

    @Test("--claim-json sets a value that is no text, and the times of --claim are numbers")
    func values() throws {
        let jwt = try sign([
            "--claim-json", #"events={"a":{}}"#, "--claim", "exp=4000000000", "--claim", "nbf=5", "--claim", "sub=7",
            "--claim-json", "aud=[1]",
        ]).expect(status: 0).text
        let claims = try Program.oap(["inspect", "--raw", "-q", ".claims"], input: .text(jwt)).run().object()
        #expect(claims["events"] == .object(["a": .object([:])]))
        #expect(claims["exp"] == .integer(4_000_000_000))
        #expect(claims["nbf"] == .integer(5))
        #expect(claims["sub"] == "7")
        #expect(claims["aud"] == .array([.integer(1)]))
    }

    @Test("what is no JSON, and no name, is refused", arguments: ["a=b", "a", "=1"])
    func refused(text: String) throws { try sign(["--claim-json", text]).expect(status: 2).expect(nowhere: "eyJ") }
}
