import Foundation
import PlaySupport
import TestSupport
import Testing
import Wire

@testable import CommandSupport

@Suite("oap discover --cache", .inProcessWithoutPauses)
struct DiscoverCacheTests {
    private let home: TemporaryDirectory

    init() throws { home = try TemporaryDirectory() }

    private func server(_ headers: String...) throws -> Responder {
        try Responder { request in
            guard request.target == "/.well-known/openid-configuration" else { return .text("", status: 404) }
            return .json(#"{"issuer":"http://\#(request.headers.first("Host") ?? "")","x":1.10}"#, headers: headers)
        }
    }

    @discardableResult
    private func discover(_ server: Responder, _ arguments: String..., cache: String = "60") throws -> String {
        let result = try Program.oap(
            ["discover", server.url(), "--cache", cache] + arguments, environment: ["HOME": home.path]
        ).run().expect(status: 0).expectSilence()
        #expect(result.text == #"{"issuer":"\#(server.url())","x":1.10}"# + "\n", "\(result)")
        return result.text
    }

    /// How often its metadata was fetched.
    private func fetches(_ server: Responder) -> Int {
        server.requests.filter { $0.target == "/.well-known/openid-configuration" }.count
    }

    /// The one file of the cache.
    private func entry() throws -> String {
        let folder = home.path(".cache/oap/metadata")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        return ".cache/oap/metadata/" + (try #require(names.count == 1 ? names.first : nil))
    }

    @Test("metadata is asked for once, and stored in a file of the user alone")
    func cached() throws {
        let server = try server()
        for _ in 1...3 { try discover(server) }
        #expect(fetches(server) == 1)
        #expect(try home.permissions(entry()) == 0o600)
        #expect(try home.permissions(".cache/oap/metadata") == 0o700)
        #expect(try home.permissions(".cache/oap") == 0o700)
        try Program.oap(["discover", server.url()], environment: ["HOME": home.path]).run().expect(status: 0)
        #expect(fetches(server) == 2)
    }

    @Test(
        "metadata that the server forbids to store is asked for each time",
        arguments: ["no-store", "max-age=0", "no-cache, max-age=60"])
    func forbidden(control: String) throws {
        let server = try server("Cache-Control: \(control)")
        for _ in 1...2 { try discover(server) }
        #expect(fetches(server) == 2)
    }

    @Test(
        "an entry that is too old, or from the future, is not used",
        arguments: [("60", 61, 2), ("60", 50, 1), ("1000", 101, 2), ("1000", -5, 2), ("1e8", 90_000, 2)])
    func age(cache: String, seconds: Int, requests: Int) throws {
        let server = try seconds == 101 ? server("Cache-Control: max-age=100") : server()
        try discover(server, cache: cache)
        let path = try entry()
        var stored = try #require(JSON(parsing: Array(home.read(path).utf8)).object)
        stored["fetched_at"] = .integer(Int(Date().timeIntervalSince1970) - seconds)
        try home.write(JSON.object(stored).text, to: path)
        chmod(home.path(path), 0o600)
        try discover(server, cache: cache)
        #expect(fetches(server) == requests)
    }

    @Test("an entry that is broken, another's, open to others, or of another address is fetched again")
    func broken() throws {
        let (server, other) = (try server(), try Responder { _ in .text("", status: 404) })
        try discover(server)
        let path = try entry()
        let good = try home.read(path)
        let evil = good.replacing(server.url(), with: other.url())
        for (count, text) in [
            "", "{", "[]", String(good.dropLast(5)), evil, good.replacing("issuer", with: "x"),
            good.replacing("content", with: "y"),
        ].enumerated() {
            try home.write(text, to: path)
            chmod(home.path(path), 0o600)
            try discover(server)
            #expect(fetches(server) == count + 2, "\(text)")
        }
        chmod(home.path(path), 0o644)
        try discover(server)
        let file = try home.write(good, to: "elsewhere")
        chmod(file, 0o600)
        try FileManager.default.removeItem(atPath: home.path(path))
        try FileManager.default.createSymbolicLink(atPath: home.path(path), withDestinationPath: file)
        let count = fetches(server)
        try discover(server)
        #expect(fetches(server) == count + 1)
    }

    @Test("a cache that cannot be used fails no command: no home, a file in the way, a folder that others write to")
    func unusable() throws {
        let server = try server()
        try Program.oap(["discover", server.url(), "--cache", "60"], environment: [:]).run().expect(status: 0)
            .expectSilence()
        try home.write("", to: ".cache")
        try discover(server)
        try FileManager.default.removeItem(atPath: home.path(".cache"))
        try discover(server)
        chmod(home.path(".cache/oap/metadata"), 0o777)
        let count = fetches(server)
        try discover(server)
        #expect(fetches(server) == count + 1)
    }

    @Test("what is stored is checked as what is fetched: the issuer must be the one that is asked for")
    func checked() throws {
        let server = try server()
        try discover(server)
        let arguments = ["discover", server.url(), "--cache", "60", "--expected-issuer", "https://other.example"]
        try Program.oap(arguments, environment: ["HOME": home.path]).run().expect(status: 9)
    }

    @Test("a failure is not stored")
    func failure() throws {
        let server = try Responder { _ in .json(#"{"issuer":"https://other.example"}"#) }
        let arguments = ["discover", server.url(), "--cache", "60"]
        for _ in 1...2 { try Program.oap(arguments, environment: ["HOME": home.path]).run().expect(status: 9) }
        #expect(server.requests.count == 2)
        #expect(!FileManager.default.fileExists(atPath: home.path(".cache/oap/metadata")))
    }

    @Test("--cache keeps the metadata of an issuer for every command that looks for an endpoint")
    func otherCommands() throws {
        let server = try Responder { request in
            let address = "http://" + (request.headers.first("Host") ?? "")
            switch request.target {
            case "/.well-known/openid-configuration":
                let names = ["token", "registration", "revocation", "device_authorization"]
                let endpoints = names.map { #""\#($0)_endpoint":"\#(address)/\#($0)""# }.joined(separator: ",")
                return .json(#"{"issuer":"\#(address)",\#(endpoints)}"#)
            case "/registration": return .json(#"{"client_id":"new"}"#, status: 201)
            case "/device_authorization":
                return .json(
                    #"{"device_code":"d","user_code":"u","verification_uri":"https://as.example/d","expires_in":60}"#)
            default: return .token
            }
        }
        let token = #"{"issuer":"\#(server.url())","client_id":"c","access_token":"at","refresh_token":"rt"}"#
        for words in [
            ["exchange", "--grant", "client_credentials", "--token-endpoint-auth-method", "none"], ["register"],
            ["device"], ["refresh"], ["revoke"],
        ] {
            let program = Program.oap(
                words + ["--cache", "60"], input: .text(token), environment: ["HOME": home.path])
            try program.run().expect(status: 0)
        }
        #expect(server.requests.filter { $0.method == "GET" }.count == 1)
        #expect(server.requests.count == 7)
        try Program.oap(["revoke", "--cache", "x"], input: .text(token)).run().expect(status: 2)
        #expect(try !home.read(entry()).contains("new-access"))
    }

    @Test("--cache keeps the keys of an issuer, and fetches them anew, once, for an ID token of another key")
    func keys() throws {
        let (old, new) = (try RSAKey(), try RSAKey())
        let rotated = home.path("rotated")
        let server = try Responder { request in
            let isNew = FileManager.default.fileExists(atPath: rotated)
            guard request.target == "/token" else {
                return .json(isNew ? new.set.replacing(#""k""#, with: #""k2""#) : old.set)
            }
            let signed = isNew ? try? new.signed(SignedToken.claims, id: "k2") : try? old.signed(SignedToken.claims)
            return .json(#"{"access_token":"at","token_type":"Bearer","id_token":"\#(signed ?? "")"}"#)
        }
        let flow = server.flow.with([
            "scope": "openid", "issuer": "https://as.example", "nonce": "the-nonce",
            "jwks_uri": .string(server.url("/keys")), "id_token_signed_response_alg": "RS512",
        ])
        let exchange = Program.oap(
            ["exchange", "--cache", "60"], input: flow.input, environment: ["HOME": home.path])
        let fetches = { server.requests.filter { $0.target == "/keys" }.count }
        for _ in 1...2 { try exchange.run().expect(status: 0) }
        #expect(fetches() == 1)
        try home.write("", to: "rotated")
        for _ in 1...2 { try exchange.run().expect(status: 0) }
        #expect(fetches() == 2)
        // What was stored is a cache alone: anybody's changes to it are checked as an answer is.
        let path = try entry()
        try home.write(try home.read(path).replacing("k2", with: "k3"), to: path)
        chmod(home.path(path), 0o600)
        try exchange.run().expect(status: 0)
        #expect(fetches() == 3)
    }
}
