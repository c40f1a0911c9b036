import PlaySupport
import TestSupport
import Testing
import Wire

@testable import CommandSupport

@Suite("Calls of a resource", .inProcess)
struct ResourceCallTests {
    private let managed: ManagedHome
    private let server: Responder
    private var both: String { "application/json, text/event-stream" }

    init() throws {
        managed = try ManagedHome(expiresIn: 3_600)
        server = try Responder { request in
            let isFirst = request.bodyText.contains("initialize")
            let headers = isFirst ? ["Mcp-Session-Id: session-1"] : []
            return .text(
                request.headers.first("Mcp-Session-Id") ?? "none", status: request.target == "/gone" ? 404 : 200,
                headers: headers)
        }
        try put([server.url("/mcp")])
    }

    private func put(_ resources: [String]) throws {
        try managed.put(
            try managed.stored().with(["resource": .strings(resources), "api_base": .string(server.url())]))
    }

    @Test("the URL may be left out where the token has one resource, which gets JSON and says what it sends")
    func alone() throws {
        try managed.oap("call", "work", "--json", #"{"method":"ping"}"#).run().expect(status: 0)
        let request = try #require(server.requests.last)
        #expect(request.target == "/mcp" && request.method == "POST" && request.headers.first("Accept") == both)
        #expect(request.headers.first("Authorization") == "Bearer at-0")
        let shown = try managed.oap("call", "work", "-f", "a=b", "--dry-run").run().expect(status: 0).text
        #expect(shown.contains(server.url("/mcp")) && shown.contains(both))
        try put([server.url("/mcp"), server.url("/other")])
        let result = try managed.oap("call", "work", "--json", "{}").run().expect(status: 2)
        result.expect(errorLine: "oap: call: the URL is missing")
        try managed.oap("call", "nobody", "--json", "{}").run().expect(status: 2)
    }

    @Test("other URLs, other content and a given Accept are as ever")
    func others() throws {
        try managed.oap("call", "work", "/else", "--json", "{}").run().expect(status: 0)
        #expect(server.requests.last?.headers.first("Accept") == "application/json")
        try managed.oap("call", "work", "/mcp").run().expect(status: 0)
        #expect(server.requests.last?.headers.first("Accept") == "*/*")
        try managed.oap("call", "work", "/mcp", "--json", "{}", "-H", "Accept: text/plain").run().expect(status: 0)
        #expect(server.requests.last?.headers.first("Accept") == "text/plain")
        try managed.oap("call", "work", "/mcp", "-d", "a=b").run().expect(status: 0)
        #expect(server.requests.last?.headers.first("Accept") == "*/*")
    }

    @Test("a session that came is sent again within a batch, to its resource alone")
    func session() throws {
        var batch = managed.oap("call", "work", "--batch", "--parallel", "1", "--jq", ".body", "-r")
        let lines = [
            #"{"url":"/mcp","body":{"method":"initialize"}}"#, #"{"url":"/mcp","body":{"method":"tools/list"}}"#,
            #"{"url":"/else","body":{}}"#, #"{"url":"/mcp","body":{},"headers":{"Mcp-Session-Id":"own"}}"#,
        ]
        batch.input = .text(lines.map { $0 + "\n" }.joined())
        try batch.run().expect(status: 0).expect(output: "none\nsession-1\nnone\nown\n")
        #expect(server.requests.first?.headers.first("Accept") == both)
        #expect(server.requests.dropFirst(2).first?.headers.first("Accept") == "*/*")
    }

    private static func message(_ method: String, _ params: String, version: String = #""2026-07-28""#) -> String {
        let meta = #""_meta":{"io.modelcontextprotocol/protocolVersion":\#(version)}"#
        return
            #"{"jsonrpc":"2.0","id":1,"method":"\#(method)","params":{\#(params)\#(params.isEmpty ? "" : ",")\#(meta)}}"#
    }

    @Test(
        "a message that names its revision of MCP is repeated in the fields of the request, alone and in a batch",
        arguments: [
            (message("tools/list", ""), nil), (message("tools/call", #""name":"count""#), "count"),
            (message("prompts/get", #""name":"hi","uri":"x""#), "hi"),
            (message("resources/read", #""uri":"file:///a b""#), "file:///a b"),
            (message("tools/call", #""name":"zählen""#), "=?base64?esOkaGxlbg==?="),
            (message("tools/call", #""name":" a""#), "=?base64?IGE=?="),
            (message("tools/call", #""name":"=?base64?YQ==?=""#), "=?base64?PT9iYXNlNjQ/WVE9PT89?="),
        ] as [(String, String?)])
    func repeated(message: String, name: String?) throws {
        let method = try #require(JSON(parsing: message).object?["method"]?.string)
        try managed.oap("call", "work", "--json", message).run().expect(status: 0)
        var batch = managed.oap("call", "work", "--batch")
        batch.input = .text(#"{"url":"/mcp","body":\#(message)}"# + "\n")
        try batch.run().expect(status: 0)
        #expect(server.requests.count == 2)
        for request in server.requests {
            #expect(request.headers.first("MCP-Protocol-Version") == "2026-07-28")
            #expect(request.headers.first("Mcp-Method") == method)
            #expect(request.headers.first("Mcp-Name") == name)
        }
    }

    @Test("nothing is repeated to other URLs, of other messages, nor over a field that is given")
    func unrepeated() throws {
        let message = Self.message("tools/call", #""name":"count""#)
        let own = ["-H", "Mcp-Name: own"]
        try managed.oap(["call", "work", "--json", message] + own).run().expect(status: 0)
        #expect(server.requests.last?.headers.values(of: "Mcp-Name") == ["own"])
        for words in [
            ["/else", "--json", message], ["/mcp", "--json", #"{"method":"ping"}"#], ["/mcp", "-d", message],
            ["/mcp", "--json", Self.message("ping", "", version: "7")],
            ["/mcp", "--json", Self.message("ping", "", version: #""x\\r\\ny""#)],
        ] {
            try managed.oap(["call", "work"] + words).run().expect(status: 0)
            #expect(server.requests.last?.headers.first("Mcp-Method") == nil, "\(words)")
        }
    }

    @Test("the events of an answer are an array in a batch, each as a filter finds it without")
    func events() throws {
        let events = try Responder { _ in
            .text(
                "event: message\r\ndata: {\"id\":1.0}\r\n\r\n: alive\n\ndata: x\n\n",
                headers: ["Content-Type: text/event-stream"])
        }
        var batch = managed.oap(
            "call", "work", "--allow-origin", events.url(), "--batch", "--jq", ".body[] | [.event, .data]", "-c")
        batch.input = .text(#"{"url":"\#(events.url("/"))"}"# + "\n")
        try batch.run().expect(status: 0).expect(output: #"["message",{"id":1}]"# + "\n" + #"["message","x"]"# + "\n")
        batch.arguments.removeLast(3)
        let line = try batch.run().expect(status: 0).object()
        #expect(line["body"]?.array?.count == 2)
    }
}
