import Foundation
import Testing

/// How much runs: what each commit needs, or everything (`Tests/run.sh --all`, which sets `OAP_TESTS` to `all`).
package enum Extent {
    /// Whether everything runs.
    package static let isAll = ProcessInfo.processInfo.environment["OAP_TESTS"] == "all"

    /// How many, or which, for each commit; and of all.
    package static func of<Value>(_ each: Value, all: Value) -> Value { isAll ? all : each }
}

extension Trait where Self == ConditionTrait {
    /// For a test of what another one tests for each commit, with less of it or without the waiting.
    package static var withAll: Self { .enabled(if: Extent.isAll, "for Tests/run.sh --all") }
}
