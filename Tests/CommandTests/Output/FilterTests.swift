import Foundation
import TestSupport
import Testing
import Wire

@Suite("Filters, as a process")
struct FilterTests {
    private static let input = Program.Input.text(
        #"{"access_token":"a","n":9007199254740993,"l":[1,"x",null],"t":"é"}"#)

    @Test("a filter that needs more memory than there is ends with exit 5, not as a defect")
    func memory() throws {
        let folder = try TemporaryDirectory()
        let filter = #"("x" * 1000000) * 1000 | length"#
        let script = #"ulimit -v 700000; exec "$0" authurl -n --client-id c --authorization-endpoint https://a/b "$@""#
        var program = Program(
            path: "/bin/sh",
            arguments: ["-c", script, Program.oapPath, "-q", filter, "-o", folder.path("file")])
        program.directory = folder.path
        try program.run().expect(status: 5).expect(errorLine: "oap: the filter needs more memory than there is")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }

    @Test("a filter whose recursion has no end fails with exit 5, not as a defect, and leaves no file")
    func recursion() throws {
        let folder = try TemporaryDirectory()
        let script = #"ulimit -v 3500000; exec "$0" refresh --if-expired "$@""#
        var program = Program(
            path: "/bin/sh",
            arguments: ["-c", script, Program.oapPath, "-q", "def f: [f]; f", "-o", folder.path("file")])
        program.input = Self.input
        try program.run().expect(status: 5).expect(errorLine: "oap: the filter failed: libjq gave up")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }
}
