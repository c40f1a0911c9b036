import System
import TestSupport
import Testing

@testable import TokenStore

@Suite("Since when a machine has seen a record")
struct SeenRecordTests {
    @Test("a revision counts from when it was seen first, and anew after a start of the machine")
    func since() throws {
        let folder = try TemporaryDirectory()
        let name = try TokenName("work")
        let sights: [(revision: String, time: Int, start: String, passed: Int)] = [
            ("5", 1000, "one", 0), ("5", 31_000, "one", 30_000), ("5", 90_000, "two", 0), ("5", 90_001, "two", 1),
            ("6", 95_000, "two", 0), ("6", 94_999, "two", 0), ("6", 95_000, "two", 1), ("5", 95_000, "two", 0),
        ]
        for (number, sight) in sights.enumerated() {
            let clock = MachineClock(boot: { sight.time }, start: { sight.start }, now: { .now })
            let seen = SeenRecord(of: name, in: folder.path, by: clock)
            #expect(try seen.note(sight.revision) == sight.passed, "\(number)")
            #expect(seen.revision == sight.revision)
        }
    }
}
