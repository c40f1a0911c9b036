import Foundation
import TestSupport
import Testing
import Wire

@testable import CommandSupport

@Suite("Downloads of call that go on")
struct ContinuedDownloadTests: DownloadFolder {
    let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    @Test("-C - keeps what has arrived of a response that breaks off, and the next run requests the rest of it")
    func goesOn() throws {
        let replies = try Responder(Self.broken(), Self.rest())
        let result = try download("/f?key=planted-secret", to: replies).expect(status: 6).expect(output: "")
        let hint = "oap: hint: run the same command again to continue after the 50000 bytes in "
        #expect(result.errorText.contains(hint), "\(result)")
        #expect(try files == Self.parts)
        for file in Self.parts { #expect(try folder.permissions(file) == 0o600) }
        #expect(try !folder.read("f.oap-part.json").contains("planted"))
        #expect(replies.requests[0].headers.first("Range") == nil)
        #expect(replies.requests[0].headers.values(of: "Accept-Encoding") == ["identity"])
        try download("/f?key=planted-secret", to: replies).expect(status: 0).expect(output: "").expectSilence()
        let request = replies.requests[1]
        #expect(request.headers.values(of: "Range") == ["bytes=50000-"])
        #expect(request.headers.values(of: "If-Range") == [#""v1""#])
        #expect(request.headers.values(of: "Accept-Encoding") == ["identity"])
        #expect(try files == ["f"] && folder.read("f") == Self.body)
        #expect(try folder.permissions("f") == 0o600)
    }

    @Test("a retry in the same run of -C - requests the rest, also behind a redirect")
    func retry() throws {
        let responder = try Responder(
            .redirect(302, to: "/g"), Self.broken(), .close, Self.rest(to: 59_999), .redirect(302, to: "/g"),
            Self.rest(from: 60_000))
        let options = ["--retry", "2", "--retry-delay", "0"]
        let result = try download("/f", options, to: responder).expect(status: 0)
        #expect(result.errorText.contains("was cut off") && result.errorText.contains("(2 of 2)"), "\(result)")
        #expect(responder.requests.map(\.target) == ["/f", "/g", "/g", "/g", "/f", "/g"])
        #expect(
            responder.requests.map { $0.headers.first("Range") ?? "" } == [
                "", "", "bytes=50000-", "bytes=50000-", "bytes=60000-", "bytes=60000-",
            ])
        #expect(try files == ["f"] && folder.read("f") == Self.body)
    }

