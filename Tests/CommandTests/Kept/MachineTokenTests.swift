import Foundation
import TestSupport
import Testing
import Wire

@Suite("The token of a machine, as a process")
struct MachineTokenTests {
    private let home: TemporaryDirectory
    private let endpoint: Responder

    init() throws {
        home = try TemporaryDirectory()
        endpoint = try Responder { _ in
            .json(#"{"access_token":"at-1","token_type":"Bearer","expires_in":3600,"scope":"read"}"#)
        }
    }

    @Test("a token of a machine is renewed once for two hundred processes")
    func singleFlight() throws {
        try logIn()
        try expire()
        let running = try (0..<200).map { _ in try oap("token", "ci").start() }
        for process in running { #expect(try process.finish().expect(status: 0).text == "at-1\n") }
        #expect(endpoint.requests.count == 2)
    }

    @Test("a password of a descriptor is not stored, so that nothing repeats its grant")
    func passwordParameter() throws {
        var exchange = oap(
            "exchange", "-n", "--client-id", "m", "--token-endpoint", endpoint.url("/token"), "--grant", "password",
            "--param", "username=ada", "--password-file", "/dev/stdin", "-o", home.path("token.json"))
        exchange.input = .text("pa55word")
        try exchange.run().expect(status: 0)
        let token = try home.read("token.json")
        #expect(!token.contains("pa55word") && token.contains(#""username":"ada""#))
        try oap("refresh", "--token-file", home.path("token.json")).run().expect(status: 8)
        #expect(endpoint.requests.count == 1)
    }

    @Test(
        "a machine's token says once what is missing where its secret is gone, and what stores it",
        arguments: [true, false])
    func noSecret(hasProfile: Bool) throws {
        let said = try logIn(hasProfile ? ["--save-profile"] : []).errorText
        #expect(!said.contains("warning"), "\(said)")
        try expire()
        var token = oap("token", "ci")
        token.environment["OAP_CLIENT_SECRET"] = nil
        let result = try token.run().expect(status: 3)
        let kept = hasProfile ? "oap profile show ci | oap profile set ci" : "oap login ci"
        #expect(
            result.errorText == """
                oap: token: renewing the token ci: client_secret is missing
                oap: hint: export OAP_CLIENT_SECRET, or store the path of a file: \(kept) --client-secret-file PATH

                """)
        #expect(endpoint.requests.count == 1)
        guard hasProfile else { return }
        let secret = try home.write("s3cret-value", to: "secret")
        var script = Program.shell("oap profile show ci | oap profile set ci --client-secret-file \(secret)")
        script.environment = ["HOME": home.path]
        try script.run().expect(status: 0)
        try token.run().expect(status: 0)
    }
}

extension MachineTokenTests {
    @discardableResult private func logIn(_ arguments: String...) throws -> ProgramResult { try logIn(arguments) }

    @discardableResult private func logIn(_ arguments: [String]) throws -> ProgramResult {
        try oap(
            ["login", "ci", "--grant", "client_credentials", "--client-id", "m", "--token-endpoint"]
                + [endpoint.url("/token")] + arguments
        ).run().expect(status: 0)
    }

    private func oap(_ arguments: String...) -> Program { oap(arguments) }

    private func oap(_ arguments: [String]) -> Program {
        .oap(arguments, environment: ["HOME": home.path, "OAP_CLIENT_SECRET": "s3cret-value"])
    }

    private var file: String { home.path(".local/state/oap/tokens/ci.json") }

    private func stored() throws -> JSONObject {
        let bytes = try Array(Data(contentsOf: URL(fileURLWithPath: file)))
        #expect(!String(decoding: bytes, as: UTF8.self).contains("s3cret-value"))
        return try #require(JSON(parsing: bytes).object)
    }

    private func put(_ token: JSONObject) throws {
        try Data(JSON.object(token).bytes).write(to: URL(fileURLWithPath: file))
    }

    private func expire() throws { try put(stored().with(["expires_at": .integer(1)])) }
}
