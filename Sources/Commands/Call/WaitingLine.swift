internal import Errands
internal import System

/// Says on a terminal that nothing of a response has come yet, until it ends.
final class WaitingLine: Listener {
    private let line: ProgressLine
    private let host: String
    private var isOver = false

    init(_ line: ProgressLine, for host: String) { (self.line, self.host) = (line, host) }

    var watched: [Watched] { [] }
    var due: MonotonicTime? { isOver ? nil : line.due }

    func serve(_ ready: [Int32]) {
        line.draw { "waiting for \(host), \(Int($0)) s" }
    }

    /// Erases the line; called more than once.
    func end() {
        guard !isOver else { return }
        isOver = true
        line.end()
    }
}
