import Glibc
import TestSupport
import Testing
import Wire

extension AgainstServers {
    /// `oap device` and the polling of `oap exchange`, against servers that others wrote.
    @Suite("With a server that others wrote, a device")
    struct DeviceTests {
        private static let servers = Peer.Server.allCases

        private func login(_ server: Peer.Server, settings: [String: String] = [:]) throws -> Login {
            Login(peer: try Peer.shared(server, settings: settings))
        }

        private func client(_ login: Login) throws -> JSONObject {
            try login.client(login.isGlewlwyd ? "cli-public" : "cli-device")
        }

        /// A flow that waits for a person, and polls once a second.
        private func flow(_ login: Login, _ client: JSONObject? = nil, _ options: String...) throws -> JSONObject {
            let flow = try login.oap(["device"] + options, try client ?? self.client(login)).expect(status: 0).object()
            return flow.with("interval", .integer(1))
        }

        private func approve(_ flow: JSONObject, _ login: Login, denies: Bool = false) throws {
            let url = try #require(flow["verification_uri_complete"]?.string)
            _ = try login.peer.authorize(url, denies: denies)
        }

        /// How often the token endpoint was asked.
        private func polls(_ result: ProgramResult) -> Int {
            result.errorText.split(separator: "\n").count { $0.hasPrefix("> POST ") }
        }

        @Test(
            "a device is let in by a person on another one, in one pipe, and its token serves and is renewed",
            arguments: servers
        )
        func pipe(server: Peer.Server) throws {
            let login = try login(server)
            let folder = try TemporaryDirectory()
            let file = try folder.write(JSON.object(try client(login)).text, to: "client.json")
            let running = try Program.shell(
                "set -o pipefail; oap device | tee \(folder.path("flow.json")) | oap exchange", input: .file(file)
            ).start()
            let url = try running.errorLine { $0.contains("code=") }
            _ = try login.peer.authorize(url)
            let result = try running.finish().expect(status: 0)
            let token = try result.object()
            let flow = try #require(JSON(parsing: Array(try folder.read("flow.json").utf8)).object)
            #expect(flow["interval"] == .integer(5) && flow["verification_uri_complete"] == .string(url))
            let code = try #require(flow["user_code"]?.string)
            #expect(result.errorText.split(separator: "\n").contains(Substring(code)))
            for name in ["device_code", "user_code", "verification_uri", "verification_uri_complete", "interval"] {
                #expect(flow[name] != nil && token[name] == nil, "\(name)")
            }
            // django-oauth-toolkit gives devices no ID token.
            #expect((token["id_token_claims"] != nil) == login.isGlewlwyd)
            #expect(result.errorText.contains("the server sent no id_token") != login.isGlewlwyd)
            let userinfo = try #require(token["userinfo_endpoint"]?.string)
            let subject = try login.oap(["call", userinfo, "--jq", ".sub", "-r"], token).expect(status: 0)
            #expect(subject.text.count > 1)
            let renewed = try login.oap(["refresh"], token).expect(status: 0).object()
            #expect(renewed["access_token"] != token["access_token"])
        }

        @Test("a device with a secret of its own proves itself at both endpoints")
        func confidential() throws {
            let login = try login(.glewlwyd)
            let flow = try flow(login, try login.client("cli-basic"))
            try approve(flow, login)
            try login.oap(["exchange"], flow).expect(status: 0)
            let other = try login.client("cli-basic").with("basic_encoding", .string("form"))
            try login.oap(["device"], other).expect(status: 4)
        }

        @Test("a device is told when the person says no")
        func denied() throws {
            let login = try login(.django)
            let flow = try flow(login)
            try approve(flow, login, denies: true)
            let error = try login.oap(["exchange"], flow).expect(status: 4).object()
            #expect(error["error"] == .string("access_denied"))
        }

        @Test("a device that asks too often slows down for good, and gets its token then", .withAll)
        func slowDown() throws {
            let login = try login(.glewlwyd)
            let hasty = try flow(login)
            let end = JSON.integer(Int(time(nil)) + 7)
            // Pending after one second, slow_down after two: six seconds more are too many.
            let slowed = try login.oap(["exchange", "-v"], hasty.with("expires_at", end)).expect(status: 4)
            #expect(polls(slowed) <= 2, "\(slowed)")
            let flow = try flow(login)
            let folder = try TemporaryDirectory()
            let file = try folder.write(JSON.object(flow).text, to: "flow.json")
            let running = try Program.shell(
                """
                oap exchange -v 2> >(awk '/^< HTTP.1.1 400/ { print "refusal", ++n; fflush() }' >&2)
                """, input: .file(file)
            ).start()
            _ = try running.errorLine { $0 == "refusal 2" }
            try approve(flow, login)
            try running.finish().expect(status: 0)
        }

        @Test("a device is told that its code has expired, by the server where nobody else says so")
        func expired() throws {
            let login = try login(.glewlwyd, settings: ["DEVICE_SECONDS": "2"])
            let flow = try flow(login)
            let late = flow.with("expires_at", .integer(Int(time(nil)) + 600)).with("interval", .integer(4))
            let result = try login.oap(["exchange", "-v"], late).expect(status: 4)
            #expect(try result.object()["error"] == .string("expired_token") && polls(result) == 1)
            #expect(try result.object()["http_status"] == .integer(400))
        }

        @Test("a device that knows the end of its code does not ask after it", arguments: servers)
        func ended(server: Peer.Server) throws {
            let login = try login(server)
            let flow = try flow(login).with("expires_at", .integer(Int(time(nil)) + 3))
            let result = try login.oap(["exchange", "-v"], flow).expect(status: 4)
            #expect(try result.object()["error"] == .string("expired_token") && polls(result) <= 2)
        }

        @Test("a device does not wait for a server whose certificate is not trusted", arguments: servers)
        func tls(server: Peer.Server) throws {
            let login = try login(server, settings: ["TLS": "1"])
            let authority = try #require(login.peer.certificateAuthority)
            try login.oap(["device"], try client(login)).expect(status: 9)
            let flow = try flow(login, nil, "--cacert", authority).with("scope", .string("email"))
            let distrusted = try login.oap(["exchange"], flow).expect(status: 9)
            #expect(distrusted.errorText.contains("certificate"), "\(distrusted)")
            try approve(flow, login)
            try login.oap(["exchange", "--cacert", authority], flow).expect(status: 0)
        }
    }
}
