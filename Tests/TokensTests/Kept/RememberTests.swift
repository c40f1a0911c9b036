import Foundation
import PlaySupport
import TestSupport
import Testing
import Wire

@Suite("A remembered flow", .inProcessWithoutPauses)
struct RememberTests {
    private let home: TemporaryDirectory
    private let client: JSONObject = [
        "client_id": "app", "authorization_endpoint": "https://as.example/authorize",
        "token_endpoint": "https://as.example/token", "redirect_uri": "com.example.app:/oauth-callback",
    ]

    init() throws { home = try TemporaryDirectory() }

    private func oap(_ arguments: [String], input: Program.Input = .none) -> Program {
        Program.oap(arguments, input: input, environment: ["HOME": home.path])
    }

    private func begin() throws -> JSONObject {
        try oap(["authurl", "--remember"], input: client.input).run().expect(status: 0).expectSilence().object()
    }

    private func redirect(_ flow: JSONObject, _ more: String = "") throws -> String {
        "com.example.app:/oauth-callback?code=c&state=\(try #require(flow["state"]?.string))\(more)"
    }

    @Test("a remembered flow is found by the state of the redirect, once, and gives what the piped one gives")
    func once() throws {
        let flow = try begin()
        let url = try redirect(flow)
        let piped = try oap(["callback-parse", url], input: flow.input).run().expect(status: 0)
        let found = try oap(["callback-parse", "-n", url]).run().expect(status: 0).expectSilence()
        #expect(found.text == piped.text)
        #expect(try found.object()["code_verifier"] == flow["code_verifier"])
        let again = try oap(["callback-parse", "-n", url]).run().expect(status: 9)
        #expect(try again.object()["error"] == "flow_used")
        again.expect(errorLine: "oap: callback-parse: the remembered flow of this redirect was used before")
        again.expect(
            errorLine: "oap: hint: oap authurl --remember stores a flow for one hour and one redirect: begin again")
    }

    @Test("a remembered flow is sealed as tokens are, and only its key opens it")
    func sealed() throws {
        try oap(["store", "key", "-o", home.path("seal")]).run().expect(status: 0)
        let sealing = ["OAP_STORE_KEY_FILE": home.path("seal")]
        var begin = oap(["authurl", "--remember", "--dpop"], input: client.with(["client_secret": "s3cret"]).input)
        begin.environment.merge(sealing) { $1 }
        let flow = try begin.run().expect(status: 0).object()
        let files = try FileManager.default.subpathsOfDirectory(atPath: home.path).filter { $0.contains("flows/") }
        for file in files where file.hasSuffix(".json") {
            let text = try home.read(file)
            #expect(text.hasPrefix("e") && !text.contains("s3cret") && !text.contains("dpop_key"), "\(file)")
        }
        #expect(files.contains { $0.hasSuffix(".json") })
        let url = try redirect(flow)
        try oap(["callback-parse", "-n", url]).run().expect(status: 11)
        var parse = oap(["callback-parse", "-n", url])
        parse.environment.merge(sealing) { $1 }
        #expect(try parse.run().expect(status: 0).object()["dpop_key"] == flow["dpop_key"])
    }

    @Test("a remembered flow is found with the URL in a file, as a bare query, and among others")
    func shapes() throws {
        let flows = try (0..<3).map { _ in try begin() }
        let file = try home.write(try redirect(flows[1]) + "\n", to: "url")
        let first = try oap(["callback-parse", "-n", "--url-file", file]).run().expect(status: 0).object()
        #expect(first["code_verifier"] == flows[1]["code_verifier"])
        let state = try #require(flows[0]["state"]?.string)
        let second = try oap(["callback-parse", "-n", "code=c&state=\(state)"]).run().expect(status: 0).object()
        #expect(second["code_verifier"] == flows[0]["code_verifier"])
        try oap(["callback-parse", "-n", try redirect(flows[2])]).run().expect(status: 0)
    }

    @Test("a remembered flow is used up by a refusal, and by a redirect to another place")
    func usedUp() throws {
        let refused = try begin()
        let denial = try redirect(refused).replacing("code=c", with: "error=access_denied")
        #expect(try oap(["callback-parse", "-n", denial]).run().expect(status: 4).object()["error"] == "access_denied")
        try oap(["callback-parse", "-n", try redirect(refused)]).run().expect(status: 9)
        let strayed = try begin()
        let elsewhere = try redirect(strayed).replacing("com.example.app", with: "com.example.other")
        let error = try oap(["callback-parse", "-n", elsewhere]).run().expect(status: 9).object()
        #expect(error["error"] == "redirect_mismatch")
    }

    @Test("a remembered flow is not found by a redirect without a state or with two, and stays")
    func noState() throws {
        let flow = try begin()
        for url in ["com.example.app:/oauth-callback?code=c", try redirect(flow, "&state=other")] {
            let result = try oap(["callback-parse", "-n", url]).run().expect(status: 9)
            #expect(try result.object()["error"] == "state_missing")
        }
        try oap(["callback-parse", "-n", try redirect(flow)]).run().expect(status: 0)
    }

