import Foundation
import TestSupport
import Testing
import Wire

extension AgainstServers {
    /// The token of a client of its own, whose grant oap repeats.
    @Suite("The token of a machine, of a real server,")
    struct MachineTokenTests {
        @Test(
            "a machine's token is stored by oap login, and renewed by its grant for many processes at once",
            arguments: Peer.Server.allCases)
        func renewed(server: Peer.Server) throws {
            let login = Login(peer: try Peer.shared(server))
            var client = try login.client(login.isGlewlwyd ? "cli-basic" : "cli-machine-basic", scope: "read")
            let secret = try #require(client["client_secret"]?.string)
            client["client_secret"] = nil
            let home = try TemporaryDirectory()
            let folder = home.path(".config/oap/profiles")
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try home.write(JSON.object(client).text, to: ".config/oap/profiles/ci.json")
            let oap = { (arguments: [String]) in
                Program.oap(arguments, environment: ["HOME": home.path, "OAP_CLIENT_SECRET": secret])
            }
            try oap(["login", "ci", "--grant", "client_credentials"]).run().expect(status: 0)
            let stored = try oap(["store", "get", "ci"]).run().expect(status: 0).object()
            #expect(!JSON.object(stored).text.contains(secret))
            #expect(stored["grant_type"]?.string == "client_credentials" && stored["refresh_token"] == nil)
            var put = oap(["store", "put", "ci"])
            put.input = .text(JSON.object(stored.with("expires_at", .integer(1))).text)
            try put.run().expect(status: 0)
            let running = try (0..<50).map { _ in try oap(["token", "ci"]).start() }
            let tokens = try Set(running.map { try $0.finish().expect(status: 0).text })
            #expect(tokens.count == 1 && tokens.first != (stored["access_token"]?.string ?? "") + "\n")
            try oap(["login", "ci", "--if-needed"]).run().expect(status: 0)
        }

        @Test("the token of a password in a file is renewed by the password once its refresh token is gone")
        func password() throws {
            let login = Login(peer: try Peer.shared(.django))
            let home = try TemporaryDirectory()
            let user = try #require(login.peer.description["user"]?.object)
            let file = try home.write((user["password"]?.string ?? "") + "\n", to: "password")
            let client = try login.client("cli-password", scope: "read")
            let exchange = [
                "exchange", "--grant", "password", "--password-file", file, "--param",
                "username=\(user["username"]?.string ?? "")",
            ]
            let token = try login.oap(exchange, client).expect(status: 0).object()
            let again = try login.oap(["refresh"], token.with("refresh_token", nil)).expect(status: 0).object()
            #expect(again["access_token"] != token["access_token"] && again["password"] == nil)
        }
    }
}
