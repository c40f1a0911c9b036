import Foundation
import TestSupport
import Testing
import Wire

@Suite("Beside a renewal that takes its time, nothing stops")
struct BesideRenewalTests {
    /// A renewal: where the token is, where the client secret is, and which step takes its time.
    struct Renewal: CustomTestStringConvertible {
        enum Store { case file, helper }
        enum Secret { case document, file, pipe, descriptor, command }
        enum Step: String { case request, get, store, secret }

        var store: Store
        var secret: Secret
        var slow: Step

        init(_ store: Store, _ secret: Secret, slow: Step) {
            (self.store, self.secret, self.slow) = (store, secret, slow)
        }

        /// A helper of its own: the locks of one are the user's, in whatever home it runs.
        var helper: String { "fake-\(secret)-\(slow)" }

        var testDescription: String { "\(store) store, secret in \(secret), slow \(slow)" }

        static let all = [
            Renewal(.file, .document, slow: .request), Renewal(.file, .file, slow: .request),
            Renewal(.file, .pipe, slow: .secret), Renewal(.file, .descriptor, slow: .secret),
            Renewal(.file, .command, slow: .request),
            Renewal(.file, .command, slow: .secret),
            Renewal(.helper, .document, slow: .request), Renewal(.helper, .document, slow: .get),
            Renewal(.helper, .document, slow: .store), Renewal(.helper, .file, slow: .get),
            Renewal(.helper, .file, slow: .store), Renewal(.helper, .command, slow: .secret),
            Renewal(.helper, .command, slow: .store),
        ]
    }

    private let home: TemporaryDirectory
    /// Opened when the slow step has begun.
    private let begun = Responder.Gate()
    /// What the slow step waits for.
    private let proceed = Responder.Gate()

    init() throws { home = try TemporaryDirectory() }

