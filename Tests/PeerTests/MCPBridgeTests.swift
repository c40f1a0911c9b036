import Foundation
import TestSupport
import Testing
import Wire

extension AgainstServers {
    /// `oap proxy --stdio` between a client and servers that others wrote.
    @Suite("The MCP bridge, between a client and servers of others")
    struct MCPBridgeTests {
        /// The MCP Python SDK as a client of the program that its arguments name, in a mode of its own: `legacy` begins a
        /// session, `auto` asks the server, a revision is that one.
        private static let client = """
            import anyio, os, sys
            from mcp.client.client import Client
            from mcp.client.stdio import StdioServerParameters

            async def main():
                program = StdioServerParameters(command=sys.argv[2], args=sys.argv[3:], env=dict(os.environ))
                async with Client(program, mode=sys.argv[1]) as client:
                    print([tool.name for tool in (await client.list_tools()).tools])
                    steps = []
                    async def progress(step, total=None, message=None):
                        steps.append(int(step))
                    result = await client.call_tool("count", {"to": 3}, progress_callback=progress)
                    print(result.content[0].text, steps, client.protocol_version)
                    print((await client.call_tool("none", {})).is_error)
            anyio.run(main)
            """

        private static let python: String = {
            let variables = ProcessInfo.processInfo.environment
            let cache = variables["XDG_CACHE_HOME"] ?? (variables["HOME"] ?? "") + "/.cache"
            return cache + "/oap-tests/mcp/bin/python"
        }()

        private func home(_ framework: MCPTests.Framework) throws -> TemporaryDirectory {
            let peer = try Peer.shared(.mcp, settings: ["FRAMEWORK": framework.rawValue])
            let resource = try #require(peer.metadata["resource"]?.string)
            let home = try TemporaryDirectory()
            let login = ["login", "files", "--resource", resource, "--register", "--open"]
            try Program.oap(
                login, environment: ["HOME": home.path, "BROWSER": "curl -sSL -o /dev/null"]
            ).run().expect(status: 0)
            return home
        }

        @Test(
            "the Python SDK lists the tools, calls one and sees its progress, in both revisions",
            arguments: MCPTests.Framework.allCases, ["legacy", "auto", "2026-07-28"])
        func tools(framework: MCPTests.Framework, mode: String) throws {
            let home = try home(framework)
            let program = Program(
                path: Self.python, arguments: ["-c", Self.client, mode, Program.oapPath, "proxy", "files", "--stdio"])
            let result = try changing(program) { $0.environment = ["HOME": home.path] }.run().expect(status: 0)
            let revision = mode == "legacy" ? "2025-11-25" : "2026-07-28"
            #expect(result.text == "['count']\ncounted [1, 2, 3] \(revision)\nTrue\n", "\(result)")
        }

        @Test(
            "what is no message, and a message that the server refuses, gets an error of JSON-RPC",
            arguments: MCPTests.Framework.allCases)
        func errors(framework: MCPTests.Framework) throws {
            let home = try home(framework)
            let lines = [
                "no message", #"{"jsonrpc":"2.0","id":"a","method":"tools/list"}"#, "",
                #"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
            ]
            let result = try Program.oap(
                ["proxy", "files", "--stdio"], input: .text(lines.joined(separator: "\n")),
                environment: ["HOME": home.path]
            ).run().expect(status: 0)
            let answers = try result.text.split(separator: "\n").map { try #require(JSON(parsing: String($0)).object) }
            try #require(answers.count == 2, "\(result)")
            #expect(answers[0]["error"]?.object?["code"]?.integer == -32700 && answers[0]["id"] == .null)
            #expect(answers[1]["error"]?.object?["message"]?.string?.isEmpty == false && answers[1]["id"] == "a")
        }
    }
}

private func changing<Value>(_ value: Value, _ change: (inout Value) -> Void) -> Value {
    var value = value
    change(&value)
    return value
}
