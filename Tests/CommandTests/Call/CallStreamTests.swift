import TestSupport
import Testing
import Wire

@testable import CommandSupport

@Suite("Responses that call filters item by item")
struct CallStreamTests {
    /// The head of a response that ends with the connection.
    private static func head(_ type: String, status: Int = 200) -> Responder.Reply {
        .raw("HTTP/1.1 \(status) Status\r\nContent-Type: \(type)\r\n\r\n")
    }

    private static func stream(_ text: String, type: String = "text/event-stream") -> Responder.Reply {
        head(type).then(.raw(text)).then(.close)
    }

    @Test("a filter runs on each event as it comes, in whatever pieces")
    func events() throws {
        let gates = (0..<5).map { _ in Responder.Gate() }
        defer { gates.forEach { $0.open() } }
        // The pieces end in a character, between CR and LF, in a field name and behind a whole event.
        let reply = Self.head("text/event-stream; charset=utf-8")
            .then(.raw(Array(": hello\r\ndata: {\"a\":\"h".utf8) + [0xC3]).after(gates[0]))
            .then(.raw([0xA9] + Array("\"}\r".utf8)).after(gates[1]))
            .then(.raw("\n\r\nid: 7\r\nev").after(gates[2]))
            .then(.raw("ent: add\r\ndata: x\r\ndata: y\r\n\r\n").after(gates[3]))
            .then(.raw("data: [DONE]\n\ndata: cut").after(gates[4])).then(.close)
        let responder = try Responder { _ in reply }
        let running = try Program.oap(["call", "/x", "-cq", "."], input: responder.token.input).start()
        gates[0...2].forEach { $0.open() }
        #expect(try running.firstLine() == #"{"event":"message","id":"","data":{"a":"hé"}}"#)
        gates[3].open()
        #expect(
            try running.outputLine { $0.contains("add") } == #"{"event":"add","id":"7","data":"x\ny"}"#)
        gates[4].open()
        let result = try running.finish().expect(status: 0).expectSilence()
        #expect(result.text.hasSuffix("\n" + #"{"event":"message","id":"7","data":"[DONE]"}"# + "\n"))
    }

    @Test(
        "events go through a filter of any kind",
        arguments: [
            (".data.a", "1\n2\n"), (".data | .a", "1\n2\n"), (".data[]", "1\n2\n"), (".[] | numbers", ""),
            ("$status", "200\n200\n"), ("[.data.a, .event] | @csv", "1,\"message\"\n2,\"message\"\n"),
            ("select(.data.a == 2).id", "8\n"),
            ("$headers[\"content-type\"]", "text/event-stream\ntext/event-stream\n"),
        ])
    func filters(filter: String, output: String) throws {
        let reply = Self.stream("data:{\"a\":1}\n\nid:8\ndata:{\"a\":2}\n\n")
        try call(["-rq", filter], reply).expect(status: 0).expect(output: output)
        try call(["-r", "--stream-each", filter], reply).expect(status: 0).expect(output: output)
    }

    @Test("a filter that takes an event for its message is told where that is")
    func message() throws {
        let reply = Self.stream("data:{\"result\":{\"tools\":[1]}}\n\n")
        try call(["-q", ".result.tools[]"], reply).expect(status: 5)
            .expect(errorLine: "oap: hint: an event is an object: its message is .data")
    }

    @Test("the lines of NDJSON and the texts of a sequence go through a filter as they come")
    func texts() throws {
        for (type, before) in [("application/x-ndjson", ""), ("application/json-seq", "\u{1E}")] {
            let gate = Responder.Gate()
            defer { gate.open() }
            let first = Responder.Reply.raw("\(before){\"a\":1}\n\(before){\"a\"")
            let reply = Self.head(type).then(first).then(.raw(":2}\n\(before)3").after(gate)).then(.close)
            let responder = try Responder { _ in reply }
            let running = try Program.oap(["call", "/x", "-cq", ".a?"], input: responder.token.input).start()
            // A sequence ends a text only with the next one.
            #expect(try running.firstLine() == "1")
            gate.open()
            let result = try running.finish()
            guard before.isEmpty else {
                result.expect(status: 10).expect(output: "1\n2\n")
                    .expect(
                        errorLine: """
                            oap: call: text 3 of the response is not JSON, which the filter needs: it may have been cut \
                            off; 1 of 3 JSON texts were skipped
                            """)
                continue
            }
            result.expect(status: 0).expect(output: "1\n2\n").expectSilence()
        }
    }

