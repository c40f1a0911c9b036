import Synchronization
import TestSupport
import Testing
import Wire

@testable import CommandSupport

@Suite("The ranges of downloads that go on")
struct DownloadRangeTests: DownloadFolder {
    let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    @Test("416 ends a download with -C - whose bytes are all there, and begins one of another size again")
    func notSatisfiable() throws {
        let all = ["Content-Range: bytes */50000"]
        for (fields, count) in [(all, 2), (["Content-Range: bytes */49999"], 3), ([], 3)] {
            let port = try Responder(
                .raw("HTTP/1.1 200 OK\r\nETag: \"v1\"\r\nTransfer-Encoding: chunked\r\n\r\nC350\r\n")
                    .then(.raw("\(Self.body.prefix(Self.half))\r\n")).then(.close),
                .text("no such range", status: 416, headers: fields), .text("new"))
            try download(to: port).expect(status: 6)
            try download(to: port).expect(status: 0).expectSilence()
            #expect(port.requests.count == count)
            #expect(try files == ["f"])
            #expect(try folder.read("f") == (count == 2 ? String(Self.body.prefix(Self.half)) : "new"))
        }
        let responder = try Responder(.text("no", status: 416, headers: all))
        try download(to: responder).expect(status: 7)
        #expect(try files == ["f"])
    }

    @Test("a response of 206 with other bytes than those that are missing is exit 10, and changes nothing")
    func lies() throws {
        let rest = String(Self.body.dropFirst(Self.half))
        let whole = ["ETag: \"v1\"", "Content-Range: bytes 50000-99999/100000"]
        let lies: [Responder.Reply] = [
            Self.rest(from: 50_001), Self.rest(from: 49_999), Self.rest(from: 0), Self.rest(size: "100001"),
            Self.rest([#"ETag: "v2""#]), Self.rest([]), .text(rest, status: 206),
            .text("", status: 206, headers: whole),
            .text(rest, status: 206, headers: ["Content-Range: bytes */100000"]),
            .text(rest, status: 206, headers: ["Content-Range: bytes 50000-99999/100000/1"]),
            .text(rest, status: 206, headers: ["Content-Range: bytes 50000-99999/99999"]),
            .text(rest, status: 206, headers: whole + ["Content-Range: bytes 0-49999/100000"]),
            .text(rest + "x", status: 206, headers: whole), .chunked([rest, "x"], status: 206, headers: whole),
            .chunked([], status: 206, headers: whole),
            .text(rest, status: 206, headers: whole + ["Content-Encoding: gzip"]),
            .content(
                Array("--x\r\nContent-Range: bytes 50000-99999/100000\r\n\r\n\(rest)\r\n--x--".utf8), status: 206,
                type: "multipart/byteranges; boundary=x"),
        ]
        let queue = Mutex(lies[...])
        let responder = try Responder { request in
            request.headers.first("Range") == nil ? Self.broken() : queue.withLock { $0.popFirst() } ?? Self.rest()
        }
        try download(to: responder).expect(status: 6)
        for _ in lies {
            let result = try download(to: responder).expect(status: 10)
            #expect(result.errorText.contains("oap: hint: "), "\(result)")
            #expect(try files == Self.parts)
            #expect(try folder.read("f.oap-part") == Self.body.prefix(Self.half))
        }
        try download(to: responder).expect(status: 0)
        #expect(try folder.read("f") == Self.body)
        let unasked = try Responder(Self.rest(from: 0))
        try download("/g", to: unasked).expect(status: 10)
        #expect(try files == ["f"])
    }

    @Test("a server may send less than the whole rest: the others are requested until all bytes are there")
    func shortRanges() throws {
        let responder = try Responder { request in
            let first = request.headers.first("Range").flatMap { Int($0.dropFirst(6).dropLast()) }
            guard let first else { return Self.broken() }
            return Self.rest(from: first, to: min(first + 9_999, 99_999), size: first % 20_000 == 0 ? "100000" : "*")
        }
        try download(to: responder).expect(status: 6)
        try download(to: responder).expect(status: 0)
        #expect(responder.requests.count == 6)
        #expect(try folder.read("f") == Self.body)
    }

    @Test(
        "nothing is kept of a response that does not say which version it is",
        arguments: [
            [], [#"ETag: W/"v1""#], ["ETag: v1"], [#"ETag: W/"v1""#, "Last-Modified: Mon, 01 Jan 2024 00:00:00 GMT"],
            ["Last-Modified: Mon, 01 Jan 2024 00:00:00 GMT"],
            ["Last-Modified: Mon, 01 Jan 2024 00:00:00 GMT", "Date: Mon, 01 Jan 2024 00:00:00 GMT"],
        ])
    func noValidator(fields: [String]) throws {
        let responder = try Responder(Self.broken(fields), Self.broken(fields), .text("whole"))
        let result = try download(to: responder).expect(status: 6)
        #expect(!result.errorText.contains("to continue"))
        #expect(try files.isEmpty)
        try download("/f", ["--retry", "1", "--retry-delay", "0"], to: responder).expect(status: 0)
        #expect(responder.requests.allSatisfy { $0.headers.first("Range") == nil })
        #expect(try files == ["f"] && folder.read("f") == "whole")
    }

    @Test("a date names the version if the content had not changed for a second")
    func date() throws {
        let changed = "Mon, 01 Jan 2024 00:00:00 GMT"
        let responder = try Responder(
            Self.broken(["Last-Modified: \(changed)", "Date: Mon, 01 Jan 2024 00:00:01 GMT"]), Self.rest([]))
        try download(to: responder).expect(status: 6)
        try download(to: responder).expect(status: 0)
        #expect(responder.requests[1].headers.first("If-Range") == changed)
        #expect(try folder.read("f") == Self.body)
    }
}
