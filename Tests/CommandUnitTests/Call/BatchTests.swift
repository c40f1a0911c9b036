import Foundation
import PlaySupport
import Synchronization
import TestSupport
import Testing
import Wire

@testable import CommandSupport

@Suite("Batches of calls", .inProcess)
struct BatchTests {
    private func batch(
        _ lines: [String], _ options: [String] = [], to responder: Responder, ends: Bool = true
    ) -> Program {
        let input = lines.map { $0 + "\n" }.joined()
        return .oap(
            ["call", "--batch", "--api-base", responder.url("")] + options,
            input: ends ? .text(input) : .open, environment: ["OAP_ACCESS_TOKEN": "at-batch-1"])
    }

    private func answers(_ result: ProgramResult) throws -> [JSONObject] {
        try result.text.split(separator: "\n").map { try #require(try JSON(parsing: String($0)).object) }
    }

    @Test("each line is a request with the token, and each answer a line with its id")
    func plain() throws {
        let responder = try Responder { request in
            .json("{\n  \"target\": \"\(request.target)\",\r\n  \"n\": 1.10 }", headers: ["X-A: 1", "X-A: 2"])
        }
        let lines = [
            #"{"id":"a","url":"/x","query":{"q":[1,"b c"],"t":true}}"#, "", #"{"url":"/y","id":7}"#, #"{"url":"/z"}"#,
        ]
        let result = try batch(lines, ["--ordered"], to: responder).run().expect(status: 0)
        #expect(result.errorOutput.isEmpty, "\(result)")
        let answers = try answers(result)
        #expect(answers.map { $0["id"] } == [.string("a"), .number("7"), .number("4")])
        #expect(answers.allSatisfy { $0["headers"]?.object?["x-a"] == .string("1, 2") && $0["status"]?.integer == 200 })
        #expect(result.text.contains(#""body":{  "target": "/x?q=1&q=b+c&t=true",  "n": 1.10 }}"#), "\(result)")
        #expect(responder.requests.allSatisfy { $0.headers.first("Authorization") == "Bearer at-batch-1" })
    }

    @Test("the same failure of many requests is said once before they are sent again, until a request succeeds")
    func retried() throws {
        let count = Mutex(0)
        let responder = try Responder { _ in
            let number = count.withLock { count in
                count += 1
                return count
            }
            return number == 5 ? .text("") : .text("", status: 503)
        }
        let lines = (1...4).map { #"{"url":"/\#($0)"}"# }
        let options = ["--retry", "1", "--retry-delay", "0.01", "--parallel", "1"]
        let result = try batch(lines, options, to: responder).run().expect(status: 6)
        let said = result.errorText.split(separator: "\n").filter { $0.contains("trying again") }
        #expect(said.map { $0.split(separator: ":")[2] } == [" line 1", " line 4"], "\(result)")
    }

    @Test("method, headers and body of a line are sent, JSON as JSON, a string as it is, bytes from Base64")
    func requests() throws {
        let responder = try Responder { _ in .text("") }
        let lines = [
            #"{"url":"/a","body":{"b":[1.0]}}"#, #"{"url":"/b","method":"PUT","body":"a=1","headers":{"X-Own":"é"}}"#,
            #"{"url":"/c","body_base64":"/+8=","headers":{"content-type":"x/y","X-All":["1","2"]}}"#,
            #"{"url":"/d","method":"DELETE","body":null,"headers":null}"#,
        ]
        try batch(lines, ["-H", "X-All: 0"], to: responder).run().expect(status: 0)
        let requests = responder.requests.sorted { $0.target < $1.target }
        #expect(requests.map(\.method) == ["POST", "PUT", "POST", "DELETE"])
        #expect(requests.map(\.body) == [Array(#"{"b":[1.0]}"#.utf8), Array("a=1".utf8), [0xFF, 0xEF], []])
        #expect(
            requests.map { $0.headers.first("Content-Type") } == [
                "application/json", "text/plain; charset=utf-8", "x/y", nil,
            ])
        #expect(requests.map { $0.headers.values(of: "X-All") } == [["0"], ["0"], ["1", "2"], ["0"]])
        #expect(requests[1].headers.first("X-Own") == "é")
    }

    @Test("content that is no JSON is a string, bytes that are no text are Base64, and no content is null")
    func contents() throws {
        let responder = try Responder { request in
            switch request.target {
            case "/text": .text("{a\n")
            case "/bytes": .content([0xFF, 0x00])
            case "/deep": .text(String(repeating: "[", count: 511) + String(repeating: "]", count: 511))
            case "/mark": .text("\u{FEFF}{}")
            default: .text("")
            }
        }
        let lines = ["text", "bytes", "deep", "mark", "none"].map { #"{"url":"/\#($0)"}"# }
        let answers = try answers(batch(lines, ["--ordered"], to: responder).run().expect(status: 0))
        #expect(answers[0]["body"] == .string("{a\n"))
        #expect(answers[1]["body"] == nil && answers[1]["body_base64"] == .string("/wA="))
        #expect(answers[2]["body"]?.string?.utf8.count == 1022)
        #expect(answers[3]["body"] == .object([:]))
        #expect(answers[4]["body"] == .null)
    }

    @Test(
        "a line that is no request is an error with its id or its number, and the others are sent",
        arguments: [
            ("{", "parse", 3), ("[]", "parse", 3), ("1", "parse", 3), (#"{"url":"/x","u":1}"#, "usage", 3),
            (#"{"id":1}"#, "usage", 3), (#"{"url":1}"#, "usage", 3), (#"{"url":"x"}"#, "usage", 3),
            (#"{"url":"/x","id":[]}"#, "usage", 3), (#"{"url":"/x","method":"A B"}"#, "usage", 3),
            (#"{"url":"/x","method":"HEAD","body":1}"#, "usage", 3),
            (#"{"url":"/x","headers":{"A":"b\r\nC: d"}}"#, "usage", 3),
            (#"{"url":"/x","headers":{"A\r\nC":"d"}}"#, "usage", 3),
            (#"{"url":"/x","headers":{"A":null}}"#, "usage", 3),
            (#"{"url":"/x","headers":{"authorization":"b"}}"#, "usage", 3),
            (#"{"url":"/x","body":"12GET /y","headers":{"content-length":"2"}}"#, "usage", 3),
            (#"{"url":"/x","headers":{"Transfer-Encoding":"chunked"}}"#, "usage", 3),
            (#"{"url":"/x","headers":{"Host":"other.example"}}"#, "usage", 3),
            (#"{"url":"/x","method":"GET\r\nA: b"}"#, "usage", 3), (#"{"url":"/x\r\nA: b"}"#, "usage", 3),
            (#"{"url":"/x","url":"/y"}"#, "parse", 3), (#"{"url":"/x","body":1,"body_base64":"YQ=="}"#, "usage", 3),
            (#"{"url":"/x","body_base64":"*"}"#, "usage", 3), (#"{"url":"/x","query":[]}"#, "usage", 3),
            (#"{"url":"https://other.example/x"}"#, "origin_refused", 9),
            (#"{"url":"http://other.example/x"}"#, "insecure_transport", 9),
            (#"{"url":"file:///etc/passwd"}"#, "usage", 3),
        ])
    func badLine(line: String, kind: String, status: Int) throws {
        let responder = try Responder { _ in .text("yes") }
        let result = try batch([line, #"{"url":"/y"}"#], ["--ordered"], to: responder).run().expect(status: status)
        let answers = try answers(result)
        #expect(answers.count == 2 && answers[0]["id"] == .number("1"), "\(result)")
        #expect(answers[0]["error"] == .string(kind) && answers[0]["exit_status"]?.integer == status, "\(result)")
        #expect(answers.last?["body"] == .string("yes"))
        #expect(responder.requests.map(\.target) == ["/y"])
        #expect(result.errorText.contains("oap: call: 1 of 2 requests failed, one of them: "), "\(result)")
    }

    @Test("a line of 20 MB is an error, one of 15 MB is sent, and the next one too")
    func longLine() throws {
        let responder = try Responder { _ in .text("") }
        func line(_ size: Int) -> String { #"{"url":"/x","body":"\#(String(repeating: "x", count: size))"}"# }
        let lines = [line(20_000_000), line(15_000_000), #"{"url":"/y"}"#]
        let result = try batch(lines, ["--ordered"], to: responder).run().expect(status: 3)
        let answers = try answers(result)
        #expect(answers[0]["error"] == .string("too_large"))
        #expect(answers.dropFirst().map { $0["status"]?.integer } == [200, 200])
        #expect(responder.requests.map(\.bodySize).sorted() == [0, 15_000_000])
    }

    @Test("the status of the command is the highest of the requests, and the same id twice is two answers")
    func statuses() throws {
        let responder = try Responder { request in
            .json(#"{"message":"m"}"#, status: Int(request.target.dropFirst()) ?? 200)
        }
        func status(_ statuses: [Int]) throws -> ProgramResult {
            try batch(statuses.map { #"{"id":1,"url":"/\#($0)"}"# }, ["--retry", "0"], to: responder).run()
        }
        try status([200, 204]).expect(status: 0)
        let result = try status([200, 404, 200]).expect(status: 7)
        #expect(try answers(result).map { $0["id"] } == [.number("1"), .number("1"), .number("1")])
        #expect(result.errorText.contains("1 of 3 requests failed"), "\(result)")
        try status([503, 404]).expect(status: 7)
        try status([503, 200]).expect(status: 6)
    }

    @Test("answers come as they arrive, and with --ordered in the order of the lines")
    func order() throws {
        for isOrdered in [false, true] {
            let (gate, second) = (Responder.Gate(), Responder.Gate())
            let responder = try Responder { request in
                request.target == "/1" ? .text("1").after(gate) : .text("2").opening(second)
            }
            let lines = [#"{"url":"/1"}"#, #"{"url":"/2"}"#]
            let options = ["-r", "--jq", ".body"] + (isOrdered ? ["--ordered"] : [])
            let program = try batch(lines, options, to: responder).start()
            try program.deliver()
            if isOrdered { second.wait() } else { #expect(try program.firstLine() == "2") }
            gate.open()
            try program.finish().expect(status: 0).expect(output: isOrdered ? "1\n2\n" : "2\n1\n")
        }
    }

    @Test("an answer is printed while the input is open and no further line has come")
    func interactive() throws {
        let responder = try Responder { request in .text(request.target) }
        let program = try batch([], ["-r", "--jq", ".body"], to: responder, ends: false).start()
        program.write(#"{"url":"/1"}"# + "\n" + #"{"url":"#)
        #expect(try program.firstLine() == "/1")
        program.write(#""/2"}"#)
        program.closeInput()
        try program.finish().expect(status: 0).expect(output: "/1\n/2\n")
    }

    @Test("no more requests are under way than --parallel says, over kept connections")
    func parallel() throws {
        let responder = try Responder { request in .text(request.target) }
        let lines = (1...200).map { #"{"url":"/\#($0)"}"# }
        let result = try batch(lines, ["--parallel", "3"], to: responder).run().expect(status: 0)
        #expect(try answers(result).count == 200)
        #expect(Set(responder.requests.map(\.connection)).count <= 3)
        let one = try batch(lines, ["--parallel", "1", "-r", "--jq", ".body"], to: responder).run().expect(status: 0)
        #expect(one.text == (1...200).map { "/\($0)\n" }.joined())
    }

    @Test("a server that closes the connection after each answer gets each request once")
    func closing() throws {
        let responder = try Responder { request in .text(request.target, headers: ["Connection: close"]).then(.close) }
        let lines = (1...50).map { #"{"url":"/\#($0)","body":1}"# }
        let result = try batch(lines, to: responder).run().expect(status: 0)
        #expect(try answers(result).count == 50)
        #expect(Set(responder.requests.map(\.target)).count == 50 && responder.requests.count == 50)
    }

    @Test("a failure of the filter is told, and the other lines are printed")
    func filter() throws {
        let responder = try Responder { request in .json(#"{"n":\#(request.target == "/2" ? "\"x\"" : "1")}"#) }
        let lines = (1...3).map { #"{"url":"/\#($0)"}"# }
        let result = try batch(lines, ["--ordered", "--jq", ".body.n + 1"], to: responder).run().expect(status: 5)
        result.expect(output: "2\n2\n")
        #expect(result.errorText.contains("oap: call: line 2: the filter failed: "), "\(result)")
        try batch(lines, ["--jq", "}"], to: responder).run().expect(status: 2)
        #expect(responder.requests.count == 3)
    }

    @Test(
        "a filter that ends with halt or halt_error runs on the next answer",
        arguments: [("halt", 0), ("halt_error", 5)])
    func halt(word: String, status: Int) throws {
        let responder = try Responder { _ in .text("") }
        let lines = (1...3).map { #"{"url":"/\#($0)"}"# }
        let filter = "if .id == 2 then \(word) else .id end"
        let result = try batch(lines, ["--ordered", "--jq", filter], to: responder).run().expect(status: status)
        result.expect(output: "1\n3\n")
        #expect(result.errorText.contains("line 2: the filter ended with halt_error") == (status == 5), "\(result)")
    }

    @Test("answers have colors where an option asks for them")
    func color() throws {
        let responder = try Responder { _ in .json(#"{"a":1}"#) }
        let result = try batch([#"{"url":"/x"}"#], ["--color", "always", "-c"], to: responder).run().expect(status: 0)
        #expect(result.text.contains("\u{1B}["), "\(result)")
        #expect(try batch([#"{"url":"/x"}"#], to: responder).run().text.hasSuffix(#","body":{"a":1}}"# + "\n"))
    }

    @Test("requests wait for the pause of --rate")
    func rate() throws {
        let responder = try Responder { _ in .text("") }
        let start = ContinuousClock.now
        try batch(Array(repeating: #"{"url":"/x"}"#, count: 6), ["--rate", "20/s"], to: responder).run()
            .expect(status: 0)
        #expect(ContinuousClock.now - start >= .milliseconds(240))
        #expect(responder.requests.count == 6)
    }

    @Test("a rate limit that lasts too long ends the batch, and a shorter one is waited for by all requests")
    func rateLimit() throws {
        let long = try Responder { request in
            request.target == "/2" ? .text("", status: 429, headers: ["Retry-After: 400"]) : .text("")
        }
        let lines = (1...100).map { #"{"url":"/\#($0)"}"# }
        let result = try batch(lines, ["--parallel", "2"], to: long).run().expect(status: 6)
        result.expect(errorLine: "oap: hint: the server asks to wait 400 seconds")
        #expect(result.errorText.contains("of") && long.requests.count < 100, "\(result)")
        let file = try TemporaryDirectory()
        try batch(lines, ["--error-document", file.path("e")], to: long).run().expect(status: 6)
        let document = try JSON(parsing: try String(contentsOfFile: file.path("e"), encoding: .utf8)).object
        #expect(document?["retry_after"] == .number("400"))
        let short = try Responder(.text("", status: 429, headers: ["Retry-After: 1"]), .text("yes"))
        let waited = try batch([lines[0]], to: short).run().expect(status: 0)
        #expect(waited.errorText.contains("line 1: ") && waited.errorText.contains("answered 429"), "\(waited)")
    }

    @Test("--dry-run prints a curl command for each line, without the token")
    func dryRun() throws {
        let responder = try Responder { _ in .text("") }
        let lines = [#"{"url":"/x"}"#, "no", #"{"url":"/y","body":[1]}"#]
        let result = try batch(lines, ["--dry-run"], to: responder).run().expect(status: 3)
        #expect(result.text.split(separator: "\n").count == 2 && result.text.contains("--data-raw '[1]'"), "\(result)")
        result.expect(nowhere: "at-batch-1")
        #expect(responder.requests.isEmpty)
    }

    @Test("-o has the answers of all requests, also where one has failed")
    func file() throws {
        let responder = try Responder { request in .text(request.target, status: request.target == "/1" ? 404 : 200) }
        let folder = try TemporaryDirectory()
        let lines = (1...3).map { #"{"url":"/\#($0)"}"# }
        let options = ["--ordered", "-o", folder.path("out"), "--jq", ".body", "-r"]
        try batch(lines, options, to: responder).run().expect(status: 7).expect(output: "")
        #expect(try String(contentsOfFile: folder.path("out"), encoding: .utf8) == "/1\n/2\n/3\n")
    }
}
