import Foundation
import TestSupport
import Testing
import Wire

@Suite("-o")
struct OutputFileTests {
    private let folder: TemporaryDirectory
    private static let document = #"{"access_token":"a"}"#

    init() throws { folder = try TemporaryDirectory() }

    /// Passes a document through to the file.
    private func pass(to path: String) throws -> ProgramResult {
        try Program.oap(["refresh", "--if-expired", "-o", path], input: .text(Self.document)).run()
    }

    /// What is in the folder.
    private var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }
    }

    @Test("-o writes a file that only this user can read, and nothing to standard output")
    func mode() throws {
        try pass(to: folder.path("new")).expect(status: 0).expect(output: "")
        #expect(try folder.read("new") == Self.document + "\n")
        #expect(try folder.permissions("new") == 0o600)
        try folder.write("old", to: "old")
        #expect(chmod(folder.path("old"), 0o644) == 0)
        try pass(to: folder.path("old")).expect(status: 0)
        #expect(try folder.permissions("old") == 0o600)
        #expect(try names == ["new", "old"])
    }

    @Test("-o reserves room for a new token before the old one is used", arguments: ["exchange", "refresh"])
    func room(command: String) throws {
        let responder = try Responder(.json(#"{"access_token":"new-access","token_type":"Bearer"}"#))
        let document = command == "refresh" ? responder.token : responder.flow
        let path = folder.path("new")
        for limit in ["16", "unlimited"] {
            let script = "ulimit -f \(limit); oap \(command) -o \(path)"
            let result = try Program.shell(script, input: document.input).run()
            guard limit == "16" else { continue }
            result.expect(status: 11).expect(errorLine: "oap: \(command): cannot write \(path): file too large")
            #expect(try names.isEmpty && responder.connectionCount == 0)
        }
        #expect(try folder.read("new").hasSuffix("}\n"))
    }

    @Test("-o may name the file that is being read")
    func sameFile() throws {
        let file = try folder.write(Self.document, to: "token.json")
        try Program.oap(["refresh", "--if-expired", "-o", file, "-q", ".b=1"], input: .file(file)).run().expect(
            status: 0)
        #expect(try folder.read("token.json") == #"{"access_token":"a","b":1}"# + "\n")
    }

    @Test("-o takes a relative path, also without a folder")
    func relative() throws {
        var program = Program.oap(["refresh", "--if-expired", "-o", "file"], input: .text(Self.document))
        program.directory = folder.path
        try program.run().expect(status: 0)
        #expect(try names == ["file"])
    }

    @Test("-o keeps a symbolic link, whether its file is there or not", arguments: [true, false])
    func link(isThere: Bool) throws {
        if isThere { try folder.write("old", to: "target") }
        try FileManager.default.createSymbolicLink(atPath: folder.path("link"), withDestinationPath: "target")
        try pass(to: folder.path("link")).expect(status: 0)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder.path("link")) == "target")
        #expect(try folder.read("target") == Self.document + "\n")
    }

    @Test("-o writes to what is not a regular file, and leaves it one", arguments: ["/dev/null", "/dev/stdout", "-"])
    func device(path: String) throws {
        try pass(to: path).expect(status: 0).expect(output: path == "/dev/null" ? "" : Self.document + "\n")
        #expect(
            try FileManager.default.attributesOfItem(atPath: "/dev/null")[.type] as? FileAttributeType
                == .typeCharacterSpecial)
    }

    @Test(
        "a file of -o that cannot be written is exit 11 before anything is sent",
        arguments: ["/nowhere/x", "/", "/proc/x", "/dev/full/x"])
    func unwritable(path: String) throws {
        let responder = try Responder(.token, .token)
        for command in [["refresh"], ["call", "/x"]] {
            let result = try Program.oap(command + ["-o", path], input: responder.token.input).run()
            result.expect(status: 11).expect(output: "")
            #expect(result.errorText.contains("cannot write \(path): "), "\(result)")
        }
        #expect(responder.connectionCount == 0)
    }

    @Test("-o on a full disk is exit 11")
    func fullDisk() throws {
        try pass(to: "/dev/full").expect(status: 11)
    }

    @Test("-o keeps the old file to the byte, and leaves no temporary one, when the command fails")
    func failure() throws {
        let file = try folder.write("old", to: "file")
        let responder = try Responder(
            .json(#"{"error":"invalid_grant"}"#, status: 400), .token, .text("x", status: 404),
            .truncated("part", promised: 100), .redirect(302, to: "http://127.0.0.1:1/"))
        let token = responder.token.input
        try Program.oap(["refresh", "-o", file], input: token).run().expect(status: 8).expect(output: "")
        try Program.oap(["refresh", "-o", file, "-q", "error(1)"], input: token).run().expect(status: 5)
        try Program.oap(["call", "/x", "-o", file], input: token).run().expect(status: 7)
        try Program.oap(["call", "/x", "-o", file], input: token).run().expect(status: 6)
        try Program.oap(["call", "/x", "-o", file, "--no-cross-origin"], input: token).run().expect(status: 9)
        #expect(try folder.read("file") == "old")
        #expect(try names == ["file"])
    }

    @Test(
        "-o keeps the old file, and leaves no temporary one, when a signal ends the program, which dies of it",
        arguments: [SIGTERM, SIGINT, SIGHUP])
    func signal(number: Int32) throws {
        let file = try folder.write("old", to: "file")
        let gate = Responder.Gate()
        defer { gate.open() }
        let responder = try Responder { request in
            request.method == "POST" ? .token.after(gate) : .raw("HTTP/1.1 200 OK\r\n\r\npart").then(.close.after(gate))
        }
        for command in [["refresh"], ["call", "/x"]] {
            let running = try Program.oap(command + ["-v", "-o", file], input: responder.token.input).start()
            _ = try running.errorLine { $0.hasPrefix(command == ["refresh"] ? "> POST" : "< HTTP/1.1 200") }
            #expect(try names.count == 2)
            running.send(signal: number)
            try running.finish().expect(signal: number)
            #expect(try folder.read("file") == "old")
            #expect(try names == ["file"])
        }
    }

    @Test("-o of oap call holds the body to the byte")
    func call() throws {
        let body = (0...255).map { UInt8($0) }
        let responder = try Responder(.content(body, type: "application/octet-stream"))
        try Program.oap(["call", "/x", "-o", folder.path("file")], input: responder.token.input).run()
            .expect(status: 0).expect(output: "")
        #expect(FileManager.default.contents(atPath: folder.path("file")) == Data(body))
        #expect(try folder.permissions("file") == 0o600)
    }
}
