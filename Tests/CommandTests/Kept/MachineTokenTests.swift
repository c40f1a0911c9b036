import TestSupport
import Testing
import Wire

@testable import CommandSupport

@Suite("The token of a machine, as a process")
struct MachineTokenTests: MachineTokens {
    let home: TemporaryDirectory
    let endpoint: Responder

    init() throws {
        home = try TemporaryDirectory()
        endpoint = try Self.tokenServer()
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