    @Test("NDJSON goes through a filter as through jq", arguments: [".a", ".[] | tojson", "[.b, .a] | @tsv", "length"])
    func againstJQ(filter: String) throws {
        let lines = [
            #"{"a":1.10,"b":"é\u00e9😀"}"#, "", #"{"b":null,"a":-0}"#, "  {\"a\": 1e3 , \"b\":\"\\n\"}\r",
            #"{"a":9007199254740993,"b":[]}"#,
        ].filter { !filter.contains("tsv") || !$0.contains("[]") }
        let text = lines.joined(separator: "\n")
        var jq = Program(path: "/usr/bin/jq", arguments: ["-rc", filter])
        jq.input = .text(text)
        let expected = try jq.run().expect(status: 0).text
        try call(["-rcq", filter], Self.stream(text, type: "application/jsonl")).expect(status: 0)
            .expect(output: expected)
    }

    @Test("a line of NDJSON that is not JSON is exit 10, and one on which the filter fails exit 5, after those before")
    func broken() throws {
        let type = "application/ndjson"
        try call(["-q", "."], Self.stream("1\n2\n{]\n4\n", type: type)).expect(status: 10).expect(output: "1\n2\n")
            .expect(
                errorLine: """
                    oap: call: text 3 of the response is not JSON, which the filter needs: expected a member name in \
                    quotes at line 1, column 2
                    """)
        try call(["-q", ".a"], Self.stream("{\"a\":1}\n[]\n{\"a\":3}\n", type: type)).expect(status: 5)
            .expect(output: "1\n")
        try call(["-q", ". as $n | if $n == 2 then halt else . end"], Self.stream("1\n2\n3\n", type: type))
            .expect(status: 0).expect(output: "1\n")
        try call(["-eq", "."], Self.stream("1\nfalse\n", type: type)).expect(status: 1)
        try call(["-q", "."], Self.stream("", type: type)).expect(status: 0).expect(output: "")
    }

    @Test("a text of a sequence that is not JSON is left out, and the exit status is 10 at the end")
    func brokenSequence() throws {
        let text = "\u{1E}1\n\u{1E}{\"a\":\u{1E}true\u{1E}\"b\"\u{1E}[}\n\u{1E}null\n"
        try call(["-q", "."], Self.stream(text, type: "application/geo+json-seq")).expect(status: 10)
            .expect(output: "1\n\"b\"\nnull\n")
            .expect(
                errorLine: """
                    oap: call: text 2 of the response is not JSON, which the filter needs: unexpected end of input, \
                    expected a value at line 1, column 6; 3 of 6 JSON texts were skipped
                    """)
        try call(["-q", "."], Self.stream("1\n", type: "application/json-seq")).expect(status: 10).expect(output: "")
    }

    @Test("--max-items ends the transfer of a response that goes on, with exit 0", arguments: [1, 3])
    func maximum(count: Int) throws {
        let streams: [(String, Responder.Reply, [String])] = [
            ("text/event-stream", .repeating("data: {\"a\":1}\n\n"), ["-q", ".data.a"]),
            ("application/x-ndjson", .repeating("{\"a\":1}\n"), ["-q", ".a"]),
            ("application/json", .raw("[").then(.repeating("{\"a\":1},")), ["--stream-each", ".a"]),
        ]
        for (type, body, options) in streams {
            try call(options + ["--max-items", "\(count)"], Self.head(type).then(body)).expect(status: 0)
                .expect(output: String(repeating: "1\n", count: count)).expectSilence()
        }
    }

    @Test("--max-items counts the elements of all pages, and requests no page behind the last")
    func pages() throws {
        let responder = try Responder { request in
            let number = request.target.hasSuffix("/x") ? 1 : Int(String(request.target.suffix(1))) ?? 0
            return .json("[1,2]", headers: ["Link: <?page=\(number + 1)>; rel=next"])
        }
        let words = ["call", "/x", "--paginate", "--stream-each", "."]
        try Program.oap(words + ["--max-items", "3"], input: responder.token.input).run().expect(status: 0)
            .expect(output: "1\n2\n1\n")
        // The third page is under way while the second is filtered.
        #expect((2...3).contains(responder.requests.count))
        try Program.oap(words + ["--max-pages", "2"], input: responder.token.input).run().expect(status: 0)
            .expect(output: "1\n2\n1\n2\n")
    }

    @Test("an event of more than 16 MiB is exit 10, after the events before it")
    func tooLarge() throws {
        let line = "data: " + String(repeating: "x", count: 1 << 20) + "\n"
        let reply = Self.stream("data: 1\n\n" + String(repeating: line, count: 17) + "\n")
        try call(["-q", ".data"], reply).expect(status: 10).expect(output: "1\n")
            .expect(errorLine: "oap: call: event 2 of the response is larger than 16 MiB, too large for a filter")
    }

