import CommandSupport
import Foundation
import Synchronization
import TestSupport
import Testing
import Wire

@Suite("The MCP bridge of oap proxy")
struct MCPBridgeTests {
    private static let initialize =
        #"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{}}}"#
    private static let initialized = #"{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25"}}"#

    /// A running bridge to a server, whose standard input is open.
    private func bridge(
        _ server: Responder, _ home: TemporaryDirectory, token: JSONObject = [:]
    ) throws -> RunningProgram {
        var stored: JSONObject = [
            "access_token": .string(ProxyScene.token), "resource": .string(server.url("/mcp")),
        ]
        for member in token.members { stored[member.name] = member.value }
        try ProxyScene.put(stored, as: "mcp", in: home)
        return try Program.oap(["proxy", "mcp", "--stdio"], input: .open, environment: ["HOME": home.path]).start()
    }

    private func message(_ text: String) throws -> JSONObject { try #require(JSON(parsing: text).object) }

    @Test("a session counts from the first event on, and ends with standard input")
    func session() throws {
        let (gate, listened, home) = (Responder.Gate(), Responder.Gate(), try TemporaryDirectory())
        defer { gate.open() }
        let server = try Responder { request in
            switch request.method {
            case "GET": .text("", status: 405).opening(listened)
            case "DELETE": .text("", status: 204)
            case _ where request.bodyText.contains("initialize\""):
                // The stream stays open behind the answer.
                .raw("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nMcp-Session-Id: s-1\r\n\r\n")
                    .then(.raw("id: 0\ndata:\n\ndata: \(Self.initialized)\n\n")).then(.close.after(gate))
            case _ where request.bodyText.contains("initialized"): .text("", status: 202)
            default: .json(#"{"jsonrpc":"2.0","id":2,"result":{"tools":[]}}"#)
            }
        }
        let bridge = try bridge(server, home)
        bridge.write(Self.initialize + "\n")
        #expect(try message(try bridge.outputLine { $0.contains("protocolVersion") })["id"]?.integer == 1)
        bridge.write(#"{"jsonrpc":"2.0","method":"notifications/initialized"}"# + "\n")
        bridge.write(#"{"jsonrpc":"2.0","id":2,"method":"tools/list"}"# + "\n")
        _ = try bridge.outputLine { $0.contains("tools") }
        #expect(listened.wait())
        gate.open()
        bridge.closeInput()
        try bridge.finish().expect(status: 0)
        let others = server.requests.dropFirst()
        #expect(others.allSatisfy { $0.headers.first("Mcp-Session-Id") == "s-1" })
        #expect(others.allSatisfy { $0.headers.first("MCP-Protocol-Version") == "2025-11-25" })
        #expect(others.map(\.method).sorted() == ["DELETE", "GET", "POST", "POST"])
        #expect(server.requests.allSatisfy { $0.headers.first("Authorization") == "Bearer \(ProxyScene.token)" })
        #expect(server.requests.first?.headers.first("Accept") == "application/json, text/event-stream")
    }

    @Test("a message of 2026-07-28 stands for itself: its fields repeat it, and a cancelled request ends at the server")
    func stateless() throws {
        let (reached, gate, home) = (Responder.Gate(), Responder.Gate(), try TemporaryDirectory())
        defer { gate.open() }
        let server = try Responder { request in
            guard request.bodyText.contains("slow") else { return .json(#"{"jsonrpc":"2.0","id":"b","result":{}}"#) }
            reached.open()
            return .raw("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n").then(.close.after(gate))
        }
        let bridge = try bridge(server, home)
        let meta = #""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}"#
        let call = { (id: String, tool: String) in
            #"{"jsonrpc":"2.0","id":"\#(id)","method":"tools/call","params":{"name":"\#(tool)",\#(meta)}}"# + "\n"
        }
        bridge.write(call("a", "slow"))
        try bridge.deliver()
        #expect(reached.wait())
        bridge.write(#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"a"}}"# + "\n")
        bridge.write(call("b", "quick"))
        #expect(try message(try bridge.firstLine())["id"] == "b")
        bridge.closeInput()
        let result = try bridge.finish().expect(status: 0)
        #expect(result.text.split(separator: "\n").count == 1, "\(result)")
        // The cancellation is no message of its own, and without a session there is none to end.
        #expect(server.requests.count == 2)
        let fields = try #require(server.requests.last?.headers)
        #expect(fields.first("MCP-Protocol-Version") == "2026-07-28" && fields.first("Mcp-Method") == "tools/call")
        #expect(fields.first("Mcp-Name") == "quick" && fields.first("Mcp-Session-Id") == nil)
    }

    @Test("a stream that ends without the response is an error of the request, and the end of a subscription is said")
    func ended() throws {
        let home = try TemporaryDirectory()
        let server = try Responder { _ in
            .raw("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n: comment\n\n").then(.close)
        }
        let bridge = try bridge(server, home)
        bridge.write(#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"# + "\n")
        let error = try message(try bridge.firstLine())
        #expect(error["id"]?.integer == 1 && error["error"]?.object?["code"]?.integer == -32000)
        bridge.write(#"{"jsonrpc":"2.0","id":7,"method":"subscriptions/listen","params":{}}"# + "\n")
        let end = try message(try bridge.outputLine { $0.contains("cancelled") })
        #expect(end["params"]?.object?["requestId"]?.integer == 7)
        bridge.closeInput()
        try bridge.finish().expect(status: 0)
    }

    @Test("a token that lacks a scope, and one that is over, are errors with what to do")
    func refused() throws {
        let home = try TemporaryDirectory()
        let server = try Responder { request in
            request.bodyText.contains("more")
                ? .text(
                    "", status: 403,
                    headers: [#"WWW-Authenticate: Bearer error="insufficient_scope", scope="files:write""#])
                : .text("", status: 401, headers: [#"WWW-Authenticate: Bearer error="invalid_token""#])
        }
        let bridge = try bridge(server, home)
        bridge.write(#"{"jsonrpc":"2.0","id":1,"method":"more"}"# + "\n")
        let scope = try #require(message(try bridge.firstLine())["error"]?.object?["data"]?.object)
        #expect(scope["http_status"]?.integer == 403 && scope["hint"]?.string?.contains("files:write") == true)
        bridge.write(#"{"jsonrpc":"2.0","id":2,"method":"other"}"# + "\n")
        let over = try message(try bridge.outputLine { $0.contains("\"id\":2") })
        #expect(over["error"]?.object?["data"]?.object?["exit_status"]?.integer != nil)
        bridge.closeInput()
        let result = try bridge.finish().expect(status: 0)
        #expect(!result.text.contains(ProxyScene.token))
    }

    @Test("a server that is down is an error of the request, and a login meanwhile is used by the next")
    func down() throws {
        let home = try TemporaryDirectory()
        let isUp = Mutex(false)
        let server = try Responder { request in
            guard isUp.withLock({ $0 }) else {
                return .text("", status: 401, headers: ["WWW-Authenticate: Bearer error=\"invalid_token\""])
            }
            return .json(
                #"{"jsonrpc":"2.0","id":2,"result":{"auth":"\#(request.headers.first("Authorization") ?? "")"}}"#)
        }
        let bridge = try bridge(server, home)
        bridge.write(#"{"jsonrpc":"2.0","id":1,"method":"a"}"# + "\n")
        #expect(try message(try bridge.firstLine())["error"] != nil)
        isUp.withLock { $0 = true }
        try ProxyScene.put(
            ["access_token": .string("another-token-of-the-user"), "resource": .string(server.url("/mcp"))], as: "mcp",
            in: home)
        bridge.write(#"{"jsonrpc":"2.0","id":2,"method":"b"}"# + "\n")
        // What it was sent with is in its answer, which is not passed on for that.
        #expect(try bridge.outputLine { $0.contains("\"id\":2") }.contains("has the token in it"))
        #expect(server.requests.last?.headers.first("Authorization") == "Bearer another-token-of-the-user")
        bridge.closeInput()
        try bridge.finish().expect(status: 0)
        let gone = try Responder()
        gone.stop()
        try ProxyScene.put(
            ["access_token": .string("at-of-the-user"), "resource": .string("http://127.0.0.1:\(gone.port)/mcp")],
            as: "down", in: home)
        let down = try Program.oap(
            ["proxy", "down", "--stdio", "--retry", "1"],
            input: .text(#"{"jsonrpc":"2.0","id":3,"method":"c"}"# + "\n"),
            environment: ["HOME": home.path]
        ).run().expect(status: 0)
        #expect(try message(down.text)["error"]?.object?["data"]?.object?["exit_status"]?.integer == 6, "\(down)")
    }

    @Test("a token that is for no server, and what is no message, are said so")
    func usage() throws {
        let home = try TemporaryDirectory()
        try ProxyScene.put(["access_token": .string(ProxyScene.token)], as: "bare", in: home)
        let run = { try Program.oap($0, environment: ["HOME": home.path]).run() }
        let bare = try run(["proxy", "bare", "--stdio"])
        #expect(bare.ending == .status(2) && bare.errorText.contains("oap login bare --resource URL"), "\(bare)")
        #expect(try run(["proxy", "bare", "--stdio", "--listen", "127.0.0.1:0"]).ending == .status(2))
        #expect(try run(["proxy", "bare", "--stdio", "--", "true"]).ending == .status(2))
        let server = try Responder()
        let bridge = try bridge(server, home)
        bridge.write("[1,2]\nnothing\n")
        bridge.closeInput()
        let result = try bridge.finish().expect(status: 0)
        #expect(result.text.split(separator: "\n").count == 2 && result.text.contains("-32700"), "\(result)")
        #expect(server.requests.isEmpty)
    }
}
