import CommandSpec
import TestSupport
import Testing
import Wire

@testable import Commands
@testable import Calling
@testable import Login
@testable import Sessions
@testable import Tokens
@testable import Shell

/// `OAP_PROFILE` beside a document of a stranger on standard input: the body of a webhook, the rest of a file that a loop
/// reads. A document names files and servers.
@Suite("OAP_PROFILE and the document of a stranger")
struct ForeignDocumentTests {
    /// What each command needs besides the document. Commands that read a flow are not here.
    private static let words = [
        "authurl": ["--authorization-endpoint", "http://127.0.0.1:1/a", "--client-id", "mine"],
        "call": ["/x"], "ciba": ["--login-hint", "ada"], "exchange": ["--grant", "client_credentials"],
        "jwt": ["--claim", "aud=x"],
    ]

    /// The commands that read a document, by their records.
    static let commands = CommandTable.commands.map(\.name).filter { name in
        let options = CommandTable.named(name)?.record.options ?? []
        return options.contains(GeneralOption.tokenFile) && name != "callback-parse"
    }

    private let store: StrangersHome

    init() throws { store = try StrangersHome() }

    @Test(
        "the profile counts: nothing goes to the stranger, and the next command finds standard input whole",
        arguments: commands)
    func untouched(command: String) throws {
        let evil = try Responder { _ in .json(#"{"access_token":"x","token_type":"Bearer"}"#) }
        let home = try TemporaryDirectory()
        try store.fill(home)
        let document = store.document(of: evil, home)
        for space in ["", " \r\n\t"] {
            let words = ["oap", command] + (Self.words[command] ?? [])
            let script = words.joined(separator: " ") + " > out 2> err; cat"
            var program = Program.shell(
                script, input: .text(space + document), environment: ["HOME": home.path, "OAP_PROFILE": "work"])
            program.directory = home.path
            try program.run().expect(status: 0).expect(output: space + document)
        }
        #expect(evil.connectionCount == 0)
    }

    @Test("a command that reads no flow does not wait for standard input", arguments: commands)
    func silent(command: String) throws {
        let home = try TemporaryDirectory()
        try store.fill(home)
        let words = [command] + (Self.words[command] ?? [])
        // It ends, though a document has begun, and nobody closes the pipe.
        let running = try Program.oap(
            words, input: .open, environment: ["HOME": home.path, "OAP_PROFILE": "work"]
        ).start()
        running.write("{")
        try running.deliver()
        _ = try running.finish()
    }

    @Test("the document is asked for with --token-file -, by every command that reads one", arguments: commands)
    func asked(command: String) throws {
        let home = try TemporaryDirectory()
        try store.fill(home)
        let words = ["oap", command, "--token-file", "-"] + (Self.words[command] ?? [])
        for variable in ["work", ""] {
            var program = Program.shell(
                words.joined(separator: " ") + " > out 2> err; cat", input: .text(#"{"n":1}"#),
                environment: ["HOME": home.path, "OAP_PROFILE": variable])
            program.directory = home.path
            try program.run().expect(status: 0).expect(output: "")
        }
    }

    @Test(
        "a flow is read from standard input as ever, whatever the variable is",
        arguments: [
            (["listen", "--timeout", "0.01"], 6), (["callback-parse", "http://127.0.0.1:1/cb?code=c&state=s"], 0),
            (["exchange"], 6), (["exchange", "--grant", "authorization_code"], 6),
            (["exchange", "--grant", "urn:ietf:params:oauth:grant-type:device_code", "--max-time", "1"], 3),
        ])
    func flows(words: [String], status: Int) throws {
        let flow = """
            {"client_id":"c","redirect_uri":"http://127.0.0.1:1/cb","state":"s","code":"c",\
            "code_verifier":"verifier-verifier-verifier-verifier-verifier",\
            "token_endpoint":"http://127.0.0.1:1/t","authorization_url":"http://127.0.0.1:1/a"}
            """
        let free = try Responder()
        free.stop()
        let input = words[0] == "listen" ? flow.replacing(":1/cb", with: ":\(free.port)/cb") : flow
        for variable in ["nobody", "../x"] {
            let result = try Program.oap(
                words + (words[0] == "exchange" ? ["--retry", "0"] : []), input: .text(input),
                environment: ["OAP_PROFILE": variable]
            ).run().expect(status: status)
            #expect(!result.errorText.contains("profile"), "\(result)")
        }
    }

    @Test(
        "what destroys wants a name of its own, and standard input stays",
        arguments: [["revoke"], ["revoke", "--token-type-hint", "access_token"], ["register", "--delete"]])
    func destroying(words: [String]) throws {
        let (home, server) = (try TemporaryDirectory(), try Responder { _ in .json("{}") })
        try store.fill(home)
        let token = JSON.object(server.token.with(["revocation_endpoint": .string(server.url("/r"))])).text
        let line = (["oap"] + words).joined(separator: " ")
        let environment = ["HOME": home.path, "OAP_PROFILE": "work"]
        let result = try Program.shell("\(line); echo $?; cat", input: .text(token), environment: environment).run()
        result.expect(errorLine: "oap: \(words[0]): OAP_PROFILE alone does not say what is destroyed")
            .expect(
                errorLine: "oap: hint: add -p work, or for the document on standard input: --token-file -")
        #expect(result.text.hasSuffix("2\n" + token) && server.connectionCount == 0, "\(result)")
        guard words == ["revoke"] else { return }
        try Program.oap(["revoke", "--token-file", "-"], input: .text(token), environment: environment).run()
            .expect(status: 0).expect(output: #"{"revoked":["refresh_token","access_token"]}"# + "\n")
        let unset = ["HOME": home.path, "OAP_PROFILE": ""]
        try Program.oap(["revoke"], input: .text(token), environment: unset).run().expect(status: 0)
    }

    @Test("a document in a file of the same user is read by --token-file, and by nobody else's")
    func file() throws {
        let home = try TemporaryDirectory()
        let client: JSONObject = [
            "client_id": "c", "authorization_endpoint": "https://as.example/a",
            "token_endpoint": "https://as.example/t",
        ]
        let file = try home.write(JSON.object(client).text, to: "client")
        let authurl = ["authurl", "--token-file", file, "-q", ".client_id", "-r"]
        try Program.oap(authurl).run().expect(status: 0).expectSilence().expect(output: "c\n")
        try Program.shell("chmod 666 '\(file)'").run().expect(status: 0)
        try Program.oap(authurl).run().expect(status: 11)
    }
}

/// A home with a login `work`, whose server knows nothing, and what a stranger would make of it.
private struct StrangersHome {
    /// One that is gone would be asked again, after a pause.
    private let server: Responder

    init() throws { server = try Responder { _ in .json("{}", status: 404) } }

    func fill(_ home: TemporaryDirectory) throws {
        let profile: JSONObject = [
            "client_id": "c", "client_secret": "s", "issuer": .string(server.url()),
            "token_endpoint": .string(server.url("/t")),
        ]
        try home.write(JSON.object(profile).text, to: ".config/oap/profiles/work.json")
        let token = #"{"access_token":"at","refresh_token":"rt","api_base":"\#(server.url())"}"#
        try Program.oap(["store", "put", "work"], input: .text(token), environment: ["HOME": home.path]).run()
            .expect(status: 0)
    }

    func document(of server: Responder, _ home: TemporaryDirectory) -> String {
        let url = JSON.string(server.url())
        var document: JSONObject = ["client_id": "c", "api_base": url, "issuer": url]
        let token = JSON.string(home.path(".local/state/oap/tokens/work.json"))
        for secret in ["access_token_file", "refresh_token_file", "client_secret_file", "subject_token_file"] {
            document[secret] = token
        }
        for name in [
            "authorization", "token", "device_authorization", "pushed_authorization_request", "revocation",
            "introspection", "userinfo", "end_session", "registration", "backchannel_authentication",
        ] { document["\(name)_endpoint"] = .string(server.url("/\(name)")) }
        return JSON.object(document).text
    }
}
