import Foundation
import PlaySupport
import TestSupport
import Testing
import Wire

@Suite("oap jwk and oap jwt", .inProcessWithoutPauses)
struct KeyCommandTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    @Test("a key that opens what is encrypted says so, and signs nothing", arguments: ["ECDH-ES", "RSA-OAEP-256"])
    func encrypting(algorithm: String) throws {
        let key = try Program.oap(["jwk", "new", "--alg", algorithm]).run().expect(status: 0).object()
        #expect(key["use"] == "enc" && key["alg"] == .string(algorithm) && key["d"] != nil)
        let own = try Program.oap(["jwk", "public"], input: key.input).run().expect(status: 0).object()
        #expect(own["d"] == nil && own["use"] == "enc" && own["kid"] == key["kid"])
        let file = try folder.write(JSON.object(key).text, to: "enc")
        chmod(file, 0o600)
        let refused = try Program.oap(["jwt", "-n", "--client-key-file", file]).run().expect(status: 2)
        #expect(refused.errorText.contains("its use is"), "\(refused)")
    }

    @Test("a set shows the public half of each key, and registers the one that decrypts; a key is not overwritten")
    func set() throws {
        let keys = try ["ES256", "ECDH-ES"].map {
            try Program.oap(["jwk", "new", "--alg", $0, "--kid", $0]).run().expect(status: 0).object()
        }
        let set: JSONObject = ["keys": .array(keys.map { .object($0) })]
        let own = try Program.oap(["jwk", "public"], input: set.input).run().expect(status: 0).object()
        let shown = own["keys"]?.array?.compactMap(\.object) ?? []
        #expect(shown.map { $0["kid"] } == ["ES256", "ECDH-ES"] && shown.allSatisfy { $0["d"] == nil })
        let lines = try Program.oap(["jwk", "thumbprint"], input: set.input).run().expect(status: 0).text
        #expect(lines.split(separator: "\n").count == 2)
        let file = try folder.write(JSON.object(set).text, to: "set")
        chmod(file, 0o600)
        let server = try Responder { request in .json(request.bodyText, status: 201) }
        _ = try Program.oap([
            "register", "-n", "--registration-endpoint", server.url("/r"), "--client-key-file", file,
        ]).run()
        let sent = try #require(try JSON(parsing: server.requests[0].bodyText).object)
        let registered = sent["jwks"]?.object?["keys"]?.array?.compactMap(\.object) ?? []
        #expect(registered.map { $0["use"] } == ["sig", "enc"] && registered.allSatisfy { $0["d"] == nil })
        let before = try folder.read("set")
        try Program.oap(["jwk", "new", "-o", file]).run().expect(status: 11)
        #expect(try folder.read("set") == before)
    }

    @Test("jwk new with an operand prints no key, and names the option that writes one", arguments: ["k.json", ""])
    func operandOfNew(file: String) throws {
        let result = try Program.oap(["jwk", "new", "--alg", "ES256", file]).run().expect(status: 2)
        #expect(result.text == "")
        #expect(result.errorText.contains("-o \(file.isEmpty ? "''" : file)\n"), "\(result)")
    }

    @Test(
        "what is no key is exit 3, and what is missing exit 11",
        arguments: [
            "", "x", "{}", "[1]", #"{"kty":"RSA","n":"AQAB","e":"AQAB"}"#, #"{"keys":[]}"#, "-----BEGIN X-----",
        ])
    func bad(text: String) throws {
        for action in ["public", "thumbprint"] {
            let result = try Program.oap(["jwk", action], input: .text(text)).run().expect(status: 3)
            #expect(result.text == "" && result.errorText.contains("standard input"), "\(result)")
        }
        try Program.oap(["jwk", "public", folder.path("none")]).run().expect(status: 11)
    }

    @Test(
        "a secret that both sides share has no public half, and is never printed",
        arguments: [["public"], ["public", "--set"], ["thumbprint"]])
    func shared(action: [String]) throws {
        for use in ["", #","use":"enc""#, #","d":"x""#] {
            let key = #"{"kty":"oct","k":"c2VjcmV0c2VjcmV0"\#(use)}"#
            let result = try Program.oap(["jwk"] + action, input: .text(key)).run().expect(status: 3)
            #expect(result.text == "" && !result.errorText.contains("c2VjcmV0"), "\(result)")
        }
    }

    @Test("a key file that others can write is refused, one that they can read is told of")
    func rights() throws {
        let key = folder.path("key")
        try Program.oap(["jwk", "new", "-o", key]).run().expect(status: 0)
        for (mode, status) in [(0o644, 0), (0o666, 11)] as [(mode_t, Int)] {
            chmod(key, mode)
            let result = try Program.oap(["jwt", "-n", "--client-key-file", key]).run().expect(status: status)
            #expect(result.errorText.contains(status == 0 ? "other users can read" : "others can write to it"))
        }
    }
}