    /// Makes the one remembered flow so many seconds older, and gives back the names of the folder's files.
    private func age(by seconds: Int) throws -> () throws -> [String] {
        let folder = "\(home.path)/.local/state/oap/flows"
        let names = { try FileManager.default.contentsOfDirectory(atPath: folder) }
        let name = try #require(names().first)
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -Double(seconds))], ofItemAtPath: "\(folder)/\(name)")
        return names
    }

    @Test("a remembered flow expires after an hour; what is left of it has neither its state nor its verifier")
    func expired() throws {
        let flow = try begin()
        let names = try age(by: 3_700)
        let result = try oap(["callback-parse", "-n", try redirect(flow)]).run().expect(status: 8)
        #expect(try result.object()["error"] == "flow_expired")
        result.expect(errorLine: "oap: callback-parse: the remembered flow of this redirect has expired")
        #expect(try names().count == 1)
        let left = try #require(names().first)
        #expect(left.hasSuffix(".expired"))
        #expect(!left.contains(try #require(flow["state"]?.string)))
        #expect(try home.read(".local/state/oap/flows/\(left)").isEmpty)
    }

    @Test("a redirect with the state of no remembered flow is refused")
    func unknown() throws {
        let error = try oap(["callback-parse", "-n", "com.example.app:/oauth-callback?code=c&state=s"]).run()
            .expect(status: 9).object()
        #expect(error["error"] == "state_mismatch")
    }

    @Test(
        "C-01 callback: a remembered flow that was used, or is older than an hour, takes no redirect",
        arguments: try VectorGroup("callback").cases(only: ["flow-used", "flow-expired"]))
    func vectors(vector: VectorCase) throws {
        let kept = try #require(vector["flow"]?.object)
        let url = try redirect(try begin())
        if kept["used"] == .bool(true) { try oap(["callback-parse", "-n", url]).run().expect(status: 0) }
        if let age = kept["created_at_age"]?.integer { _ = try self.age(by: age) }
        let result = try oap(["callback-parse", "-n", url]).run()
        #expect(try result.object()["error"] == vector["kind"])
        result.expect(status: vector["kind"] == "flow_used" ? 9 : 8)
    }

    @Test("a remembered flow is listed without its secrets until it is used, expired or forgotten")
    func listed() throws {
        let list = { try oap(["store", "flows"]).run().expect(status: 0).expectSilence() }
        try list().expect(output: "")
        let flows = try (0..<2).map { _ in try begin() }
        let result = try list()
        let lines = result.text.split(separator: "\n")
        let first = try #require(lines.first)
        let entry = try #require(JSON(parsing: Array(first.utf8)).object)
        #expect(lines.count == 2 && entry["client_id"] == "app")
        #expect(entry["redirect_uri"] == "com.example.app:/oauth-callback")
        let left = try #require(entry["seconds_left"]?.integer)
        #expect((3500...3600).contains(left))
        for secret in ["state", "code_verifier"] { result.expect(nowhere: try #require(flows[0][secret]?.string)) }
        try oap(["callback-parse", "-n", try redirect(flows[0])]).run().expect(status: 0)
        #expect(try list().text.split(separator: "\n").count == 1)
        try oap(["store", "forget-flows"]).run().expect(status: 0).expect(output: "").expectSilence()
        try list().expect(output: "")
        let late = try oap(["callback-parse", "-n", try redirect(flows[1])]).run().expect(status: 9)
        #expect(try late.object()["error"] == "state_mismatch")
    }

    @Test("a remembered flow may have a redirect URI with nothing behind the slashes, whose query must come back")
    func emptyHost() throws {
        let uri = "grokGithub://?aParam=paramVal"
        let flow = try oap(["authurl", "--remember", "--redirect-uri", uri], input: client.input).run()
            .expect(status: 0).object()
        let state = try #require(flow["state"]?.string)
        #expect(flow["redirect_uri"]?.string == uri)
        let code = try oap(["callback-parse", "-n", "grokgithub://?aParam=paramVal&code=c&state=\(state)"]).run()
            .expect(status: 0).object()
        #expect(code["code"] == "c" && code["callback_params"] == nil)
    }

    @Test("a remembered flow stays where the result cannot be written")
    func unwritable() throws {
        let flow = try begin()
        let url = try redirect(flow)
        try oap(["callback-parse", "-n", url, "-o", "/nowhere/code.json"]).run().expect(status: 11)
        try oap(["callback-parse", "-n", url]).run().expect(status: 0)
    }

    @Test("a remembered flow needs a home")
    func missing() throws {
        var homeless = Program.oap(["authurl", "--remember"], input: client.input, environment: ["HOME": "relative"])
        let result = try homeless.run().expect(status: 11)
        #expect(result.errorText.contains("HOME"))
        homeless.arguments = ["authurl"]
        try homeless.run().expect(status: 0)
    }
}
