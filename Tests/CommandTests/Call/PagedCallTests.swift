import Foundation
import TestSupport
import Testing
import Wire

@Suite("Calls for all pages, as a process")
struct PagedCallTests {
    private func call(_ options: [String], _ responder: Responder) throws -> ProgramResult {
        try Program.oap(["call", "/x"] + options, input: responder.token.input).run()
    }

    @Test("a page is requested before the one before it is filtered")
    func overlap() throws {
        let asked = Responder.Gate()
        let folder = try TemporaryDirectory()
        let responder = try Responder { request in
            guard !request.target.hasSuffix("2") else {
                asked.open()
                return .json("[2]")
            }
            return .json("[1]", headers: ["Link: </api/x?page=2>; rel=next"])
        }
        // The filter cannot write its output before the test reads it: the pipe is full.
        let pipe = folder.path("pipe")
        #expect(mkfifo(pipe, 0o600) == 0)
        let token = try folder.write(JSON.object(responder.token).text, to: "token.json")
        let program = Program.shell(
            "oap call /x --paginate -q '.[] | tostring * 100000' -r > \(pipe)", input: .file(token))
        let running = try program.start()
        let reader = open(pipe, O_RDONLY)
        #expect(asked.wait())
        let output = FileHandle(fileDescriptor: reader, closeOnDealloc: true).readDataToEndOfFile()
        try running.finish().expect(status: 0)
        #expect(output.count == 200_002)
    }

    @Test("on a terminal a line says how far the walk is, after one second, and is erased at the end")
    func progress() throws {
        let responder = try Responder { request in
            let isFirst = request.target == "/api/x"
            // The line comes after a second only, and four times a second then.
            Thread.sleep(forTimeInterval: isFirst ? 1.1 : 0.3)
            return .json("[1,2]", headers: isFirst ? ["Link: <?page=2>; rel=next"] : [])
        }
        let folder = try TemporaryDirectory()
        for options in ["-q '.[]'", "--slurp"] {
            var program = Program.shell(
                "oap call /x --paginate \(options) 2>&1 > \(folder.path("out"))", input: responder.token.input)
            program.output = .terminal
            let shown = try program.run().expect(status: 0).text
            #expect(shown.hasPrefix("page 1, 2 items, 1/s\r\u{1B}[Kpage 2, 4 items, "), "\(shown)")
            #expect(shown.hasSuffix("/s\r\u{1B}[K"), "\(shown)")
        }
    }
}
