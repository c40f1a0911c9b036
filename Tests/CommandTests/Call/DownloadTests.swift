import Foundation
import TestSupport
import Testing
import Wire

@Suite("Downloads of call")
struct DownloadTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    /// Runs a call in the folder.
    private func call(_ target: String, _ options: [String], to responder: Responder) throws -> ProgramResult {
        var program = Program.oap(
            ["call", "-n", target.hasPrefix("/") ? responder.url(target) : target, "--retry", "0"] + options,
            environment: ["OAP_ACCESS_TOKEN": "at-download-1"])
        program.directory = folder.path
        return try program.run()
    }

    private var files: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }
    }

    private func content(_ name: String) throws -> String {
        try String(contentsOfFile: folder.path(name), encoding: .utf8)
    }

    @Test("-O writes to a file with the name that the URL has, and leaves its percent-encoding")
    func remoteName() throws {
        let responder = try Responder { request in .text(request.target) }
        for target in ["/a/b.tar.gz", "/c?x=/d", "/e%2F..%2Ff", "/g#h/i"] {
            try call(target, ["-O"], to: responder).expect(status: 0).expect(output: "").expectSilence()
        }
        #expect(try files == ["b.tar.gz", "c", "e%2F..%2Ff", "g"])
        #expect(try content("c") == "/c?x=/d")
        var program = Program.oap(["call", "/user", "-O", "-q", "."], input: responder.token.input)
        program.directory = folder.path
        try program.run().expect(status: 10)
        #expect(try files.count == 4)
    }

    @Test("-O leaves no file after an error, and the old one as it was")
    func failed() throws {
        _ = try folder.write("old", to: "a")
        let responder = try Responder { _ in .text("no", status: 404) }
        try call("/a", ["-O"], to: responder).expect(status: 7)
        try call("/b", ["-O"], to: responder).expect(status: 7)
        #expect(try files == ["a"] && content("a") == "old")
    }

    @Test("-O refuses a URL without a name for a file, and names that hide or mislead")
    func noName() throws {
        let responder = try Responder { _ in .text("no") }
        for target in ["/", "/a/", "/a/?b=c", "/.profile", "/..", "/a/.", "/-", "/a\u{85}", responder.url("")] {
            let result = try call(target, ["-O"], to: responder).expect(status: 2)
            #expect(result.errorText.contains("-o FILE names it"), "\(target) \(result)")
        }
        try call("/a", ["-O", "-o", "b"], to: responder).expect(status: 2)
        try Program.oap(["call", "--batch", "-O"], environment: ["OAP_ACCESS_TOKEN": "t"]).run().expect(status: 2)
        #expect(responder.requests.isEmpty)
        #expect(try files.isEmpty)
    }

    @Test("on a terminal a line says how far a download is, after one second, and is erased at the end; -s hides it")
    func progress() throws {
        let body = String(repeating: "x", count: 500_000)
        let reply = Responder.Reply.raw("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n").then(.raw(body))
        let responder = try Responder { _ in
            // The line comes after a second only.
            Thread.sleep(forTimeInterval: 1.1)
            return reply.then(.raw(body))
        }
        func shown(_ option: String) throws -> String {
            var program = Program.shell(
                "oap call -n \(option) \(responder.url("/x")) -o \(folder.path("out")) 2>&1",
                environment: ["OAP_ACCESS_TOKEN": "t"])
            program.output = .terminal
            return try program.run().expect(status: 0).text
        }
        #expect(try shown("-s").isEmpty)
        let shown = try shown("-S")
        #expect(shown.contains(" of 1.0 MB, ") && shown.contains("/s, "), "\(shown)")
        #expect(shown.hasSuffix(" s left\r\u{1B}[K"), "\(shown)")
    }
}