    /// A server that is everything: the API with a download that ends during the slow step, the token endpoint, and what
    /// the slow step of a program asks and waits for.
    private func server(_ renewal: Renewal) throws -> Responder {
        let (home, begun, proceed) = (home, begun, proceed)
        let (head, rest) = ("HTTP/1.1 200 Status\r\nContent-Length: 10\r\n\r\n01234", "56789")
        return try Responder { request in
            switch request.target {
            case "/download": return .raw(head).then(.raw(rest).after(begun))
            case "/refused":
                guard request.head.contains("Bearer at-0\r\n") else { return .json("{}") }
                // From now on the programs take their time.
                _ = try? home.write("", to: "renewing")
                return .json("{}", status: 401, headers: [#"WWW-Authenticate: Bearer error="invalid_token""#])
            case "/token":
                let reply = Responder.Reply.json(#"{"access_token":"at-1","token_type":"Bearer","expires_in":3600}"#)
                guard renewal.slow == .request else { return reply }
                begun.open()
                return reply.after(proceed)
            default:
                begun.open()
                return .text("").after(proceed)
            }
        }
    }

    /// Writes what the programs do: the credential helper of the tests, and the one that prints the secret.
    private func writePrograms(_ renewal: Renewal, _ server: Responder) throws {
        let wait = "[ ! -e \"$HOME/renewing\" ] || curl -sS '\(server.url("/wait"))'"
        func step(_ step: Renewal.Step) -> String { renewal.slow == step ? wait : ":" }
        try home.write(
            """
            case $1 in
            get)
                \(step(.get))
                test -e "$HOME/kept" || { echo 'credentials not found in native keychain'; exit 1; }
                jq -n --rawfile secret "$HOME/kept" '{Secret: $secret}' ;;
            store)
                \(step(.store))
                jq -j .Secret > "$HOME/new" && mv "$HOME/new" "$HOME/kept" ;;
            esac
            """, to: "script")
        try FileManager.default.createSymbolicLink(
            atPath: home.path("docker-credential-\(renewal.helper)"),
            withDestinationPath: "\(Fixture.project)/Tests/Fixtures/docker-credential-fake")
        try home.write("\(step(.secret))\necho s3cret\n", to: "print-secret")
        try home.write("s3cret", to: "secret")
        var profile: JSONObject = ["client_id": "c"]
        if renewal.secret == .command {
            profile["client_secret_command"] = .strings(["sh", home.path("print-secret")])
        }
        let path = try home.write(JSON.object(profile).text, to: ".config/oap/profiles/work.json")
        for file in [path, home.path("secret")] { chmod(file, 0o600) }
    }

    /// A program that opens a pipe when it is read, and takes its time to write the secret.
    private func lateWriter(_ server: Responder) throws -> Program {
        let pipe = home.path("pipe")
        try #require(mkfifo(pipe, 0o600) == 0)
        return Program(
            path: "/bin/sh",
            arguments: ["-c", "exec > '\(pipe)'; curl -sS '\(server.url("/wait"))'; echo s3cret"])
    }

    /// The program with the secret in a descriptor, whose writer takes its time.
    private func lateDescriptor(of program: Program, _ server: Responder) -> Program {
        let secret = "<(curl -sS '\(server.url("/wait"))'; echo s3cret)"
        var late = program
        late.path = "/bin/bash"
        late.arguments = ["-c", "exec \"$0\" \"$@\" --client-secret-file \(secret)", program.path] + program.arguments
        return late
    }

    private func oap(_ words: [String], _ renewal: Renewal, input: Program.Input = .none) -> Program {
        var program = Program.oap(words, input: input)
        program.environment = ["HOME": home.path, "PATH": "\(home.path):/usr/bin:/bin"]
        program.environment["OAP_STORE"] = renewal.store == .helper ? "helper:\(renewal.helper)" : nil
        program.deadline = .seconds(15)
        return program
    }

    @Test("a download ends while the token is being renewed", arguments: Renewal.all)
    func download(renewal: Renewal) throws {
        let server = try server(renewal)
        defer { proceed.open() }
        try writePrograms(renewal, server)
        var token: JSONObject = [
            "client_id": "c", "token_endpoint": .string(server.url("/token")), "access_token": "at-0",
            "refresh_token": "rt-0", "token_type": "Bearer", "expires_in": 3600,
            "expires_at": .integer(Int(time(nil)) + 3600), "api_base": .string(server.url()),
            "token_endpoint_auth_method": "client_secret_basic",
        ]
        switch renewal.secret {
        case .document: token["client_secret"] = "s3cret"
        case .file: token["client_secret_file"] = .string(home.path("secret"))
        case .pipe: token["client_secret_file"] = .string(home.path("pipe"))
        case .descriptor, .command: break
        }
        try oap(["store", "put", "work"], renewal, input: token.input).run().expect(status: 0)

        let writer = renewal.secret == .pipe ? try lateWriter(server).start() : nil
        let lines = [#"{"id":"download","url":"/download"}"#, #"{"id":"refused","url":"/refused"}"#]
        let words = ["call", "--batch", "-p", "work", "--parallel", "3", "--max-time", "10"]
        var program = oap(words, renewal, input: .text(lines.map { $0 + "\n" }.joined()))
        if renewal.secret == .descriptor { program = lateDescriptor(of: program, server) }
        let running = try program.start()
        let downloaded = try running.outputLine { $0.contains(#""id":"download""#) }
        #expect(downloaded.contains("0123456789"))
        proceed.open()
        let result = try running.finish().expect(status: 0)
        #expect(result.text.contains(#""id":"refused","status":200"#), "\(result)")
        try writer?.finish().expect(status: 0)
        let kept = try oap(["store", "get", "work"], renewal).run().expect(status: 0).object()
        #expect(kept["access_token"] == "at-1")
        let sent = server.requests.filter { $0.target == "/token" }.map { $0.headers.first("Authorization") }
        #expect(sent == ["Basic YzpzM2NyZXQ="])
    }
}
