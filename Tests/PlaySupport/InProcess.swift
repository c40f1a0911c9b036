import Glibc
import Shell
import System
import TestSupport
import Testing
import Wire

@testable import Commands

/// Runs the `oap` of a suite's tests in this process: as a thread with streams, a directory and an environment of its own. A
/// signal, a terminal, `oap run` and another build need a process.
package struct InProcessTrait: SuiteTrait, TestTrait, TestScoping {
    fileprivate var skipsPauses = false
    package var isRecursive: Bool { true }

    package func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await Program.$player.withValue(
            { [skipsPauses] words, variables in Self.run(words, variables, skipping: skipsPauses ? SkippedTime() : nil)
            },
            operation: function)
    }

    private static func run(_ words: [String], _ variables: [String: String], skipping skipped: SkippedTime?) -> Int32 {
        // The text of a variable lives as long as the run.
        let texts = variables.mapValues { strdup($0) }
        defer { for text in texts.values { free(text) } }
        let environment = Environment(
            { texts[$0]?.map { UnsafePointer($0) } }, all: { variables.map { "\($0.key)=\($0.value)" } })
        return Run(in: environment, .unsignalled(skipping: skipped)).status(of: words)
    }
}

extension Trait where Self == InProcessTrait {
    /// No process is started for `oap`.
    package static var inProcess: Self { Self() }

    /// The same, and its clocks go on to the end of each pause. Not where it waits for what another process does.
    package static var inProcessWithoutPauses: Self { Self(skipsPauses: true) }
}

extension World {
    /// The machine's clocks and random bytes, without signals.
    fileprivate static func unsignalled(skipping skipped: SkippedTime?) -> World {
        let (own, ahead) = (World.own, { skipped?.milliseconds ?? 0 })
        return World(
            time: { own.milliseconds + ahead() }, clock: { own.moment + .milliseconds(ahead()) }, random: own.random,
            isEnding: { false }, hold: { _, _ in }, deliver: {}, skipping: skipped)
    }
}
