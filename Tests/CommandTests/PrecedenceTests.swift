import CommandSpec
import TestSupport
import Testing
import Wire

@testable import Commands

@Suite("Where a member comes from")
struct PrecedenceTests {
    @Test(
        "an option beats the document, which beats the environment",
        arguments: [
            (["--client-id", "option"], #","client_id":"document""#, "option"),
            ([], #","client_id":"document""#, "document"), ([], "", "environment"),
        ])
    func order(options: [String], member: String, expected: String) throws {
        try Program.oap(
            ["authurl", "-q", ".client_id", "-r"] + options,
            input: .text(#"{"authorization_endpoint":"https://as.example/a"\#(member)}"#),
            environment: ["OAP_CLIENT_ID": "environment"]
        ).run().expect(status: 0).expect(output: expected + "\n")
    }

    @Test("every variable that the manual names is read")
    func documentedVariables() throws {
        let options = try #require(Command.named("authurl")).record.options.filter { $0.variable != nil }
        #expect(options.count > 5)
        for option in options {
            let member = option.long.replacing("-", with: "_")
            let value = option.choices.first ?? (member.hasSuffix("_file") ? "/value" : "https://value.example/")
            var environment = [
                "OAP_CLIENT_ID": "client", "OAP_AUTHORIZATION_ENDPOINT": "https://as.example/",
                "OAP_TOKEN_ENDPOINT": "https://as.example/",
            ]
            environment[try #require(option.variable)] = value
            let result = try Program.oap(["authurl"], input: .text(#"{"a":1}"#), environment: environment).run()
            #expect(try result.expect(status: 0).object()[member] == .string(value), "\(member): \(result)")
        }
    }

    @Test("a variable that is empty counts as unset")
    func emptyVariable() throws {
        let result = try Program.oap(
            ["authurl", "-n"], environment: ["OAP_CLIENT_ID": "", "OAP_AUTHORIZATION_ENDPOINT": "https://as.example/"]
        ).run()
        #expect(try result.expect(status: 3).object()["error"] == "metadata_missing")
    }

    @Test("a token's own scope is not replaced by the variable of the client's")
    func scopeOfToken() throws {
        let result = try Program.oap(
            ["refresh", "--if-expired"], input: .text(#"{"access_token":"a"}"#), environment: ["OAP_SCOPE": "wide"]
        ).run()
        result.expect(status: 0).expect(output: #"{"access_token":"a"}"# + "\n")
    }

    @Test("a bad value is exit 2 from an option and exit 3 from the document")
    func blame() throws {
        let endpoint = "not a url"
        let document: JSONObject = ["client_id": "c", "authorization_endpoint": .string(endpoint)]
        try Program.oap(["authurl"], input: document.input).run().expect(status: 3)
        try Program.oap(["authurl", "-n", "--client-id", "c", "--authorization-endpoint", endpoint]).run()
            .expect(status: 2)
    }

    @Test("an unknown member and the text of a number pass through every stage")
    func unknownMembers() throws {
        let responder = try Responder(.token, .token)
        let document: JSONObject = responder.client.with([
            "authorization_endpoint": "https://as.example/a", "redirect_uri": "http://127.0.0.1:9/cb",
            "my_number": .number("9007199254740993"), "my_price": .number("1.10"), "my_text": "é\u{301}\u{0}",
            "my_list": .array([.null, .number("1E+2")]),
        ])
        let flow = try Program.oap(["authurl"], input: document.input).run().expect(status: 0).object()
        let state = try #require(flow["state"]?.string)
        let callback = "http://127.0.0.1:9/cb?code=x&state=\(state)"
        let parsed = try Program.oap(["callback-parse", callback], input: flow.input).run().expect(status: 0).object()
        let token = try Program.oap(["exchange"], input: parsed.input).run().expect(status: 0).object()
        let renewed = try Program.oap(
            ["refresh"], input: token.with(["refresh_token": "r"]).input
        ).run().expect(status: 0).object()
        for result in [flow, parsed, token, renewed] {
            for name in ["my_number", "my_price", "my_text", "my_list"] { #expect(result[name] == document[name]) }
        }
        #expect(flow["authorization_url"] != nil && parsed["authorization_url"] == nil && parsed["state"] == nil)
        #expect(parsed["code"] == "x" && token["code"] == nil && token["code_verifier"] == nil)
    }
}
