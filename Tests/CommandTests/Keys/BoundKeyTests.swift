import Foundation
import Synchronization
import TestSupport
import Testing
import Wire

@testable import CommandSupport

@Suite("The key that a token is bound to")
struct BoundKeyTests {
    private let home: LoginHome
    private let key: String

    init() throws {
        home = try LoginHome()
        key = home.home.path("key")
        try Program.oap(["jwk", "new", "-o", key]).run().expect(status: 0)
    }

    private func server(_ type: String) throws -> Responder {
        try Responder { request in
            request.target.hasPrefix("/authorize?")
                ? LoginHome.consent(to: request)
                : .json(#"{"access_token":"at","token_type":"\#(type)","refresh_token":"rt"}"#)
        }
    }

    private func code(_ server: Responder) -> JSONObject {
        server.client.with(["code": "c", "redirect_uri": "http://127.0.0.1:1/cb", "api_base": .string(server.url())])
    }

    /// Runs a shell with the key at descriptor 9, a pipe.
    private func shell(_ script: String, _ input: JSONObject) throws -> ProgramResult {
        var program = Program.shell("exec 9< <(cat '\(key)'); \(script)", input: input.input)
        program.environment["HOME"] = home.home.path
        return try program.run()
    }

    @Test("K-07 a key from a pipe or a command asks for a bound token too: a bearer token in its place is exit 9")
    func downgrade() throws {
        let bearer = try server("Bearer")
        let refused = try shell("oap exchange --dpop-key-file /dev/fd/9", code(bearer)).expect(status: 9)
        #expect(try refused.object()["error"] == "dpop_downgrade")
        try home.profile(bearer, ["dpop_key_command": .array(["cat", .string(key)])])
        let login = try home.oap(["login", "work", "--open"]).run().expect(status: 9)
        #expect(login.errorText.contains("bearer token") || login.errorText.contains("DPoP"), "\(login)")
    }

    @Test("a bound token keeps the key that a pipe brought, and finds that of a command again")
    func kept() throws {
        let server = try server("DPoP")
        let token = try shell("oap exchange --dpop-key-file /dev/fd/9", code(server)).expect(status: 0).object()
        #expect(token["dpop_key"]?.string?.contains("\"d\"") == true && token["dpop_jkt"] != nil)
        try Program.oap(["call", server.url("/api")], input: token.input).run().expect(status: 0)
        try home.profile(
            server, ["dpop_key_command": .array(["cat", .string(key)]), "api_base": .string(server.url())])
        try home.oap(["login", "work", "--open"]).run().expect(status: 0)
        try home.oap(["call", "work", "/api"]).run().expect(status: 0)
        #expect(Proof(try #require(server.requests.last)) != nil)
        let stored = try home.oap(["store", "get", "work"]).run().expect(status: 0).object()
        #expect(stored["dpop_key"] == nil && stored["dpop_jkt"] != nil)
    }

    @Test("DP-11 a token and a code are never sent with another key, and work again when theirs is back")
    func other() throws {
        let server = try server("DPoP")
        let client = server.client.with([
            "authorization_endpoint": .string(server.url("/authorize")), "dpop_key_file": .string(key),
            "redirect_uri": "http://127.0.0.1:8765/cb", "api_base": .string(server.url()),
        ])
        let flow = try Program.oap(["authurl"], input: client.input).run().expect(status: 0).object()
        let begun = flow.with(["code": "c"])
        let token = try Program.oap(["exchange"], input: begun.input).run().expect(status: 0).object()
        #expect(token["dpop_jkt"] == flow["dpop_jkt"] && token["dpop_jkt"]?.string?.count == 43)
        let count = server.requests.count
        let own = try Data(contentsOf: URL(filePath: key))
        try FileManager.default.removeItem(atPath: key)
        try Program.oap(["jwk", "new", "-o", key]).run().expect(status: 0)
        try home.oap(["store", "put", "t"]).with(input: token.input).run().expect(status: 0)
        for (command, document) in [
            (["exchange"], begun), (["call", "/api"], token), (["refresh"], token), (["userinfo"], token),
        ] {
            let userinfo = document.with(["userinfo_endpoint": .string(server.url("/userinfo"))])
            let result = try Program.oap(command, input: userinfo.input).run().expect(status: 3)
            #expect(result.errorText.contains("has another key than the one"), "\(result)")
        }
        for command in [["call", "t", "/api"], ["token", "t", "--min-ttl", "9999999"], ["refresh", "-p", "t"]] {
            try home.oap(command).run().expect(status: 3)
        }
        #expect(server.requests.count == count)
        try own.write(to: URL(filePath: key))
        try home.oap(["call", "t", "/api"]).run().expect(status: 0)
        try home.oap(["refresh", "-p", "t"]).run().expect(status: 0)
    }

    @Test("DP-09 a new key is of an algorithm that the server takes, and a server that takes none is told of")
    func algorithms() throws {
        let server = try server("DPoP")
        func exchange(_ listed: String) throws -> ProgramResult {
            let document = code(server).with([
                "dpop_bound_access_tokens": true, "dpop_signing_alg_values_supported": .strings([listed]),
            ])
            return try Program.oap(["exchange"], input: document.input).run()
        }
        try exchange("PS256").expect(status: 0)
        #expect(Proof(try #require(server.requests.last))?.header["alg"] == "PS256")
        let refused = try exchange("ES256K").expect(status: 9)
        #expect(refused.errorText.contains("only with ES256K") && server.requests.count == 1, "\(refused)")
    }

    @Test("an encrypted key is opened by its pass phrase, in each later process too, and by no other")
    func encrypted() throws {
        let server = try server("DPoP")
        let (pem, right, wrong) = (home.home.path("pem"), home.home.path("right"), home.home.path("wrong"))
        try home.home.write("right\n", to: "right")
        try home.home.write("wrong\n", to: "wrong")
        try Program(
            path: "/usr/bin/openssl",
            arguments: [
                "genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-aes256", "-pass",
                "file:\(right)",
                "-out", pem,
            ]
        ).run().expect(status: 0)
        for path in [pem, right, wrong] { chmod(path, 0o600) }
        try home.profile(server, ["api_base": .string(server.url())])
        let login = ["login", "work", "--open", "--dpop-key-file", pem]
        try home.oap(login).run().expect(status: 3)
        let refused = try home.oap(login + ["--dpop-key-passphrase-file", wrong]).run().expect(status: 3)
        #expect(refused.errorText.contains("the pass phrase of the key is wrong"), "\(refused)")
        try home.oap(login + ["--dpop-key-passphrase-file", right]).run().expect(status: 0)
        try home.oap(["call", "work", "/api"]).run().expect(status: 0)
        #expect(Proof(try #require(server.requests.last)) != nil)
        try home.oap(["refresh", "-p", "work"]).run().expect(status: 0)
    }

    @Test("DPoP case 11: two profiles with one key are told of, since that links them")
    func shared() throws {
        let server = try server("DPoP")
        try home.profile(server, ["dpop_key_file": .string(key)])
        let login = try home.oap(["login", "work", "--open"]).run().expect(status: 0)
        #expect(!login.errorText.contains("the same dpop_key_file"), "\(login)")
        let profile = try home.home.read(LoginHome.profile)
        try home.home.write(profile, to: ".config/oap/profiles/other.json")
        let other = try home.oap(["login", "other", "--open"]).run().expect(status: 0)
        #expect(other.errorText.contains("the profile work has the same dpop_key_file"), "\(other)")
    }

    @Test(
        "DP-10, DPoP case 15: an API that refuses a proof is compared with the clock; fields are for a URL that may be sent to"
    )
    func clock() throws {
        let server = try Responder { _ in
            .text(
                "", status: 401,
                headers: [
                    "WWW-Authenticate: DPoP error=\"invalid_dpop_proof\"", "Date: Sun, 06 Nov 1994 08:49:37 GMT",
                ])
        }
        let token = code(server).with(["access_token": "at", "token_type": "DPoP", "dpop_key_file": .string(key)])
        let refused = try Program.oap(["call", server.url("/")], input: token.input).run().expect(status: 7)
        #expect(refused.errorText.contains("correct the clock of this machine"), "\(refused)")
        try home.oap(["store", "put", "t"]).with(input: token.input).run().expect(status: 0)
        let header = ["token", "t", "--header", "--url"]
        for words in [["http://a.example/"], ["https://u:p@a.example/"], ["https://a.example/", "--method", "G ET"]] {
            try home.oap(header + words).run().expect(status: 2)
        }
        try home.oap(header + ["https://a.example/", "--method", "PATCH"]).run().expect(status: 0)
    }

    @Test("DPoP case 10: a request whose kept connection ends is sent once more with another proof; a POST is not")
    func keptConnection() throws {
        for (method, status) in [("GET", Int32(0)), ("POST", 12)] {
            let count = Mutex(0)
            let server = try Responder { _ in
                let number = count.withLock { count in
                    count += 1
                    return count
                }
                return number == 2 ? .reset : .json("{}")
            }
            let token = code(server).with(["access_token": "at", "token_type": "DPoP", "dpop_key_file": .string(key)])
            try home.home.write(JSON.object(token).text, to: "t.json")
            chmod(home.home.path("t.json"), 0o600)
            let line = "{\"url\":\"/\",\"method\":\"\(method)\"}\n"
            let batch = home.oap([
                "call", "--batch", "--parallel", "1", "--retry", "0", "--token-file", home.home.path("t.json"),
            ])
            try batch.with(input: .text(line + line)).run().expect(status: Int(status))
            let proofs = server.requests.compactMap { Proof($0)?.id }
            #expect(Set(proofs).count == proofs.count && proofs.count == (method == "GET" ? 3 : 2), "\(method)")
        }
    }

    @Test("a grant that is sent again may bring a token for another key")
    func rotated() throws {
        let server = try server("DPoP")
        try home.profile(server, ["dpop_key_file": .string(key), "client_secret": "s"])
        try home.oap(["login", "work", "--grant", "client_credentials"]).run().expect(status: 0)
        let stored = { try home.oap(["store", "get", "work"]).run().expect(status: 0).object() }
        let first = try stored()
        try home.oap(["store", "put", "work"]).with(input: first.with(["refresh_token": .null]).input).run()
            .expect(status: 0)
        try FileManager.default.removeItem(atPath: key)
        try Program.oap(["jwk", "new", "-o", key]).run().expect(status: 0)
        try home.oap(["refresh", "-p", "work"]).run().expect(status: 0)
        #expect(try stored()["dpop_jkt"] != first["dpop_jkt"])
    }
}

extension Program {
    fileprivate func with(input: Input) -> Program {
        var program = self
        program.input = input
        return program
    }
}