    @Test("-C - begins again if the content has changed, the server ignores ranges, or the URL is another")
    func beginsAgain() throws {
        for (target, reply) in [
            ("/f", Responder.Reply.text("new", headers: [#"ETag: "v2""#])), ("/f", .text("new")),
            ("/f?other", .text("new")),
        ] {
            let port = try Responder(Self.broken(), reply)
            try download(to: port).expect(status: 6)
            let again = try download(target, to: port).expect(status: 0)
            let note = "oap: call: the bytes in f.oap-part are of another URL: the download begins again\n"
            #expect(again.errorText == (target == "/f" ? "" : note), "\(again)")
            #expect((port.requests[1].headers.first("Range") == nil) == (target != "/f"))
            #expect(try files == ["f"] && folder.read("f") == "new")
            try FileManager.default.removeItem(atPath: folder.path("f"))
        }
    }

    @Test("-C - never joins two versions: the response that begins again and breaks off too has its own validator")
    func twoVersions() throws {
        let other = String(Self.body.reversed())
        let responder = try Responder(
            Self.broken(), Self.broken([#"ETag: "v2""#], of: other),
            .content(
                Array(other.utf8.dropFirst(Self.half)), status: 206,
                headers: [#"ETag: "v2""#, "Content-Range: bytes 50000-99999/100000"]))
        try download(to: responder).expect(status: 6)
        try download(to: responder).expect(status: 6)
        try download(to: responder).expect(status: 0)
        #expect(responder.requests.map { $0.headers.first("If-Range") } == [nil, #""v1""#, #""v2""#])
        #expect(try folder.read("f") == other)
    }

    @Test("-C - never joins bytes of two dates, nor of two addresses that one redirect leads to")
    func twoPlaces() throws {
        let first = ["Last-Modified: Mon, 01 Jan 2024 00:00:00 GMT", "Date: Mon, 01 Jan 2024 00:00:09 GMT"]
        let dates = try Responder(
            Self.broken(first), Self.rest(["Last-Modified: Tue, 02 Jan 2024 00:00:00 GMT"]), Self.rest(first))
        try download(to: dates).expect(status: 6)
        try download(to: dates).expect(status: 10)
        try download(to: dates).expect(status: 0)
        #expect(try folder.read("f") == Self.body)
        let places = try Responder(
            .redirect(302, to: "/g?signed=1"), Self.broken(), .redirect(302, to: "/h?signed=1"), Self.rest(),
            .redirect(302, to: "/g?signed=2"), Self.rest())
        try download("/latest", to: places).expect(status: 6)
        let result = try download("/latest", to: places).expect(status: 10)
        #expect(result.errorText.contains("does not have what oap requested: bytes of the same address"), "\(result)")
        try download("/latest", to: places).expect(status: 0)
        #expect(places.requests.map(\.target).last == "/g?signed=2")
    }

    @Test("an error leaves the incomplete download as it is, and so does a record that is damaged until all is new")
    func errors() throws {
        let responder = try Responder(
            Self.broken(), .text("gone", status: 404), .text("busy", status: 503), Self.rest())
        try download(to: responder).expect(status: 6)
        try download(to: responder).expect(status: 7)
        let result = try download(to: responder).expect(status: 6)
        #expect(result.errorText.contains("continue after the 50000 bytes"), "\(result)")
        #expect(try files == Self.parts)
        try download(to: responder).expect(status: 0)
        for record in ["", "{", "[]", #"{"url_sha256":1}"#] {
            let port = try Responder(Self.broken(), .close, .text("new"))
            try download(to: port).expect(status: 6)
            _ = try folder.write(record, to: "f.oap-part.json")
            try download(to: port).expect(status: 6)
            try download(to: port).expect(status: 0)
            #expect(port.requests.allSatisfy { $0.headers.first("Range") == nil })
            #expect(try files == ["f"] && folder.read("f") == "new")
        }
    }

    @Test("a signal keeps the incomplete download and says how to go on; meanwhile a second process is refused")
    func signal() throws {
        let (arrived, held) = (Responder.Gate(), Responder.Gate())
        let responder = try Responder { request in
            guard request.headers.first("Range") != nil else { return Self.broken() }
            arrived.open()
            return Self.rest().after(held)
        }
        defer { held.open() }
        try download(to: responder).expect(status: 6)
        let running = try program("/f", [], to: responder).start()
        #expect(arrived.wait())
        let second = try download(to: responder).expect(status: 11)
        #expect(second.errorText.contains("another process is writing this download"), "\(second)")
        running.send(signal: SIGINT)
        let result = try running.finish().expect(signal: SIGINT)
        #expect(result.errorText.contains("oap: hint: run the same command again to continue "), "\(result)")
        #expect(try files == Self.parts && folder.read("f.oap-part") == Self.body.prefix(Self.half))
        held.open()
        try download(to: responder).expect(status: 0)
        #expect(try folder.read("f") == Self.body)
    }

    @Test("a signal before the first byte leaves nothing behind")
    func earlySignal() throws {
        let (arrived, held) = (Responder.Gate(), Responder.Gate())
        let responder = try Responder { _ in
            arrived.open()
            return Self.broken().after(held)
        }
        defer { held.open() }
        let running = try program("/f", [], to: responder).start()
        #expect(arrived.wait())
        running.send(signal: SIGTERM)
        try running.finish().expect(signal: SIGTERM).expectSilence()
        #expect(try files.isEmpty)
    }

    @Test("a full disk keeps what is there with -C -, and what there was before without it")
    func fullDisk() throws {
        let responder = try Responder { request in
            request.headers.first("Range") == nil
                ? .text(Self.body, headers: [#"ETag: "v1""#]) : Self.rest(from: 40_960)
        }
        let call = "oap call -n \(responder.url("/f")) -O"
        for (script, status, left) in [
            ("ulimit -f 40; \(call)", 11, []), ("ulimit -f 40; \(call) -C -", 11, Self.parts),
            ("\(call) -C -", 0, ["f"]),
        ] {
            var program = Program.shell(script, environment: ["OAP_ACCESS_TOKEN": "t"])
            program.directory = folder.path
            try program.run().expect(status: status)
            #expect(try files == left)
        }
        #expect(try folder.read("f") == Self.body)
    }

    @Test("the files of -C - are not reached through links, and a target that is not a regular file is exit 2")
    func otherFiles() throws {
        let responder = try Responder { _ in .text("x") }
        _ = try folder.write("mine", to: "other")
        let manager = FileManager.default
        try manager.createSymbolicLink(atPath: folder.path("f.oap-part"), withDestinationPath: "other")
        try download(to: responder).expect(status: 11)
        try manager.removeItem(atPath: folder.path("f.oap-part"))
        try manager.linkItem(atPath: folder.path("other"), toPath: folder.path("f.oap-part"))
        try download(to: responder).expect(status: 11)
        try manager.removeItem(atPath: folder.path("f.oap-part"))
        try #require(mkfifo(folder.path("f.oap-part"), 0o600) == 0)
        try download(to: responder).expect(status: 11)
        try manager.removeItem(atPath: folder.path("f.oap-part"))
        try #require(mkfifo(folder.path("f"), 0o600) == 0)
        try download(to: responder).expect(status: 2)
        try manager.removeItem(atPath: folder.path("f"))
        #expect(responder.requests.isEmpty)
        try manager.createSymbolicLink(atPath: folder.path("real.oap-part.json"), withDestinationPath: "other")
        try manager.createSymbolicLink(atPath: folder.path("f"), withDestinationPath: "real")
        try download(to: responder).expect(status: 0)
        #expect(try folder.read("other") == "mine" && folder.read("real") == "x")
        #expect(try files == ["f", "other", "real"])
    }

    @Test(
        "-C refuses a number, a result that is no file, and what changes or repeats a response, before anything is sent",
        arguments: [
            ["-C", "5", "-O"], ["-C", "-"], ["-C", "-", "-o", "-"], ["-C", "-", "-o", "/dev/stdout"],
            ["-C", "-", "-o", "/dev/null"], ["-C", "-", "-o", "."], ["-C", "-", "-O", "-q", "."],
            ["-C", "-", "-O", "-i"], ["-C", "-", "-O", "--envelope"], ["-C", "-", "-O", "--cache", "9"],
            ["-C", "-", "-O", "--paginate"], ["-C", "-", "-O", "--pretty"], ["-C", "-", "-O", "-d", "x"],
            ["-C", "-", "-O", "-X", "HEAD"], ["-C", "-", "-O", "-H", "Range: bytes=0-1"],
            ["-C", "-", "-O", "-H", "Accept-Encoding: gzip"], ["-C", "-", "-O", "--error-body", "stdout"],
        ])
    func usage(options: [String]) throws {
        let responder = try Responder { _ in .text("x") }
        var program = Program.oap(
            ["call", "-n", responder.url("/f")] + options, environment: ["OAP_ACCESS_TOKEN": "t"])
        program.directory = folder.path
        try program.run().expect(status: 2).expect(output: "")
        #expect(responder.requests.isEmpty)
        #expect(try files.isEmpty)
    }

    @Test("nginx sends the rest of a file by HTTP/2, all of one that has changed, and 416 for one that is all there")
    func nginx() throws {
        let nginx = try Nginx()
        func download(_ prefix: String = "") throws -> ProgramResult {
            let call = "oap call -n -v --cacert \(nginx.certificate) \(nginx.origin)/static/f -O -C -"
            var program = Program.shell(prefix + call, environment: ["OAP_ACCESS_TOKEN": "t"])
            program.directory = folder.path
            return try program.run()
        }
        for text in [Self.body, String(Self.body.reversed()) + "x"] {
            try nginx.write(Self.body, to: "f")
            try download("ulimit -f 40; ").expect(status: 11)
            #expect(try files == Self.parts && folder.read("f.oap-part") == Self.body.prefix(40_960))
            // The ETag of nginx holds the time of the last change.
            if text != Self.body { try nginx.write(text, to: "f") }
            let result = try download().expect(status: 0)
            #expect(result.errorText.contains(text == Self.body ? "HTTP/2 206" : "HTTP/2 200"), "\(result)")
            #expect(try files == ["f"] && folder.read("f") == text)
            try FileManager.default.removeItem(atPath: folder.path("f"))
        }
        try nginx.write(Self.body, to: "f")
        try download("ulimit -f 40; ").expect(status: 11)
        let part = try #require(FileHandle(forWritingAtPath: folder.path("f.oap-part")))
        try part.seekToEnd()
        try part.write(contentsOf: Data(Self.body.utf8.dropFirst(40_960)))
        try part.close()
        #expect(try download().expect(status: 0).errorText.contains("HTTP/2 416"))
        #expect(try files == ["f"] && folder.read("f") == Self.body)
    }
}
