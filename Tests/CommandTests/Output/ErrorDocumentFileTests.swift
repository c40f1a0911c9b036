import Foundation
import TestSupport
import Testing
import Wire

@Suite("--error-document")
struct ErrorDocumentFileTests {
    private func document(_ path: String) throws -> JSONObject {
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        #expect(bytes.last == 0x0A)
        return try #require(JSON(parsing: Array(bytes)).object)
    }

    @Test("every command takes it, and tells a script in the file why it failed, also where it writes nothing itself")
    func written() throws {
        let folder = try TemporaryDirectory()
        let file = folder.path("error.json")
        let cases: [([String], Int, String)] = [
            (["token", "nobody"], 8, "token"), (["call", "-p", "nobody", "/x"], 8, "call"),
            (["whoami", "nobody"], 8, "whoami"), (["logout", "nobody"], 8, "logout"),
            (["store", "get", "nobody"], 8, "store"), (["store", "delete", "nobody"], 8, "store"),
            (["profile", "delete", "nobody"], 11, "profile"), (["provider", "nobody"], 2, "provider"),
        ]
        for (arguments, status, stage) in cases {
            let result = try Program.oap(
                arguments + ["--error-document", file], environment: ["HOME": folder.path]
            ).run().expect(status: status).expect(output: "")
            let error = try document(file)
            #expect(error["stage"] == .string(stage) && error["exit_status"] == .integer(status), "\(result)")
            let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
            #expect(mode == 0o600)
            try FileManager.default.removeItem(atPath: file)
        }
    }

    @Test("a wrong command line is told there too, in both spellings, and a pipeline's document goes on as before")
    func usage() throws {
        let folder = try TemporaryDirectory()
        let file = folder.path("error.json")
        for options in [["--error-document", file], ["--error-document=\(file)"]] {
            let result = try Program.oap(["refresh", "--nope"] + options).run().expect(status: 2)
            #expect(try document(file) == result.object())
            try FileManager.default.removeItem(atPath: file)
        }
        try Program.oap(["refresh", "--nope", "--", "--error-document", file]).run().expect(status: 2)
        #expect(!FileManager.default.fileExists(atPath: file))
        let earlier = #"{"error":"x","n":1.10,"stage":"elsewhere","exit_status":9}"#
        let passed = try Program.oap(["refresh", "--error-document", file], input: .text(earlier)).run()
        passed.expect(status: 9).expect(output: earlier + "\n").expectSilence()
        #expect(try folder.read("error.json") == earlier + "\n")
    }

    @Test("a success leaves the file as it is, and a descriptor is written to")
    func success() throws {
        let folder = try TemporaryDirectory()
        let file = try folder.write("old", to: "error.json")
        try Program.oap(["provider", "github", "--error-document", file]).run().expect(status: 0)
        #expect(try folder.read("error.json") == "old")
        let result = try Program.shell("oap token nobody --error-document /dev/fd/3 3>&1 2>/dev/null").run()
        #expect(try result.expect(status: 8).object()["stage"] == "token")
    }

    @Test("a file that cannot be written is reported, and the status stays; secrets are masked in it")
    func failing() throws {
        let folder = try TemporaryDirectory()
        let nowhere = folder.path("none/error.json")
        let result = try Program.oap(["authurl", "-n", "--error-document", nowhere]).run().expect(status: 3)
        #expect(result.errorText.contains("cannot write the error document: "), "\(result)")
        let server = try Responder(
            .json(#"{"error":"invalid_scope","error_description":"not with old-refresh"}"#, status: 400))
        let file = folder.path("error.json")
        let refused = ["refresh", "-o", folder.path("token.json"), "--error-document", file]
        try Program.oap(refused, input: server.token.input).run().expect(status: 4).expect(output: "")
        let error = try document(file)
        #expect(error["error"] == "invalid_scope" && error["error_description"] == "not with ***")
    }
}
