import Foundation
import PlaySupport
import TestSupport
import Testing
import Wire

@Suite("Batches of several machines", .inProcess)
struct BatchShardTests {
    private static let lines = (1...90).map { number -> String in
        switch number % 6 {
        case 0: #"{"url":"/\#(number)"}"#
        case 1: #"{"url":"/\#(number)","id":\#(number)}"#
        case 2: #"{"id" : "a \"\#(number)" , "url":"/\#(number)"}"#
        case 3: #"{"body":{"id":1,"list":["id",{"id":2}]},"url":"/\#(number)","id":"i\#(number)"}"#
        case 4: #"{"query":{"id":"7"},"url":"/\#(number)"}"#
        default: #"{"url":"/\#(number)","headers":{"X":"\#(number)"},"id":-\#(number).5}"#
        }
    }

    private func batch(_ options: [String], to responder: Responder, _ lines: [String] = lines) -> Program {
        .oap(
            ["call", "--batch", "--api-base", responder.url(""), "--jq", ".id"] + options,
            input: .text(lines.map { $0 + "\n" }.joined()), environment: ["OAP_ACCESS_TOKEN": "at-batch-1"])
    }

    @Test("each line is sent by one part, whatever stands before it, and by the same part in every run")
    func parts() throws {
        let responder = try Responder { _ in .text("") }
        var all: [String] = []
        for part in 1...3 {
            let ids = try (0..<2).map { _ in
                try batch(["--shard", "\(part)/3", "--ordered"], to: responder).run().expect(status: 0).text
            }
            #expect(ids[0] == ids[1])
            let own = ids[0].split(separator: "\n").map(String.init)
            #expect((15...45).contains(own.count), "\(own.count)")
            all += own
        }
        let whole = try batch(["--ordered"], to: responder).run().expect(status: 0).text
        #expect(all.count == 90 && all.sorted() == whole.split(separator: "\n").map(String.init).sorted())
        // The lines with an id stay with their part when others are put before them.
        let named = Self.lines.filter { $0.contains(#""id":"i"#) }
        let (first, moved) = (
            try batch(["--shard", "1/3", "--ordered"], to: responder, named).run().expect(status: 0).text,
            try batch(["--shard", "1/3", "--ordered"], to: responder, [#"{"url":"/0","id":"z"}"#] + named).run()
                .expect(status: 0).text
        )
        #expect(moved.replacing("\"z\"\n", with: "") == first)
    }

    @Test("with --dry-run each line is shown by one part")
    func shown() throws {
        let responder = try Responder { _ in .text("") }
        let parts = try (1...3).map { part in
            try Program.oap(
                ["call", "--batch", "--api-base", responder.url(""), "--dry-run", "--shard", "\(part)/3"],
                input: .text(Self.lines.map { $0 + "\n" }.joined()), environment: ["OAP_ACCESS_TOKEN": "at-batch-1"]
            ).run().expect(status: 0).text.split(separator: "\n").count
        }
        #expect(parts.allSatisfy { $0 < 90 })
        #expect(parts.reduce(0, +) == 90)
    }

    @Test("a line that is no request fails in one part")
    func broken() throws {
        let responder = try Responder { _ in .text("") }
        for line in [#"{"id":"#, "x", "[1", #"{"id":{}}"#, #"{"id":"a"#, #"{"url":"/","id":1,"nonsense":1}"#] {
            let ends = try (1...4).map { try batch(["--shard", "\($0)/4"], to: responder, [line]).run().ending }
            #expect(ends.filter { $0 == .status(0) }.count == 3 && ends.contains(.status(3)), "\(line)")
        }
        for text in ["0/3", "4/3", "1/0", "1", "1/3/5", "a/b", "", "-1/2", "1/99999999999999999999"] {
            try batch(["--shard", text], to: responder).run().expect(status: 2)
        }
        #expect(responder.requests.isEmpty)
    }

    @Test("the files of --resume of all parts are one for the whole input, and nothing is sent twice")
    func joined() throws {
        let folder = try TemporaryDirectory()
        let responder = try Responder { _ in .text("") }
        var joined = ""
        for part in 1...3 {
            let path = folder.path("r\(part)")
            try batch(["--shard", "\(part)/3", "--resume", path], to: responder).run().expect(status: 0)
            joined += try folder.read("r\(part)")
        }
        #expect(responder.requests.count == 90)
        let path = try folder.write(joined, to: "all")
        let more = Self.lines + [#"{"url":"/more"}"#]
        try batch(["--resume", path], to: responder, more).run().expect(status: 0).expect(output: "91\n")
        #expect(responder.requests.count == 91)
    }

    @Test("the keys of requests depend on the run and the line, not on the part")
    func keys() throws {
        let responder = try Responder { _ in .text("") }
        for part in 1...2 {
            try batch(["--shard", "\(part)/2", "--idempotency-key=run-7"], to: responder).run().expect(status: 0)
        }
        let keys = responder.requests.compactMap { $0.headers.first("Idempotency-Key") }
        #expect(Set(keys) == Set((1...90).map { "\"run-7-\($0)\"" }))
    }
}
