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
}
