import Foundation
import TestSupport
import Testing
import Wire

@testable import CommandSupport

@Suite("The memory of the program")
struct CoreDumpTests {
    /// What runs a command with the largest core dumps that are allowed, in a folder that can take one.
    private static func dumping(_ command: String, in folder: TemporaryDirectory) -> Program {
        var program = Program.shell("ulimit -c unlimited && exec \(command)")
        program.directory = folder.path
        return program
    }

    /// Whether this machine dumps the memory of a program at all; without that the test could not fail.
    private static var isPossible: Bool {
        guard let folder = try? TemporaryDirectory() else { return false }
        let control = try? dumping("/bin/sh -c 'kill -QUIT $$'", in: folder).run()
        return control?.leftCoreDump == true
    }

    @Test(
        "the memory of oap is in no core dump, since secrets are there",
        .enabled(if: isPossible, "this machine makes no core dumps"))
    func noCoreDump() throws {
        let (folder, arrival, answer) = (try TemporaryDirectory(), Responder.Gate(), Responder.Gate())
        let managed = try ManagedHome(arrival: arrival, answer: answer)
        var program = Self.dumping("oap token work", in: folder)
        program.environment = ["HOME": managed.home.path]
        let running = try program.start()
        #expect(arrival.wait())
        running.send(signal: SIGQUIT)
        _ = try running.errorLine { $0.contains("waiting for the new token") }
        answer.open()
        let result = try running.finish().expect(signal: SIGQUIT)
        #expect(!result.leftCoreDump)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }
}
