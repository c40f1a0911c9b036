import Foundation
import Synchronization

private let delivered = Atomic(0)

/// Counts the SIGPIPEs that are delivered to this process from now on. Nothing else in the tests may cause one.
final class BrokenPipeSignals {
    private let before: Int

    init() {
        signal(SIGPIPE) { _ in delivered.add(1, ordering: .relaxed) }
        before = delivered.load(ordering: .relaxed)
    }

    var count: Int { delivered.load(ordering: .relaxed) - before }
}