    @Test("a stream that breaks, or outlasts -m, is exit 6 or 12, is not requested again and keeps what was printed")
    func cut() throws {
        let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
        let gate = Responder.Gate()
        defer { gate.open() }
        let first = Responder.Reply.raw(head + "9\r\ndata: 1\n\n\r\n")
        for (ending, options) in [(Responder.Reply.close, []), (.close.after(gate), ["-m", "0.5"])] {
            for (method, status) in [([], 6), (["-d", "x"], 12)] {
                let responder = try Responder { _ in first.then(ending) }
                try Program.oap(["call", "/x", "-q", ".data"] + options + method, input: responder.token.input).run()
                    .expect(status: status).expect(output: "1\n")
                #expect(responder.requests.count == 1)
            }
        }
        let whole = Responder.Reply.raw(head + "9\r\ndata: 1\n\n\r\n0\r\n\r\n")
        try call(["-q", ".data"], whole).expect(status: 0).expect(output: "1\n")
    }

    @Test("SIGINT ends a stream, and what was printed stays")
    func interrupt() throws {
        let gate = Responder.Gate()
        defer { gate.open() }
        let reply = Self.head("text/event-stream").then(.raw("data: 1\n\ndata: 2\n\n")).then(.close.after(gate))
        let responder = try Responder { _ in reply }
        let running = try Program.oap(["call", "/x", "-q", ".data"], input: responder.token.input).start()
        #expect(try running.outputLine { $0 == "2" } == "2")
        running.send(signal: 2)
        try running.finish().expect(signal: 2).expect(output: "1\n2\n")
    }

    @Test("a reader that goes away ends a stream in which nothing comes", arguments: [[], ["-q", ".data"]])
    func brokenPipe(options: [String]) throws {
        let gate = Responder.Gate()
        defer { gate.open() }
        let reply = Self.head("text/event-stream").then(.raw("data: 1\n\n")).then(.close.after(gate))
        let responder = try Responder { _ in reply }
        let words = options.map { "'\($0)'" }.joined(separator: " ")
        let line = "oap call /x \(words) | head -n 1; exit ${PIPESTATUS[0]}"
        try Program.shell(line, input: responder.token.input).run().expect(status: 141)
            .expect(output: options.isEmpty ? "data: 1\n" : "1\n")
    }

    @Test("a reader that goes away before the response does not end a request that has an effect")
    func brokenPipeBefore() throws {
        let gate = Responder.Gate()
        let responder = try Responder { _ in .text("").after(gate) }
        let program = Program.shell(
            "oap call /x -d a | true; exit ${PIPESTATUS[0]}", input: responder.token.input)
        let running = try program.start()
        gate.open()
        try running.finish().expect(status: 0)
        #expect(responder.requests.count == 1)
    }

    @Test("without a filter a stream passes through byte for byte, as it arrives")
    func unfiltered() throws {
        let gate = Responder.Gate()
        defer { gate.open() }
        let reply = Self.head("text/event-stream").then(.raw("data: 1\n\n")).then(.raw(": x\r\ndata").after(gate))
        let responder = try Responder { _ in reply.then(.close) }
        let running = try Program.oap(["call", "/x", "-c"], input: responder.token.input).start()
        #expect(try running.firstLine() == "data: 1")
        gate.open()
        try running.finish().expect(status: 0).expect(output: "data: 1\n\n: x\r\ndata")
    }

    @Test("the head of -i comes before the first event, and the error body of a stream goes through the filter")
    func heads() throws {
        let result = try call(["-i", "-q", ".data"], Self.stream("data: 1\n\n")).expect(status: 0)
        #expect(result.text.hasSuffix("\r\n\r\n1\n"))
        let error = Self.head("text/event-stream", status: 400).then(.raw("data: 1\n\n")).then(.close)
        try call(["--error-body", "stdout", "-q", ".data"], error).expect(status: 7).expect(output: "1\n")
    }

    @Test("a response that --max-items cuts short is not stored by --cache")
    func cache() throws {
        let home = try TemporaryDirectory()
        let responder = try Responder { _ in .json("[1,2,3]", headers: ["ETag: \"a\""]) }
        for options in [["--max-items", "1"], []] {
            let words = ["call", "/x", "--cache", "60", "--stream-each", "."] + options
            let program = Program.oap(words, input: responder.token.input, environment: ["HOME": home.path])
            try program.run().expect(status: 0).expect(output: options.isEmpty ? "1\n2\n3\n" : "1\n")
        }
        #expect(responder.requests.count == 2)
    }

    @Test("a filter of --stream-each that does not compile is exit 2 before a POST is sent")
    func usage() throws {
        let call = ["call", "-n", "https://api.example/", "--stream-each", "+", "-d", "x"]
        try Program.oap(call, environment: ["OAP_ACCESS_TOKEN": "t"]).run().expect(status: 2)
    }
}
