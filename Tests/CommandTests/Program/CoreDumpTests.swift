import Foundation
import TestSupport
import Testing
import Wire

@Suite("The memory of the program")
struct CoreDumpTests {
    /// Ends a program with SIGQUIT where core dumps are allowed.
    ///
    /// - Returns: what is in its folder then.
    private func names(afterQuitting command: String, _ environment: [String: String], isReady: () -> Bool) throws
        -> [String]
    {
        let folder = try TemporaryDirectory()
        var program = Program.shell("ulimit -c unlimited; exec \(command)", environment: environment)
        program.directory = folder.path
        let running = try program.start()
        #expect(isReady())
        running.send(signal: SIGQUIT)
        try running.finish().expect(signal: SIGQUIT)
        return try FileManager.default.contentsOfDirectory(atPath: folder.path)
    }

    @Test("the memory of oap is in no core dump, since secrets are there")
    func noCoreDump() throws {
        // Where a dump of another program does not come here either, the test could not fail.
        let control = try TemporaryDirectory()
        var program = Program.shell("ulimit -c unlimited; kill -QUIT $$", shell: "/bin/sh")
        program.directory = control.path
        try program.run().expect(signal: SIGQUIT)
        guard try !FileManager.default.contentsOfDirectory(atPath: control.path).isEmpty else { return }
        let (arrival, answer) = (Responder.Gate(), Responder.Gate())
        defer { answer.open() }
        let managed = try ManagedHome(arrival: arrival, answer: answer)
        let left = try names(afterQuitting: "oap token work", ["HOME": managed.home.path]) { arrival.wait() }
        #expect(left.isEmpty)
    }
}
