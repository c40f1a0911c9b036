import TestSupport
import Testing
import Wire

@Suite("Slips in the command line of oap call")
struct CallSlipTests {
    @Test(
        "a character that a URL cannot hold is named with the code for it, and nothing is sent",
        arguments: [
            ("/x?q=a b", "query has a space", "%20 instead, or use --query NAME=VALUE"),
            ("/a b?q=c", "path has a space", "%20 instead"),
            ("https://api.example/a b", "URL has a space", "%20 instead"),
            ("https://api.example/?q=\"", "query has the character \", which a URL cannot hold", "%22 instead, or use"),
            ("/a\n", "path has a control character", "%0A instead"),
        ])
    func character(target: String, message: String, hint: String) throws {
        let responder = try Responder(.text("ok"))
        let result = try Program.oap(["call", target], input: responder.token.input).run().expect(status: 2)
        result.expect(errorLine: "oap: call: the \(message)")
        #expect(result.errorText.contains("oap: hint: write \(hint)"), "\(result)")
        #expect(responder.connectionCount == 0)
    }
}
