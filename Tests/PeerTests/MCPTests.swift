import Foundation
import TestSupport
import Testing
import Wire

extension AgainstServers {
    /// `oap` as a client of MCP servers, which are their own authorization servers.
    @Suite("With an MCP server that others wrote")
    struct MCPTests {
        /// What the peer is made of: the MCP Python SDK, or FastMCP.
        enum Framework: String, CaseIterable {
            case sdk, fastmcp
        }

        private static let initialize = #"""
            {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},\#
            "clientInfo":{"name":"oap","version":"0"}}}
            """#

        private func login(_ framework: Framework) throws -> Login {
            Login(peer: try Peer.shared(.mcp, settings: ["FRAMEWORK": framework.rawValue]))
        }

        /// Calls `initialize` with a token.
        private func call(_ login: Login, _ token: JSONObject) throws -> ProgramResult {
            let resource = try #require(login.peer.metadata["resource"]?.string)
            let accept = "Accept: application/json, text/event-stream"
            return try login.oap(["call", resource, "--json", Self.initialize, "-H", accept], token)
        }

        /// What discovery says of the server, from its address alone.
        private func discovered(_ login: Login) throws -> JSONObject {
            let resource = try #require(login.peer.metadata["resource"]?.string)
            return try Program.oap(["discover", "--resource", resource]).run().expect(status: 0)
                .object()
        }

        @Test(
            "oap needs only the address of an MCP server to register, log in and call it",
            arguments: Framework.allCases, [nil, "none", "client_secret_post"])
        func wholeWay(framework: Framework, method: String?) throws {
            let login = try login(framework)
            try call(login, ["access_token": .string("wrong")]).expect(status: 7)

            let server = try discovered(login)
            #expect(server["resource"] == login.peer.metadata["resource"])
            #expect(framework == .sdk || server["scope"]?.string == "user", "the scope of the challenge")
            let arguments = method.map { ["--token-endpoint-auth-method", $0] } ?? []
            let client = try login.oap(
                ["register", "--redirect-uri", Login.redirectURI] + arguments, server
            ).expect(status: 0).object()
            #expect(client["client_id"]?.string?.isEmpty == false)

            let flow = try login.flow(client)
            #expect(flow["authorization_url"]?.string?.contains("&resource=http%3A%2F%2F127.0.0.1") == true)
            let token = try login.oap(["exchange"], try login.code(flow)).expect(status: 0).object()
            let answer = try call(login, token).expect(status: 0)
            #expect(answer.text.contains(#""serverInfo":{"name":"oap tests""#), "\(answer)")

            let renewed = try login.oap(["refresh"], token).expect(status: 0).object()
            #expect(renewed["access_token"] != token["access_token"])
            try call(login, renewed).expect(status: 0)
            // The SDK's revocation endpoint wants the parameter client_secret even of a client that has none.
            guard method != "none" else { return }
            try login.oap(["revoke"], renewed).expect(status: 0)
            try call(login, renewed).expect(status: 7)
        }

        @Test(
            "oap login needs only the address of an MCP server, and its token is renewed and used",
            arguments: Framework.allCases)
        func oneLine(framework: Framework) throws {
            let resource = try #require(try login(framework).peer.metadata["resource"]?.string)
            let home = try TemporaryDirectory()
            let oap = { (words: [String]) in
                Program.oap(words, environment: ["HOME": home.path, "BROWSER": "curl -sSL -o /dev/null"])
            }
            for _ in 0..<2 {
                try oap(["login", "work", "--resource", resource, "--register", "--open"]).run().expect(status: 0)
            }
            let accept = "Accept: application/json, text/event-stream"
            let call = oap(["call", "-p", "work", resource, "--json", Self.initialize, "-H", accept])
            try call.run().expect(status: 0)
            try oap(["refresh", "-p", "work"]).run().expect(status: 0)
            let answer = try call.run().expect(status: 0)
            #expect(answer.text.contains(#""serverInfo":{"name":"oap tests""#), "\(answer)")
        }

        @Test("a filter of oap call runs on each event that an MCP server streams", arguments: Framework.allCases)
        func events(framework: Framework) throws {
            let login = try login(framework)
            let client = try login.oap(
                ["register", "--redirect-uri", Login.redirectURI], try discovered(login)
            ).expect(status: 0).object()
            let token = try login.oap(["exchange"], try login.code(try login.flow(client))).expect(status: 0).object()
            let resource = try #require(login.peer.metadata["resource"]?.string)
            func call(_ message: String, _ session: String?, _ options: [String]) throws -> String {
                let fields =
                    ["Accept: application/json, text/event-stream"] + (session.map { ["Mcp-Session-Id: \($0)"] } ?? [])
                let words = ["call", resource, "--json", message] + fields.flatMap { ["-H", $0] }
                return try login.oap(words + options, token).expect(status: 0).text
            }
            let session = try call(Self.initialize, nil, ["-r", "-q", "$headers[\"mcp-session-id\"]"]).dropLast()
            _ = try call(#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#, String(session), [])
            let count = #"""
                {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"count","arguments":{"to":3},\#
                "_meta":{"progressToken":7}}}
                """#
            let filter = ["-r", "-q", "[.event, .data.params.progress, .data.id] | @csv"]
            let events = (1...3).map { "\"message\",\($0),\n" }
            #expect(try call(count, String(session), filter) == events.joined() + "\"message\",,2\n")
            #expect(try call(count, String(session), filter + ["--max-items", "2"]) == events[..<2].joined())
        }

        @Test(
            "the script of oap-agents(7) lists the tools and calls one, with a session where the server has no other way",
            arguments: Framework.allCases, [true, false])
        func page(framework: Framework, isCurrent: Bool) throws {
            let resource = try #require(try login(framework).peer.metadata["resource"]?.string)
            let folder = try TemporaryDirectory()
            let page = try String(
                contentsOfFile: Fixture.project + "/Sources/Shell/Manual/text/agents.md", encoding: .utf8)
            let section = page.split(separator: "\n").drop { $0 != "# CALL TOOLS" }.dropFirst()
            let lines = section.prefix { !$0.hasPrefix("#") }
            var commands = lines.filter { $0.hasPrefix("    ") }.map { $0.dropFirst(4) }.joined(separator: "\n")
                .replacing("$OAP_API_BASE/echo", with: "$MCP")
            // As a server of 2025-11-25 answers, which has no such method.
            if !isCurrent { commands = commands.replacing("server/discover", with: "server/nothing") }
            var program = Program.shell(
                """
                oap login files --resource "$MCP" --register --open 2> log
                \(commands)
                printf '%s\\n' "$REVISION" "${#SESSION}" > revision
                """,
                environment: ["HOME": folder.path, "BROWSER": "curl -sSL -o /dev/null", "MCP": resource])
            program.directory = folder.path
            #expect(try program.run().expect(status: 0).text == "count\n1\n2\n3\ncounted\n")
            let revision = try folder.read("revision").split(separator: "\n")
            #expect(revision.first == (isCurrent ? "2026-07-28" : "2025-11-25"))
            #expect((Int(revision.last ?? "") ?? 0 > 10) != isCurrent)
        }

        @Test("FastMCP in front of another server names it with a slash more, which the user accepts by its name")
        func acceptedIssuer() throws {
            let sandbox = try Program.sandbox(["--jwt-access-tokens"]).start()
            let issuer = try #require(try JSON(parsing: sandbox.firstLine()).object?["issuer"]?.string)
            let peer = try Peer(.mcp, settings: ["FRAMEWORK": "fastmcp", "AUTHORIZATION_SERVER": issuer])
            let resource = try #require(peer.metadata["resource"]?.string)
            let home = try TemporaryDirectory()
            let oap = { (words: [String]) in
                Program.oap(words, environment: ["HOME": home.path, "BROWSER": "curl -sSL -o /dev/null"])
            }
            let words = ["login", "work", "--resource", resource, "--register", "--open"]
            let refused = try oap(words).run().expect(status: 9)
            #expect(refused.errorText.contains("they differ only in the slash at the end"), "\(refused)")
            #expect(refused.errorText.contains(": oap \(words.joined(separator: " ")) --accept-issuer \(issuer)\n"))
            try oap(words + ["--accept-issuer", issuer]).run().expect(status: 0)
            try oap(["login", "work", "--open"]).run().expect(status: 0)
            try oap(["refresh", "-p", "work"]).run().expect(status: 0)
            let accept = "Accept: application/json, text/event-stream"
            let answer = try oap(["call", "work", resource, "--json", Self.initialize, "-H", accept]).run()
            #expect(answer.expect(status: 0).text.contains(#""serverInfo":{"name":"oap tests""#), "\(answer)")
            withExtendedLifetime((sandbox, peer)) {}
        }

        @Test("oap is told of a scope that an MCP server does not register", arguments: Framework.allCases)
        func scope(framework: Framework) throws {
            let login = try login(framework)
            let server = try discovered(login).with("scope", .string("admin"))
            let error = try login.oap(["register"], server).expect(status: 4).object()
            #expect(error["error"]?.string == "invalid_client_metadata")
        }
    }
}
