import Foundation
import JOSE
import TestSupport
import Testing

@testable import Calling
@testable import Commands
@testable import Login
@testable import Sessions
@testable import Shell
@testable import Tokens

@Suite("Random runs of machines that share a token")
struct RandomRunTests {
    @Test("random runs under faults keep what the protocol promises: 600, and 10,000 of all")
    func runs() throws {
        let key = try SymmetricKey()
        let arguments = try CommandTable.program().parse(["token", "work"])
        let first = UInt64(ProcessInfo.processInfo.environment["OAP_SEED"] ?? "0") ?? 0
        var disks: [TemporaryDirectory] = []
        for seed in first..<first + Extent.of(600, all: 10_000) {
            // The locks of earlier runs lie there.
            if seed % 50 == 0 || disks.isEmpty {
                disks = try (0..<3).map { _ in try TemporaryDirectory(inMemory: true) }
            }
            let world = try SimulatedWorld(
                seed: seed, arguments, key, disks: Array(disks.prefix(seed % 4 == 0 ? 3 : 2)))
            try world.run()
            try world.finish()
            guard world.wrongs.isEmpty else {
                Issue.record("seed \(seed): \(world.wrongs)\n\(world.story.joined(separator: "\n"))")
                return
            }
        }
    }
}
