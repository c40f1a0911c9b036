import Foundation
import TestSupport
import Testing

/// What oap signs, names and opens, and what it verifies, judged by a library of others. One process of Python has all
/// cases.
@Suite("joserfc as a judge") struct JoserfcTests {
    private static let python: String = {
        let cache = ProcessInfo.processInfo.environment["XDG_CACHE_HOME"] ?? NSHomeDirectory() + "/.cache"
        return cache + "/oap-tests/clients/bin/python"
    }()

    @Test("joserfc and oap verify each other's JWTs, compute the same thumbprints, and oap opens what joserfc encrypts")
    func judge() throws {
        try #require(
            FileManager.default.isExecutableFile(atPath: Self.python),
            "\(Self.python) is not there: run Tests/Peers/install")
        let folder = try TemporaryDirectory()
        let script = "\(Fixture.project)/Tests/CommandTests/Keys/joserfc/judge.py"
        let result = try Program(path: Self.python, arguments: ["-B", script, Program.oapPath, folder.path]).run()
        result.expect(status: 0)
        let passed = result.text.split(separator: "\n").filter { $0.hasPrefix("ok: ") }
        // 11 algorithms with a key, 8 kinds of new keys, 3 with a secret; 14 ways to a content key for 6 ciphers.
        #expect(passed.count == 11 + 8 + 3 + 14 * 6, "\(result)")
    }
}
