import TestSupport
import Testing
import Wire

@testable import CommandSupport

@Suite("Another token of the same login, as a process")
struct DerivedTokenTests: DerivedTokens {
    let managed: ManagedHome
    let server: Responder

    init() throws {
        managed = try ManagedHome(expiresIn: 1000)
        server = try Self.tokenServer()
        try put(["scope": "a b", "token_endpoint": .string(server.url("/token"))])
    }

    @Test("it is renewed by itself, once for fifty processes, while the login's token is still good")
    func renewed() throws {
        #expect(try token("--scope", "b") == "new-1")
        try expireOthers()
        let running = try (0..<50).map { _ in try managed.oap("token", "work", "--scope", "b").start() }
        for process in running { #expect(try process.finish().expect(status: 0).text == "new-2\n") }
        #expect(server.requests.count == 2)
        #expect(try managed.stored()["derived_tokens"]?.array?.count == 1)
    }

    @Test("a command of oap run gets it, and its file is kept fresh")
    func run() throws {
        let run = ["run", "work", "--scope", "b"]
        let script = ["--", "sh", "-c", "echo $OAP_ACCESS_TOKEN; cat $OAP_TOKEN_FILE 2> /dev/null || true"]
        #expect(try managed.oap(run + script).run().expect(status: 0).text == "new-1\n")
        #expect(try managed.oap(run + ["--keep-fresh"] + script).run().expect(status: 0).text.hasPrefix("new-1\nnew-1"))
    }

    @Test("in the sandbox, each has its own scope and resource, and all are good at once")
    func sandbox() throws {
        let folder = try TemporaryDirectory()
        let script = """
            oap authurl --scope 'openid email' < "$OAP_SANDBOX_FILE" > flow
            url=$(curl -s -o page -w '%{redirect_url}' "$(jq -r .authorization_url flow)")
            oap callback-parse "$url" < flow | oap exchange | oap store put w
            look() {
                oap store get w | jq --arg t "$(oap token w "$@")" '.access_token = $t' |
                    oap introspect --jq '"\\(.active) \\(.scope)"' -r
            }
            look --scope email
            look --exchange --audience https://x.example
            look
            """
        var sandbox = Program.sandbox(["--rotate", "--run", "/bin/bash", "-euo", "pipefail", "-c", script])
        sandbox.directory = folder.path
        let lines = try sandbox.run().expect(status: 0).text.split(separator: "\n")
        #expect(lines == ["true email", "true openid email", "true openid email"])
    }
}
