import Foundation
import TestSupport
import Testing
import Wire

extension AgainstServers {
    /// `oap login`, `token` and `logout` against servers that others wrote.
    @Suite("With a server that others wrote, oap login")
    struct LoginCommandTests {
        private func home(_ login: Login, _ client: JSONObject) throws -> TemporaryDirectory {
            let home = try TemporaryDirectory()
            try home.write(JSON.object(client).text, to: ".config/oap/profiles/work.json")
            return home
        }

        private func oap(_ home: TemporaryDirectory, _ arguments: String..., input: Program.Input = .none) -> Program {
            oap(home, arguments, input: input)
        }

        /// The tokens of a document.
        private func secrets(of token: JSONObject) -> [String] {
            ["access_token", "refresh_token", "id_token"].compactMap { token[$0]?.string }
        }

        /// Checks that the token request and its response are in what `-vv` shows and in the archive of `--har`, and that
        /// no secret is.
        private func checkMasked(_ result: ProgramResult, _ archive: String, _ secrets: [String]) {
            #expect(secrets.count > 1)
            for secret in secrets { #expect(!result.errorText.contains(secret) && !archive.contains(secret)) }
            #expect(result.errorText.contains("\n} grant_type="), "\(result)")
            #expect(result.errorText.contains(#""access_token":"***""#) || result.errorText.contains(#""***""#))
            #expect(archive.contains("grant_type=") && archive.contains(#"\"access_token\""#), "\(archive)")
        }

        private func oap(_ home: TemporaryDirectory, _ arguments: [String], input: Program.Input = .none) -> Program {
            Program.oap(arguments, input: input, environment: ["HOME": home.path])
        }

        @Test(
            "oap login logs a person in by a pasted redirect, uses and renews the token, and logs out",
            arguments: Peer.Server.allCases)
        func paste(server: Peer.Server) throws {
            let login = Login(peer: try Peer.shared(server))
            let home = try home(login, try login.client("cli-basic"))
            let shown = ["-vv", "--har"]
            let program = try oap(home, ["login", "work", "--paste"] + shown + [home.path("a.har")], input: .terminal)
                .start()
            let url = try program.errorLine { $0.hasPrefix("http://") }
            program.write(try login.peer.authorize(url) + "\n")
            let result = try program.finish().expect(status: 0)
            #expect(result.errorText.contains("logged in as "), "\(result)")
            let userinfo = try #require(login.peer.metadata["userinfo_endpoint"]?.string)
            try oap(home, "call", "-p", "work", userinfo).run().expect(status: 0)
            let old = try oap(home, "token", "work").run().expect(status: 0).text
            let first = try oap(home, "token", "work", "--document").run().expect(status: 0).object()
            try checkMasked(result, home.read("a.har"), secrets(of: first))
            let renewal = try oap(
                home, ["refresh", "-p", "work", "-o", "/dev/null"] + shown + [home.path("b.har")]
            ).run().expect(status: 0)
            let new = try oap(home, "token", "work").run().expect(status: 0).text
            #expect(old != new)
            let kept = try oap(home, "token", "work", "--document").run().expect(status: 0).object()
            try checkMasked(renewal, home.read("b.har"), secrets(of: first) + secrets(of: kept))
            let out = try oap(home, "logout", "work").run().expect(status: 0)
            #expect(out.errorText.contains("refresh_token and access_token revoked"), "\(out)")
            try oap(home, "token", "work").run().expect(status: 8)
            #expect(try login.oap(["refresh"], kept).ending != .status(0))
        }

        @Test("oap login logs a person in by a code on another device", arguments: Peer.Server.allCases)
        func device(server: Peer.Server) throws {
            let login = Login(peer: try Peer.shared(server))
            let home = try home(login, try login.client(login.isGlewlwyd ? "cli-public" : "cli-device"))
            let program = try oap(home, "login", "work", "--device").start()
            _ = try login.peer.authorize(try program.errorLine { $0.contains("code=") })
            try program.finish().expect(status: 0)
            let userinfo = try #require(login.peer.metadata["userinfo_endpoint"]?.string)
            try oap(home, "call", "-p", "work", userinfo).run().expect(status: 0)
        }
    }
}
