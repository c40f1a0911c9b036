import TestSupport
import Testing
import Wire

@Suite("Error documents, as a process")
struct ErrorDocumentTests {
    @Test(
        "error documents let a pipeline report its first failure, once, with and without pipefail",
        arguments: ["", "set -o pipefail;"])
    func pipeline(option: String) throws {
        let script = "\(option) oap authurl -n | oap callback-parse | oap exchange | oap refresh"
        let result = try Program.shell(script).run().expect(status: 3)
        #expect(result.errorText.split(separator: "\n").filter { !$0.contains("hint") }.count == 1, "\(result)")
        let document = try result.object()
        #expect(
            document["stage"] == "authurl" && document["exit_status"] == 3 && document["error"] == "metadata_missing")
    }

    @Test("error documents are written to no terminal")
    func terminal() throws {
        var program = Program.oap(["authurl", "-n"])
        program.output = .terminal
        try program.run().expect(status: 3).expect(output: "")
    }
}
