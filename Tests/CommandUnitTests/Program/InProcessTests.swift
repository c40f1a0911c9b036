import Glibc
import PlaySupport
import TestSupport
import Testing

@Suite("oap in the process of the tests", .inProcess)
struct InProcessTests {
    @Test("it has streams, variables, a directory and a status of its own, beside others")
    func surroundings() throws {
        let started = try (0..<20).map { number in
            let home = try TemporaryDirectory()
            try home.write(#"{"client_id":"c\#(number)"}"#, to: "client.json")
            var program = Program.oap(
                ["profile", "set", "p\(number)", "--scope", "s", "--token-endpoint", "https://as.example/\(number)"],
                input: .file(home.path("client.json")), environment: ["HOME": home.path])
            program.directory = home.path
            return (home, try program.start())
        }
        for (number, (home, program)) in started.enumerated() {
            #expect(program.process == 0, "no process was started")
            try program.finish().expect(status: 0)
            var shown = Program.oap(
                ["profile", "show", "p\(number)", "-o", "out.json"], environment: ["HOME": home.path])
            shown.directory = home.path
            let result = try shown.run().expect(status: 0)
            #expect(result.text == "")
            #expect(try home.read("out.json").contains(#""client_id":"c\#(number)""#))
        }
    }

    @Test("what fails ends with its status, and says so on its own standard error")
    func failing() throws {
        let result = try Program.oap(["exchange"], input: .text("no document")).run().expect(status: 3)
        #expect(result.errorText.hasPrefix("oap: exchange: standard input is not JSON"))
        #expect(try result.object()["error"] == "parse")
        try Program.oap(["exchange"], input: .closed).run().expect(status: 3)
    }
}
