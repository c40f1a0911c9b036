import Foundation
import TestSupport
import Testing
import Wire

@testable import CommandSupport

@Suite("Secrets that a server repeats")
struct PlantedSecretTests {
    private static let members: JSONObject = [
        "client_id": "client", "client_secret": .string(PlantedSecret.secret), "code": "the-code", "scope": "a b",
        "redirect_uri": "http://127.0.0.1:1/cb", "code_verifier": "verifier-verifier-verifier-verifier-verifier",
        "refresh_token": "rt", "access_token": "at-old", "token_type": "Bearer", "expires_at": 1000,
        "registration_access_token": "rat", "response_type": "code", "issuer": "https://as.example",
    ]

    /// A client, a flow and a token in one document.
    private static func document(_ server: Responder) -> JSONObject {
        let endpoints = [
            "token_endpoint", "device_authorization_endpoint", "pushed_authorization_request_endpoint",
            "revocation_endpoint", "authorization_endpoint", "jwks_uri", "registration_endpoint",
            "registration_client_uri",
        ]
        return endpoints.reduce(into: members) { $0[$1] = .string(server.url("/\($1)")) }
    }

    private static let commands: [[String]] = [
        ["exchange"], ["exchange", "--strict"], ["exchange", "--grant", "client_credentials"],
        ["exchange", "--scope", "openid a"], ["refresh"], ["refresh", "--strict"], ["device"], ["device", "--strict"],
        ["authurl", "--par"], ["authurl", "--par", "--strict"], ["revoke"],
        ["register"], ["register", "--strict"], ["register", "--read"], ["register", "--update"],
        ["register", "--delete"],
    ]

    @Test(
        "a client secret that a server repeats is shown neither on standard error nor in an error document",
        arguments: PlantedSecret.allCases, commands)
    func endpoints(spelling: PlantedSecret, command: [String]) throws {
        for (name, reply) in spelling.replies(retried: spelling == .everySpelling && !command.contains("--strict")) {
            let server = try Responder { _ in reply }
            var document = Self.document(server)
            // With --strict, the page of a client that a program has registered must be certain.
            if ["device", "authurl"].contains(command[0]) { document["registration_client_uri"] = nil }
            let result = try Program.oap(command + ["-vv"], input: document.input).run()
            PlantedSecret.check(result, "\(command) \(name)")
            #expect(!server.requests.isEmpty)
        }
    }

    @Test(
        "a secret that a server repeats is not shown by commands that renew, revoke and poll kept tokens",
        arguments: PlantedSecret.allCases)
    func managed(spelling: PlantedSecret) throws {
        for (name, reply) in spelling.replies(retried: spelling == .everySpelling) {
            let server = try Responder { _ in reply }
            for command in [["token", "work"], ["call", "-p", "work", server.url("/x")], ["logout", "work"]] {
                let home = try StoreHome()
                try home.put(JSON.object(Self.document(server)).text, as: "work")
                PlantedSecret.check(
                    try Program.oap(command + ["-vv"], environment: ["HOME": home.home.path]).run(),
                    "\(command) \(name)"
                )
            }
        }
    }

    @Test("an access token that an API repeats is not shown on standard error", arguments: PlantedSecret.allCases)
    func api(spelling: PlantedSecret) throws {
        for (name, reply) in spelling.replies() {
            let server = try Responder { _ in reply }
            for options in [
                ["--retry", Extent.of("1", all: "5")], ["-i", "-vv"], ["--envelope"], ["-q", ".x"],
                ["--error-body", "stdout", "-q", "halt_error"],
            ] {
                let result = try Program.oap(
                    ["call", "-n", server.url("/x"), "--retry", Extent.of("0", all: "5")] + options,
                    environment: ["OAP_ACCESS_TOKEN": PlantedSecret.secret]
                ).run()
                // Standard output has what the API sent.
                var errors = result
                errors.output = []
                PlantedSecret.check(errors, "\(options) \(name)")
            }
        }
    }

    @Test("a secret in a redirect is not shown by callback-parse", arguments: PlantedSecret.allCases)
    func callback(spelling: PlantedSecret) throws {
        let server = try Responder { _ in .text("") }
        let text = FormEncoding.encode(spelling.text)
        for query in [
            "error=\(text)&state=s", "error=x&error_description=\(text)&error_uri=\(text)&state=s", "state=\(text)",
            "code=x&state=s&iss=\(text)", "code=x&state=s&\(text)=1&\(text)=2", "access_token=\(text)&state=s",
        ] {
            let document = Self.document(server).with(["state": "s"])
            let result = try Program.oap(
                ["callback-parse", "http://127.0.0.1:1/cb?\(query)"], input: document.input
            ).run()
            #expect([.status(4), .status(9)].contains(result.ending))
            PlantedSecret.check(result, query)
        }
    }
}
