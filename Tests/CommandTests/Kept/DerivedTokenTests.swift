import Foundation
import Synchronization
import TestSupport
import Testing
import Wire

@testable import CommandSupport

@Suite("Another token of the same login, as a process")
struct DerivedTokenTests {
    private let managed: ManagedHome
    private let server: Responder

    init() throws {
        managed = try ManagedHome(expiresIn: 1000)
        let issued = Mutex(0)
        server = try Responder { request in
            let form = (try? FormEncoding.parse(request.bodyText)) ?? []
            if form.contains(where: { $0 == ("resource", "https://refused.example") }) {
                return .json(#"{"error":"invalid_target"}"#, status: 400)
            }
            if form.contains(where: { $0 == ("resource", "https://ended.example") }) {
                return .json(#"{"error":"invalid_grant"}"#, status: 400)
            }
            let number = issued.withLock {
                $0 += 1
                return $0
            }
            let isRefresh = form.contains { $0 == ("grant_type", "refresh_token") }
            return .json(
                JSON.object([
                    "access_token": .string("new-\(number)"), "token_type": "Bearer", "expires_in": .integer(3600),
                    "refresh_token": isRefresh ? .string("rt-\(number)") : .null,
                ]).text)
        }
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

extension DerivedTokenTests {
    private func token(_ options: String...) throws -> String {
        try String(managed.oap(["token", "work"] + options).run().expect(status: 0).text.dropLast())
    }

    private func put(_ members: [String: JSON?]) throws {
        var token = try managed.stored()
        for (name, value) in members { token[name] = value }
        try managed.put(token)
    }

    /// Lets the tokens that are kept beside the login's expire.
    private func expireOthers() throws {
        let others = try managed.stored()["derived_tokens"]?.array?.compactMap(\.object) ?? []
        try put(["derived_tokens": .array(others.map { .object($0.with(["expires_at": .integer(1)])) })])
    }
}
