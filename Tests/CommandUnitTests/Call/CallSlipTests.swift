import PlaySupport
import TestSupport
import Testing
import Wire

@testable import CommandSupport

@Suite("Slips in the command line of oap call", .inProcess)
struct CallSlipTests {
    @Test("a stored token may be named like a method")
    func methodName() throws {
        let managed = try ManagedHome(expiresIn: 3_600)
        let api = try Responder(.text("ok"))
        let token = #"{"access_token":"at","api_base":"\#(api.url())"}"#
        try managed.oap("store", "put", "GET", input: token).run().expect(status: 0)
        try managed.oap(["call", "GET", "/x"]).run().expect(status: 0).expect(output: "ok")
    }

    @Test("a file with curl's suffix in -F is answered with --form")
    func fields() throws {
        for suffix in [";type=text/plain", ";filename=y"] {
            let result = try call(["-F", "file=@/nowhere/x.txt\(suffix)"], .text("ok")).expect(status: 11)
            result.expect(
                errorLine: "oap: hint: -F is --field, as in gh: --form sends a file as -F does in curl")
        }
    }

    @Test("a file in -F is sent as JSON text, as in gh, and a line names the option for curl's -F")
    func file() throws {
        let folder = try TemporaryDirectory()
        let file = try folder.write("text", to: "f.txt")
        let line = "oap: call: -F sends the file as JSON text, as in gh; for a form as in curl: --form\n"
        #expect(try call(["-F", "file=@\(file)"], .text("ok")).expect(status: 0).errorText == line)
        for words in [["-F", "a=1"], ["-f", "a=@x"], ["--form", "a=@\(file)"]] {
            try call(words, .text("ok")).expect(status: 0).expectSilence()
        }
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
