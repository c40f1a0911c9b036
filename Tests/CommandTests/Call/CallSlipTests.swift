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

    @Test(
        "a method, a filter or a name in the place of another operand is answered with where it goes",
        arguments: [
            (["/user", "work"], "the name of the stored token comes before the URL", "oap call work URL"),
            (["POST", "/echo"], "the method is the value of an option, not an operand", "-X POST sets the method"),
            (["/user", ".login"], "the filter is the value of an option, not an operand", "--jq FILTER filters"),
            (["work", "POST", "/echo"], "more than 2 operands given: the one after URL is too many", "-X POST sets"),
            (["work", "/user", ".login"], "more than 2 operands given: the one after URL is too many", "--jq FILTER"),
            (
                ["work", "/user", "-qr", ".[]"], "more than 2 operands given: the one after URL is too many",
                "the word after -q is the filter: in joined letters, q comes last, as in -rq FILTER"
            ),
        ])
    func operands(words: [String], message: String, hint: String) throws {
        let result = try Program.oap(["call"] + words).run().expect(status: 2)
        result.expect(errorLine: "oap: call: \(message)")
        #expect(result.errorText.contains("oap: hint: \(hint)"), "\(result)")
    }

    @Test("a stored token may be named like a method")
    func methodName() throws {
        let managed = try ManagedHome(expiresIn: 3_600)
        let api = try Responder(.text("ok"))
        let token = #"{"access_token":"at","api_base":"\#(api.url())"}"#
        try managed.oap("store", "put", "GET", input: token).run().expect(status: 0)
        try managed.oap(["call", "GET", "/x"]).run().expect(status: 0).expect(output: "ok")
    }

    @Test("a file with curl's suffix in -F is answered with --form, and a field that comes twice is named")
    func fields() throws {
        for suffix in [";type=text/plain", ";filename=y"] {
            let result = try call(["-F", "file=@/nowhere/x.txt\(suffix)"], .text("ok")).expect(status: 11)
            result.expect(
                errorLine: "oap: hint: -F is --field, as in gh: --form sends a file as -F does in curl")
        }
        try call(["-f", "a[b]=1", "-F", "a[b]=2"], .text("ok")).expect(status: 2)
            .expect(errorLine: "oap: call: two fields set the same member: a[b]")
    }

    @Test("--json with what is not JSON is sent, with a warning and the spelling for a file of that name")
    func json() throws {
        let folder = try TemporaryDirectory()
        try folder.write(#"{"a":1}"#, to: "body.json")
        for (value, hint) in [
            ("body.json", "oap: hint: to send the file: --json @body.json\n"), ("{bad", ""), ("[1] 2", ""),
        ] {
            let responder = try Responder(.text("ok"))
            var program = Program.oap(["call", "/x", "--json", value], input: responder.token.input)
            program.directory = folder.path
            let result = try program.run().expect(status: 0)
            #expect(result.errorText == "oap: call: warning: the value of --json is not JSON\n\(hint)", "\(result)")
            #expect(responder.requests.first?.bodyText == value)
        }
        let deep = String(repeating: "[", count: 600) + String(repeating: "]", count: 600)
        for value in ["@\(folder.path("body.json"))", #"{"a":1,"a":2}"#, " 1 ", "", deep] {
            try call(["--json", value], .text("ok")).expect(status: 0).expectSilence()
        }
    }
}
